"""The room that the database takes, and giving back what is unused of it."""

import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from worker.shared.errors import MemtrayError
from worker.store.cleaning import forget_terms
from worker.store.connection import connect, explained
from worker.store.layout import TABLES
from worker.store.users import users_of

MARGIN = 64 * 1024 * 1024  # bytes that stay free on the disk


class NotAloneError(MemtrayError):
    """Somebody else has the database open."""

    title = "The database is in use"
    code = "in_use"
    status = 409


class NoRoomError(MemtrayError):
    """Compacting writes the database once more before it gives anything back."""

    title = "There is not enough room"
    code = "no_room"
    status = 409


@dataclass(frozen=True, slots=True)
class Size:
    """In bytes."""

    whole: int
    unused: int
    log: int

    @property
    def needed(self) -> int:
        """What has to be free: a copy in the folder for temporary files, one in the log."""
        return 2 * (self.whole - self.unused) + MARGIN


def size_of(path: Path) -> Size:
    """Return the size of a database; raise StoreUnavailableError."""
    with explained(path), closing(connect(path, query_only=True)) as connection:
        page, pages, free = (
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_size", "page_count", "freelist_count")
        )
    log = Path(f"{path}-wal")
    return Size(page * pages, page * free, log.stat().st_size if log.exists() else 0)


def require_alone(path: Path) -> None:
    """Raise NotAloneError naming the other programs that have the file open."""
    if others := users_of(path):
        raise NotAloneError(f"{path} is open in {others}: end that, then compact again")


def require_room(path: Path) -> None:
    """Raise NoRoomError where a copy would not fit."""
    needed = size_of(path).needed
    for folder in (path.parent, Path(tempfile.gettempdir())):
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise NoRoomError(
                f"{folder} has {free / 1e6:,.0f} MB of room, and this needs {needed / 1e6:,.0f} "
                "MB: free some space, or delete old backups"
            )


def compact(path: Path) -> None:
    """Give unused room back to the disk; ids and rows stay. Raises StoreUnavailableError.

    One transaction of SQLite's: kill -9 leaves the old file or the new.
    """
    with explained(path), closing(connect(path, query_only=False)) as connection:
        before = _rows(connection)
        connection.execute("PRAGMA secure_delete = ON")
        with suppress(sqlite3.DatabaseError):  # a damaged one only stays as large as it is
            forget_terms(connection)
        connection.execute("VACUUM")
        if _rows(connection) != before:
            raise MemtrayError(f"{path}: the rows are not those of before; restore a backup")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def empty_log(path: Path) -> bool:
    """Write the -wal file into the database and empty it; False while others still read it."""
    with explained(path), closing(connect(path, query_only=False)) as connection:
        (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy


def _rows(connection: sqlite3.Connection) -> list[object]:
    execute = connection.execute
    names = {name for (name,) in execute("SELECT name FROM sqlite_master")}
    wanted = [name for name in (*TABLES.values(), "sdk_sessions") if name in names]
    return [execute(f"SELECT count(*), max(id) FROM {name}").fetchone() for name in wanted]
