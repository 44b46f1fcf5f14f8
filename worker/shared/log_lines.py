"""The log files read back: the newest lines of all processes together, and those that follow."""

import datetime as dt
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pydantic import BaseModel, ConfigDict, ValidationError

_BLOCK = 64 * 1024  # bytes


class Entry(BaseModel):
    """One line of a log."""

    model_config = ConfigDict(frozen=True)

    time: dt.datetime
    level: str
    component: str
    message: str
    exception: str = ""

    def __str__(self) -> str:
        """Return it for a person; what could steer a terminal is spelt out."""
        when = self.time.replace(tzinfo=None).isoformat(" ", "seconds")
        first = f"{when} {self.level} {self.component}: {_visible(self.message)}"
        return "\n".join([first, *(f"    {_visible(x)}" for x in self.exception.splitlines())])


class LogFiles:
    """All log files of one folder; remembers how far each has been read, also when it is renamed.

    A line that is not whole yet is left for the next time; one that is none of ours is shown as it
    is, at the time of the one before.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[int, int] = {}  # bytes, by the file's number

    def newest(self, count: int) -> list[Entry]:
        """Return the newest lines, the oldest of them first."""
        found: list[Entry] = []
        for number, file in self._open():
            lines, self._read[number] = _last_lines(file, count)
            found += _entries(lines)
        return _in_order(found)[-count:] if count else []

    def more(self) -> list[Entry]:
        """Return what has been written since."""
        found: list[Entry] = []
        for number, file in self._open():
            done = self._read.get(number, 0)
            if done > file.seek(0, os.SEEK_END):
                done = 0  # another file with the number of one that was removed
            file.seek(done)
            lines = _whole(file.read())
            self._read[number] = done + len(lines)
            found += _entries(lines)
        return _in_order(found)

    def _open(self) -> Iterator[tuple[int, BinaryIO]]:
        """Open each file in turn; two that change their names meanwhile count once."""
        seen = set()
        for path in sorted(self._folder.glob("*.jsonl*")):
            try:
                file = path.open("rb")
            except OSError:  # removed meanwhile
                continue
            with file:
                number = os.fstat(file.fileno()).st_ino
                if number not in seen:
                    seen.add(number)
                    yield number, file


def _last_lines(file: BinaryIO, count: int) -> tuple[bytes, int]:
    """Return the last whole lines, at least so many if there are, and where they end."""
    start = end = file.seek(0, os.SEEK_END)
    blocks: list[bytes] = []
    breaks = 0
    while start and breaks <= count:
        length = min(_BLOCK, start)
        start -= length
        file.seek(start)
        blocks.insert(0, file.read(length))
        breaks += blocks[0].count(b"\n")
    read = b"".join(blocks)
    lines = _whole(read)
    end -= len(read) - len(lines)
    return b"".join(lines.splitlines(keepends=True)[-count:]) if count else b"", end


def _whole(text: bytes) -> bytes:
    return text[: text.rfind(b"\n") + 1]


def _entries(lines: bytes) -> Iterator[Entry]:
    last = dt.datetime.fromtimestamp(0, dt.UTC)
    for line in lines.split(b"\n")[:-1]:
        try:
            entry = Entry.model_validate_json(line)
        except ValidationError:
            text = line.decode("utf-8", "replace")
            entry = Entry(time=last, level="-", component="-", message=text)
        last = entry.time
        yield entry


def _in_order(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: entry.time.timestamp())


def _visible(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
