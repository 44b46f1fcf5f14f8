"""SQLite connections as the whole store uses them: one a thread, each with the same settings."""

import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from worker.shared.errors import RefusedError, StoreUnavailableError
from worker.store.users import users_of

BUSY_SECONDS = 5.0
_ASK_SECONDS = (0.002, 0.008)

_REMEDIES = {
    sqlite3.SQLITE_NOTADB: "it is no SQLite database: move it aside, or restore a backup",
    sqlite3.SQLITE_CORRUPT: (
        "it is damaged: stop the programs that use it, copy it with its -wal file, restore a backup"
        " (memtray-worker restore)"
    ),
    sqlite3.SQLITE_BUSY: "another program holds it: try again when that one has finished",
    sqlite3.SQLITE_CANTOPEN: "check that it exists and that you may read it and write its folder",
    sqlite3.SQLITE_READONLY: "it or its folder may not be written: check who owns them",
    sqlite3.SQLITE_FULL: "the disk is full: free some space",
    sqlite3.SQLITE_IOERR: "the disk does not answer as it should: check it and its free space",
}
_FULL_TEXT = (  # which only claude-mem reads, and which each write has to change
    "the memories in it are whole, claude-mem's own full-text table is not, and nothing can be "
    "stored until it is rebuilt: INSERT INTO observations_fts(observations_fts) VALUES('rebuild')"
)


def connect(path: Path, *, query_only: bool) -> sqlite3.Connection:
    """Return a connection in autocommit mode to an existing file; it never creates one.

    Text that is no UTF-8 is read with replacement characters. What is written is on the disk
    before COMMIT returns, so that it survives a power loss, not only the end of the process; of
    reading that asks nothing. Raises sqlite3.DatabaseError.
    """
    mode = "rw" if os.access(path, os.W_OK) else "ro"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # Connections.close() closes those of all threads
    )
    connection.text_factory = _decode
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: the disk's own cache, too
    if query_only:
        connection.execute("PRAGMA query_only = ON")
    return connection


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "replace")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Run the block in BEGIN IMMEDIATE: all of it is stored, or, on any error, nothing."""
    _begin(connection)
    try:
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _begin(connection: sqlite3.Connection) -> None:
    """Begin to write, asking every few milliseconds for BUSY_SECONDS whether others let go.

    SQLite itself asks ever more seldom, up to ten times a second, and so never gets a turn beside
    programs that write one row after the other.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as exc:
                held = exc.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not held or time.monotonic() > deadline:
                    raise
                time.sleep(random.uniform(*_ASK_SECONDS))  # noqa: S311 - only so that two differ
            else:
                return
    finally:
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


@contextmanager
def explained(
    path: Path, error: type[StoreUnavailableError] = StoreUnavailableError
) -> Iterator[None]:
    """Turn what SQLite says about the file into an error with path and remedy.

    A row that it refuses is a RefusedError.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # not the file's fault
    except sqlite3.IntegrityError as exc:
        raise RefusedError(f"{path}: {exc}; nothing was written") from exc
    except sqlite3.DatabaseError as exc:
        code = getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        usual = _REMEDIES.get(code & 0xFF, "see the health report, or restore a backup")
        remedy = _FULL_TEXT if code == sqlite3.SQLITE_CORRUPT_VTAB else usual
        if code == sqlite3.SQLITE_BUSY and (names := users_of(path)):
            remedy = f"in use by {names}: try again when that has finished"
        raise error(f"{path}: {exc}; {remedy}") from exc


def is_damaged(exc: BaseException | None) -> bool:
    """Say whether an error of SQLite means that the file itself is damaged."""
    code = getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_OK)
    damaged = code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return damaged and code != sqlite3.SQLITE_CORRUPT_VTAB


def identity(path: Path) -> int:
    """Return a number that another file in the same place does not have."""
    try:
        status = path.stat()
    except OSError as exc:
        raise StoreUnavailableError(
            f"{path}: {exc.strerror}; check that it exists, put it back, or restart the worker"
        ) from exc
    return hash((status.st_dev, status.st_ino))


class Connections:
    """The connections to one file, a reading and a writing one for each thread that asks."""

    def __init__(self, path: Path, prepare: Callable[[sqlite3.Connection], None]) -> None:
        self._path = path
        self._prepare = prepare
        self._lock = threading.Lock()
        self._open: dict[tuple[threading.Thread, bool], _Connected] | None = None

    def open(self) -> None:
        """Let threads connect from now on."""
        with self._lock:
            if self._open is None:
                self._open = {}

    def get(self, *, query_only: bool) -> sqlite3.Connection:
        """Return this thread's own connection to the file that is there now.

        Raises StoreUnavailableError when closed, or when the file is gone.
        """
        known = self._open
        if known is None:
            raise StoreUnavailableError(f"{self._path} is not open: the worker starts or stops")
        key = (threading.current_thread(), query_only)
        file = hash((identity(self._path), os.access(self._path, os.W_OK)))
        mine = known.get(key)
        if mine and mine.file != file:  # another file was put in its place, or its rights changed
            known.pop(key).connection.close()
            mine = None
        return (mine or self._add(key, file)).connection

    def close(self) -> None:
        """Close the connections of all threads; no thread may be in the middle of a query."""
        with self._lock:
            connections, self._open = self._open or {}, None
            for each in connections.values():
                each.connection.close()

    def _add(self, key: tuple[threading.Thread, bool], file: int) -> "_Connected":
        connection = connect(self._path, query_only=key[1])
        self._prepare(connection)
        with self._lock:
            if self._open is None:
                connection.close()
                raise StoreUnavailableError(f"{self._path} was closed: the worker stops")
            for gone in [other for other in self._open if not other[0].is_alive()]:
                self._open.pop(gone).connection.close()
            connected = self._open[key] = _Connected(file, connection)
        return connected


class _Connected(NamedTuple):
    file: int  # the identity of the file that it reads, and whether that may be written
    connection: sqlite3.Connection
