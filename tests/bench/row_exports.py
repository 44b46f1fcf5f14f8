"""Exports of memories of any size, by claude-mem's own script and by Memtray, made up alike."""

import json
import random
from pathlib import Path
from typing import Any

from tests.bench.conversations import Writer
from tests.bench.databases import SEED
from worker.ingest.export_file import writing

_TYPES = ("bugfix", "feature", "discovery", "change", "decision")
_TABLES = {
    "observations": "observations",  # in the order of claude-mem's script
    "sessions": "sdk_sessions",
    "summaries": "session_summaries",
    "prompts": "user_prompts",
}


def row_exports(theirs: Path, ours: Path, size: int, *, seed: int = SEED) -> None:
    """Write the same rows, of about `size` bytes, in both formats."""
    writer = _Rows(random.Random(seed))
    written = 0
    while written < size:
        written += writer.session()
    lists = {name: writer.rows[table] for name, table in _TABLES.items()}
    theirs.write_text(
        json.dumps({"exportedAt": writer.moment()} | lists, ensure_ascii=False, indent=2),
        encoding="utf-8",
    )
    with writing(ours, {}, replace=True) as export:
        for name in ("sessions", "observations", "summaries", "prompts"):
            table = _TABLES[name]
            export.add({"table": table} | row for row in writer.rows[table])


class _Rows(Writer):
    """Sessions with what claude-mem records of them."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.rows: dict[str, list[dict[str, Any]]] = {table: [] for table in _TABLES.values()}

    def session(self) -> int:
        """Add one; return about how many bytes it takes."""
        of_it = {
            "content_session_id": self.name(),
            "memory_session_id": self.name(),
            "project": self.chance.choice(("shop", "garden", "pond")),
        }
        size = self._add("sdk_sessions", of_it | {"user_prompt": self.said(1, 4)})
        content = of_it.pop("content_session_id")
        for number in range(1, self.chance.randint(3, 25)):
            at = self._time()
            prompt = {"content_session_id": content, "prompt_number": number} | at
            size += self._add("user_prompts", prompt | {"prompt_text": self.said(1, 6)})
            size += self._add("observations", of_it | at | self._observation(number))
        texts = ("request", "investigated", "learned", "completed", "next_steps")
        summary = {name: self.said(1, 4) for name in texts}
        return size + self._add("session_summaries", of_it | self._time() | summary)

    def _observation(self, number: int) -> dict[str, Any]:
        return {
            "type": self.chance.choice(_TYPES),
            "title": self.sentence(),
            "subtitle": self.sentence(),
            "narrative": self.said(4, 20),
            "facts": json.dumps([self.sentence() for _ in range(self.chance.randint(2, 6))]),
            "concepts": json.dumps(["how-it-works", "gotcha"]),
            "files_read": json.dumps([f"src/{self.name()[:8]}.py"] * self.chance.randint(0, 5)),
            "prompt_number": number,
        }

    def _time(self) -> dict[str, Any]:
        moment = self.moment()
        return {"created_at": moment, "created_at_epoch": int(self._now.timestamp() * 1000)}

    def _add(self, table: str, row: dict[str, Any]) -> int:
        rows = self.rows[table]
        rows.append({"id": len(rows) + 1} | row)
        return len(json.dumps(rows[-1]))
