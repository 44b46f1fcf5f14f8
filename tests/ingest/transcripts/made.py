"""Transcripts as Claude Code writes them, made up here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Record = dict[str, Any]


@dataclass
class Talk:
    """One session, said line by line; each line is ten seconds after the one before."""

    session: str = "11111111-2222-4333-8444-555555555555"
    cwd: str = "/home/mia/code/shop"
    second: int = 0
    records: list[Record] = field(default_factory=list)

    def asks(self, text: str, **more: object) -> "Talk":
        """The user writes."""
        return self._say("user", {"role": "user", "content": text}, **more)

    def says(self, text: str, *, last: bool = True, **more: object) -> "Talk":
        """The assistant writes; `last` is its last word on the matter."""
        content = [{"type": "text", "text": text}]
        reason = "end_turn" if last else None
        message = {"role": "assistant", "content": content, "stop_reason": reason}
        return self._say("assistant", message, **more)

    def uses(self, tool: str, result: str, *, failed: bool = False, **given: object) -> "Talk":
        """The assistant calls a tool, which answers."""
        call = f"toolu_{len(self.records)}"
        use = {"type": "tool_use", "id": call, "name": tool, "input": given}
        self._say("assistant", {"role": "assistant", "content": [use], "stop_reason": "tool_use"})
        answer: Record = {"type": "tool_result", "tool_use_id": call, "content": result}
        if failed:
            answer["is_error"] = True
        return self._say("user", {"role": "user", "content": [answer]})

    def adds(self, record: Mapping[str, object]) -> "Talk":
        """A record of another kind."""
        self.records.append(dict(record))
        return self

    def _say(self, kind: str, message: Mapping[str, object], **more: object) -> "Talk":
        self.second += 10
        number = len(self.records)
        record = {
            "parentUuid": None,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.40",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": f"{self.session[:8]}-{number:04}",
            "timestamp": f"2026-05-04T09:{self.second // 60:02}:{self.second % 60:02}.000Z",
        }
        self.records.append(record | more)
        return self

    def text(self) -> str:
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self.records)

    def write(self, folder: Path) -> Path:
        """Write the file where Claude Code would, below `folder`."""
        path = folder / self.cwd.replace("/", "-") / f"{self.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text(), encoding="utf-8")
        return path


def pool_talk() -> Talk:
    """A bug is found and fixed, in two turns."""
    return (
        Talk()
        .asks("Why does checkout hang under load?")
        .says("I'll look at the pool first.", last=False)
        .uses("Read", "max_size = 1", file_path="/home/mia/code/shop/src/pool.py")
        .uses("Bash", "FAILED tests/test_pool.py\n1 failed, 3 passed", command="pytest -q tests")
        .says("The pool deadlocks because max_size is 1 and checkout takes two connections.")
        .asks("Fix it and commit")
        .uses("Edit", "ok", file_path="/home/mia/code/shop/src/pool.py", old_string="1")
        .uses("Bash", "4 passed in 0.2s", command="pytest -q tests")
        .uses(
            "Bash",
            "[main 1a2b3c] ...",
            command='git commit -am "fix: give checkout two connections"',
        )
        .says("Great! Fixed: the pool now holds ten connections, and all four tests pass.")
    )
