"""Transcripts of Claude Code and exports of claude.ai of any size, made up, always the same."""

import base64
import datetime as dt
import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.databases import SEED

Record = dict[str, Any]

LARGE = (0.2, 0.1, 0.05, 0.05)  # of all bytes: sessions that went on for weeks
SESSION = (200_000, 3_000_000)  # bytes of each of the others
_WORDS = """
    pool checkout queue worker token parser cache index retry timeout schema migration handler
    router session cookie socket buffer thread lock cursor batch stream chunk header payload
    branch commit deploy rollback replica shard vector query filter render widget layout theme
    """.split()  # noqa: SIM905 - a list of words
_VERBS = ("fixed", "renamed", "found", "measured", "removed", "added", "moved", "replaced")
_CAUSES = (
    "because the {} closed before the {} was read, {} fails",
    "the {} waits for the {} and neither lets the {} go",
    "since the {} is made twice, the {} of the {} is lost",
)
_HOOK = "/home/mia/.claude/hooks/check.sh --on write --quiet"


def transcripts(folder: Path, size: int, *, seed: int = SEED) -> None:
    """Write sessions of about `size` bytes together, a fifth of them in one."""
    chance = random.Random(seed)
    large = [int(size * share) for share in LARGE]
    written = number = 0
    while written < size:
        wanted = large[number] if number < len(large) else int(chance.uniform(*SESSION))
        written += _Session(number, chance).write(folder, min(wanted, size - written))
        number += 1


def export(path: Path, size: int, *, seed: int = SEED) -> None:
    """Write `conversations.json` of about `size` bytes in one line."""
    writer = Writer(random.Random(seed))
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while written < size:
            text = json.dumps(writer.talk(number), ensure_ascii=False)
            written += file.write(f", {text}" if number else text)
            number += 1
        file.write("]")


