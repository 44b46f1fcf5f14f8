"""A write-ahead log that breaks off: SQLite drops the rest without a word, we keep and tell it.

What a log holds beyond its end is nothing to worry about where it is older than the log's last
restart, or was never committed. A tear shows by a commit that is not reached any more, or by
frames that nobody wrote. The layout is told by https://sqlite.org/fileformat2.html#walformat.
"""

import logging
import shutil
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import BinaryIO

from worker.store.connection import connect

log = logging.getLogger(__name__)

LOOKS = 4  # another process may just be writing: what is half there at one look is not at the next
PAUSE_SECONDS = 0.05  # between two looks: a writer may wait that long for a processor
_MAGIC = (0x377F0682, 0x377F0683)
_HEADER = struct.Struct(">8I")  # magic, version, page size, restarts, 2 salts, 2 sums
_FRAME = struct.Struct(">6I")  # page, size of the database after a commit, 2 salts, 2 sums
_INDEX = struct.Struct("=16xI4x2I8s")  # of the -shm file: valid frames, sums of the last, salts

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Log:
    """What the header of a log says."""

    words: str  # in which byte order sums are made
    page: int
    restarts: int
    salts: Pair
    sums: Pair

    def wrote_before_restart(self, salts: Pair) -> bool:
        return 0 < (self.salts[0] - salts[0]) % 2**32 <= self.restarts


def keep_torn_log(database: Path) -> str:
    """Return what is to be said of a torn log, of which a copy was made; "" where it is whole.

    Ask before anything is written: the next who writes, and the last who closes the database,
    overwrite it. Raises sqlite3.DatabaseError where the database cannot be read.
    """
    path = database.with_name(f"{database.name}-wal")
    if not database.exists() or not path.exists():
        return ""
    with closing(connect(database, query_only=True)) as connection:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # finds the log's valid end
        if not _stays_torn(path):
            return ""
        try:
            kept = f"It was copied to {_copy(path).name}, beside it."
        except OSError as exc:
            kept = f"It cannot be copied: {exc}."
    told = f"{path} breaks off: what was stored last before that is lost. {kept}"
    log.warning("%s", told)
    return told


def _copy(path: Path) -> Path:
    """Return a copy of it, under a name that nothing has yet."""
    names = (path.with_name(f"{path.name}.torn-{number}") for number in count(1))
    copy = next(name for name in names if not name.exists())
    shutil.copy2(path, copy)
    return copy


def _stays_torn(path: Path) -> bool:
    """Say whether it is torn at each look, and nobody has written to it meanwhile."""
    if not _is_torn(path):
        return False
    before = _written(path)
    for _ in range(LOOKS - 1):
        time.sleep(PAUSE_SECONDS)
        if _written(path) != before or not _is_torn(path):
            return False
    return True


def _written(path: Path) -> tuple[int, int]:
    """Return when it was last written to, and its size; zeros where it cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def _is_torn(path: Path) -> bool:
    shared = path.with_name(path.name.removesuffix("-wal") + "-shm")
    try:
        with path.open("rb") as file, shared.open("rb") as index:
            return _breaks_off(file, *_INDEX.unpack(index.read(_INDEX.size)))
    except (OSError, struct.error):
        return False  # there is none, or it may not be looked at


def _breaks_off(file: BinaryIO, end: int, first: int, second: int, salts: bytes) -> bool:
    """Say whether there is more after the first `end` frames than may be there."""
    header = file.read(_HEADER.size)
    found = _log(header)
    if found is None or salts != header[16:24]:
        # without a header it is torn, unless it is empty; with other salts it is about to be begun
        # again, and all of it is in the database
        return bool(header) and found is None
    frames = _frames(found, file, end)
    return _is_lost(found, frames, (first, second) if end else found.sums)


def _log(header: bytes) -> _Log | None:
    """Return what the header says, None where it is none."""
    if len(header) < _HEADER.size:
        return None
    magic, _, page, restarts, *rest = _HEADER.unpack(header)
    words = "><"[magic & 1 == 0]
    if magic not in _MAGIC or _sums((0, 0), header[:24], words) != (rest[2], rest[3]):
        return None
    return _Log(words, page, restarts, (rest[0], rest[1]), (rest[2], rest[3]))


def _is_lost(found: _Log, frames: Iterator[tuple[bytes, bytes]], sums: Pair) -> bool:
    """Say whether one of these frames, which follow those of these sums, should be valid."""
    is_next = True  # whether it follows from the one before
    for header, content in frames:
        _, commit, *rest = _FRAME.unpack(header)
        if (salts := (rest[0], rest[1])) == found.salts:
            if is_next:
                sums = _sums(_sums(sums, header[:8], found.words), content, found.words)
                is_next = len(content) == found.page and sums == (rest[2], rest[3])
            if commit and not is_next:
                return True
        elif found.wrote_before_restart(salts):
            is_next = False
        else:
            return True
    return False


def _frames(found: _Log, file: BinaryIO, start: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield header and content of each frame from there on; the last content may be cut."""
    file.seek(_HEADER.size + start * (_FRAME.size + found.page))
    while len(header := file.read(_FRAME.size)) == _FRAME.size:
        yield header, file.read(found.page)


def _sums(sums: Pair, content: bytes, words: str) -> Pair:
    """Return the two sums that SQLite makes of these and of the content."""
    first, second = sums
    for one, other in struct.iter_unpack(f"{words}2I", content[: len(content) // 8 * 8]):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
