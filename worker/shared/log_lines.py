"""The log files read back: the newest lines of all processes together, and those that follow."""

import datetime as dt
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

_BLOCK = 64 * 1024  # bytes
_MOST = 8 * 2**20  # bytes of one file that are read at once
_KNOWN = 64  # bytes by which a file is known again
_SLACK = 2.0  # seconds by which a file's time may lag behind its last line
_EPOCH = dt.datetime.fromtimestamp(0, dt.UTC)


class Entry(BaseModel):
    """One line of a log."""

    model_config = ConfigDict(frozen=True)

    time: AwareDatetime
    level: str
    component: str
    message: str
    exception: str = ""

    def __str__(self) -> str:
        """Return it for a person; what could steer a terminal is spelt out."""
        when = self.time.replace(tzinfo=None).isoformat(" ", "seconds")
        first = f"{when} {self.level} {self.component}: {_visible(self.message)}"
        return "\n".join([first, *(f"    {_visible(x)}" for x in self.exception.splitlines())])


@dataclass(frozen=True, slots=True)
class _Place:
    """How far a file has been read."""

    end: int  # bytes
    before: bytes  # the last of what was read: another file at the same place has others
    time: dt.datetime = _EPOCH  # of the last line


class LogFiles:
    """All log files of one folder; remembers how far each has been read, also when it is renamed.

    A line that is not whole yet is left for the next time; one that is none of ours is shown as it
    is, at the time of the one before. However large a file is, at most 8 MB of it are read at once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[int, _Place] = {}  # by the file's number
        self.unread: tuple[str, ...] = ()  # files that may not be read
        self.is_whole = True  # `newest` gave all that there is

    def newest(self, count: int) -> list[Entry]:
        """Return the newest lines, the oldest of them first."""
        found: list[Entry] = []
        self.is_whole = True
        for number, changed, file in self._open():
            enough = len(found) >= count > 0 and changed + _SLACK < found[-count].time.timestamp()
            lines, end = _last_lines(file, 0 if enough else count)
            entries = list(_entries(lines, _EPOCH))
            self._read[number] = _place(file, end, entries, _EPOCH)
            found = _in_order(entries + found)
            self.is_whole = self.is_whole and len(lines) == end
        self.is_whole = self.is_whole and len(found) <= count
        return found[-count:] if count else []

    def more(self) -> list[Entry]:
        """Return what has been written since; of more than 8 MB the rest comes the next time."""
        found: list[Entry] = []
        for number, _, file in self._open():
            place = self._read.get(number)
            if place is None or not _is_same(file, place):
                place = _Place(0, b"")  # new, made anew, or with the number of one that was removed
            file.seek(place.end)
            read = file.read(_MOST)
            lines = _whole(read) or (read if len(read) == _MOST else b"")
            entries = list(_entries(lines, place.time))
            self._read[number] = _place(file, place.end + len(lines), entries, place.time)
            found = entries + found
        return _in_order(found)

    def _open(self) -> Iterator[tuple[int, float, BinaryIO]]:
        """Open each file in turn, the newest first, and give its number and when it was changed.

        Two that change their names meanwhile count once.
        """
        seen = set()
        unread = []
        for path in sorted(self._folder.glob("*.jsonl*"), key=_changed, reverse=True):
            try:
                file = path.open("rb")
            except FileNotFoundError:  # removed meanwhile
                continue
            except OSError as exc:
                unread.append(f"{path.name}: {exc.strerror}")
                continue
            with file:
                found = os.fstat(file.fileno())
                if found.st_ino not in seen:
                    seen.add(found.st_ino)
                    yield found.st_ino, found.st_mtime, file
        self.unread = tuple(unread)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _place(file: BinaryIO, end: int, entries: list[Entry], before: dt.datetime) -> _Place:
    start = max(0, end - _KNOWN)
    file.seek(start)
    return _Place(end, file.read(end - start), entries[-1].time if entries else before)


def _is_same(file: BinaryIO, place: _Place) -> bool:
    file.seek(place.end - len(place.before))
    return file.read(len(place.before)) == place.before


def _last_lines(file: BinaryIO, count: int) -> tuple[bytes, int]:
    """Return the last whole lines, at least so many if there are, and where they end."""
    start = end = file.seek(0, os.SEEK_END)
    oldest = max(0, end - _MOST)
    blocks: list[bytes] = []
    breaks = 0
    while start > oldest and breaks <= count:
        length = min(_BLOCK, start)
        start -= length
        file.seek(start)
        blocks.insert(0, file.read(length))
        breaks += blocks[0].count(b"\n")
    read = b"".join(blocks)
    lines = _whole(read)
    end -= len(read) - len(lines)
    if start:  # the first is not whole
        lines = lines.partition(b"\n")[2]
    return b"".join(lines.splitlines(keepends=True)[-count:]) if count else b"", end


def _whole(text: bytes) -> bytes:
    return text[: text.rfind(b"\n") + 1]


def _entries(lines: bytes, last: dt.datetime) -> Iterator[Entry]:
    """Yield the entries; `last` is the time of the line before."""
    for line in lines.removesuffix(b"\n").split(b"\n") if lines else ():
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