class Writer:
    """Words, lines and times by chance."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._lines = [self._line(number) for number in range(4000)]
        self._now = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)

    def name(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128)))

    def moment(self) -> str:
        self._now += dt.timedelta(seconds=self.chance.randint(1, 30))
        return self._now.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def lines(self, least: int, most: int) -> str:
        """Return that many lines of code, or what a program prints."""
        return "\n".join(self.chance.choices(self._lines, k=self.chance.randint(least, most)))

    def sentence(self) -> str:
        words = self.chance.choices(_WORDS, k=3)
        cause = self.chance.choice(_CAUSES).format(*words)
        return f"I {self.chance.choice(_VERBS)} it: {cause} {self.chance.randint(2, 9999)} times."

    def said(self, least: int, most: int) -> str:
        return " ".join(self.sentence() for _ in range(self.chance.randint(least, most)))

    def image(self, size: int) -> Record:
        data = base64.b64encode(self.chance.randbytes(size)).decode()
        source = {"type": "base64", "media_type": "image/png", "data": data}
        return {"type": "image", "source": source}

    def talk(self, number: int) -> Record:
        """Return a conversation of claude.ai."""
        said = []
        for turn in range(self.chance.randint(1, 20)):
            for sender in ("human", "assistant"):
                text = self.said(1, 4) if sender == "human" else self.said(4, 30)
                said.append(self._message(sender, text))
            if turn % 5 == 0:
                said[-2]["attachments"] = [
                    {"file_name": "log.txt", "extracted_content": self.lines(50, 600)}
                ]
        return {
            "uuid": self.name(),
            "name": f"Talk {number} of the {self.chance.choice(_WORDS)}",
            "created_at": said[0]["created_at"],
            "updated_at": said[-1]["created_at"],
            "chat_messages": said,
        }

    def _message(self, sender: str, text: str) -> Record:
        blocks: list[Record] = [{"type": "text", "text": text}]
        if sender == "assistant":
            blocks.insert(0, {"type": "thinking", "thinking": self.said(5, 40)})
        return {
            "uuid": self.name(),
            "sender": sender,
            "text": text,
            "content": blocks,
            "created_at": self.moment(),
            "attachments": [],
        }

    def _line(self, number: int) -> str:
        words = " ".join(self.chance.choices(_WORDS, k=self.chance.randint(2, 9)))
        return f"{' ' * (4 * (number % 4))}{words.replace(' ', '_', 1)}({number}) # {number % 97}"


class _Session(Writer):
    """One session of Claude Code."""

    def __init__(self, number: int, chance: random.Random) -> None:
        super().__init__(chance)
        self._now += dt.timedelta(hours=7 * number)
        self._cwd = f"/home/mia/code/{_WORDS[number % 20]}"
        self._id = self.name()

    def write(self, folder: Path, size: int) -> int:
        """Write turns until the file has `size` bytes; return how many it has."""
        path = folder / self._cwd.replace("/", "-") / f"{self._id}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as file:
            written = 0
            while written < size:
                for record in self._turn():
                    written += file.write(json.dumps(record, ensure_ascii=False) + "\n")
        return written

    def _turn(self) -> Iterator[Record]:
        asked: list[Record] = [{"type": "text", "text": f"Why? {self.said(1, 5)}"}]
        if self.chance.random() < 0.02:
            asked.append(self.image(self.chance.randint(50_000, 500_000)))
        yield self._record("user", message={"role": "user", "content": asked})
        yield self._record("file-history-snapshot", snapshot={"tracked": self.lines(5, 20)})
        for _ in range(self.chance.randint(1, 9)):
            yield from self._call()
        yield self._says([{"type": "text", "text": self.said(3, 20)}], reason="end_turn")

    def _call(self) -> Iterator[Record]:
        thought = {"type": "thinking", "thinking": self.said(1, 10), "signature": "x" * 400}
        yield self._says([thought])
        if self.chance.random() < 0.3:
            yield self._says([{"type": "text", "text": f"Let me look. {self.sentence()}"}])
        name, given, result, told = self._tool()
        call = f"toolu_{self.name()}"
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        yield self._says([use])
        for _ in range(self.chance.randint(0, 5)):
            yield self._record("progress", data={"type": "hook_progress", "command": _HOOK * 3})
        answer: Record = {"type": "tool_result", "tool_use_id": call, "content": result}
        if self.chance.random() < 0.07:
            answer["is_error"] = True
        message = {"role": "user", "content": [answer]}
        yield self._record("user", message=message, toolUseResult=told)

    def _tool(self) -> tuple[str, Record, object, object]:
        """Return a tool, what it was given, what Claude saw of it, and what the file keeps."""
        path, kind = self._path(), self.chance.random()
        if kind < 0.35:
            text = self.lines(5, 120)
            return "Read", {"file_path": path}, text, {"file": {"filePath": path, "content": text}}
        if kind < 0.65:
            much = self.chance.random() < 0.002
            text = self.lines(1, 60) if not much else self.lines(20_000, 80_000)
            text += f"\n{self.chance.randint(1, 400)} passed in 2.1s"
            command = f"pytest -q tests/{self.chance.choice(_WORDS)}"
            return "Bash", {"command": command}, text, {"stdout": text, "stderr": ""}
        if kind < 0.9:
            old, new = self.lines(1, 12), self.lines(1, 12)
            given = {"file_path": path, "old_string": old, "new_string": new}
            return "Edit", given, "updated", {**given, "originalFile": self.lines(20, 120)}
        if kind < 0.995:
            given = {"file_path": path, "content": self.lines(10, 150)}
            return "Write", given, "created", given
        image = self.image(self.chance.randint(50_000, 700_000))
        return "mcp__browser__screenshot", {}, [image], [image]

    def _path(self) -> str:
        return (
            f"/home/mia/code/shop/src/{self.chance.choice(_WORDS)}/{self._line(0)[:8].strip()}.py"
        )

    def _says(self, content: list[Record], *, reason: str = "tool_use") -> Record:
        message = {"role": "assistant", "content": content, "stop_reason": reason}
        return self._record("assistant", message=message)

    def _record(self, kind: str, **more: object) -> Record:
        return {
            "type": kind,
            "parentUuid": self.name(),
            "isSidechain": False,
            "cwd": self._cwd,
            "sessionId": self._id,
            "version": "2.1.40",
            "gitBranch": "main",
            "uuid": self.name(),
            "timestamp": self.moment(),
            **more,
        }
