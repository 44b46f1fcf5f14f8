"""The file state.db: opened for a short while each time, so that it may be restored or replaced."""

import datetime as dt
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from worker.backup.copying import BackupError, DamagedError
from worker.shared.errors import StoreUnavailableError
from worker.state import earlier
from worker.store.connection import connect, explained, is_damaged, transaction

# What each version added; PRAGMA user_version counts those that a file has.
STEPS = (
    (
        "CREATE TABLE recalls (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL,"
        " client TEXT NOT NULL, tool TEXT NOT NULL, asked TEXT NOT NULL, filters TEXT NOT NULL,"
        " refs TEXT NOT NULL, tokens INTEGER NOT NULL, ms INTEGER NOT NULL,"
        " outcome TEXT NOT NULL, problem TEXT NOT NULL)",
        "CREATE INDEX recalls_by_time ON recalls (at)",
    ),
    (
        "CREATE TABLE projects (root TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
        "CREATE TABLE trash (id INTEGER PRIMARY KEY, batch TEXT NOT NULL, at INTEGER NOT NULL,"
        " label TEXT NOT NULL, place TEXT NOT NULL, row TEXT NOT NULL)",
        "CREATE INDEX trash_by_batch ON trash (batch)",
        "CREATE TABLE gone (mark BLOB PRIMARY KEY, batch TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE imported (job TEXT NOT NULL, session TEXT NOT NULL, mark BLOB NOT NULL)",
        "CREATE INDEX imported_by_job ON imported (job)",
        "CREATE TABLE seen (file TEXT PRIMARY KEY, size INTEGER NOT NULL, changed REAL NOT NULL)",
    ),
    (
        "CREATE TABLE excludes (id INTEGER PRIMARY KEY AUTOINCREMENT,"
        " pattern TEXT NOT NULL UNIQUE, at INTEGER NOT NULL)",
        "CREATE TABLE pauses (began INTEGER NOT NULL, ended INTEGER)",
    ),
    (
        "CREATE TABLE jobs (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
        " request TEXT NOT NULL, reply TEXT NOT NULL)",
        "CREATE TABLE cursors (file TEXT NOT NULL, size INTEGER NOT NULL, changed REAL NOT NULL,"
        " sidechains INTEGER NOT NULL, job TEXT NOT NULL, clean INTEGER NOT NULL,"
        " told INTEGER NOT NULL, place TEXT NOT NULL, at INTEGER NOT NULL,"
        " PRIMARY KEY (file, sidechains)) WITHOUT ROWID",
    ),
    (
        "CREATE TABLE entered (job TEXT NOT NULL, place TEXT NOT NULL, id INTEGER NOT NULL,"
        " mark BLOB NOT NULL, PRIMARY KEY (job, place, id)) WITHOUT ROWID",
    ),
)
TABLES = frozenset(
    {
        *("recalls", "projects", "trash", "gone", "imported", "seen", "excludes", "pauses"),
        *("jobs", "cursors", "entered"),
    }
)

_BUSY_MS = 1000  # whoever writes here can wait, and tries again

log = logging.getLogger(__name__)


class StateUnavailableError(StoreUnavailableError):
    title = "Memtray's own data cannot be used"
    code = "state_unavailable"


class StateDamagedError(StateUnavailableError):
    """The content is not what it was when it was written."""


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection in one transaction, the file made or brought up to date before.

    Raises StateUnavailableError; what the block wrote is then not there.
    """
    with _told(path):
        path.touch(mode=0o600)  # its -wal and -shm take the mode over
        with closing(connect(path, query_only=False)) as connection:
            connection.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA secure_delete = ON")  # what is cleared is not to be found
            _bring_up_to_date(connection, path)
            with transaction(connection):
                yield connection


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Give a connection that changes nothing; None where there is no file yet.

    A file of an older version is brought up to date before. Raises StateUnavailableError.
    """
    if not path.exists():
        yield None
        return
    with _told(path), closing(connect(path, query_only=True)) as connection:
        version = _version(connection)
        if 0 < version < len(STEPS):
            with writing(path):
                pass
        yield connection if version else None


@contextmanager
def kept_open(path: Path) -> Iterator[None]:
    """Spare those who open the file in the block its end: who closes it last empties its log.

    Raises StateUnavailableError.
    """
    with writing(path):
        pass
    with _told(path):
        connection = connect(path, query_only=True)
    with closing(connection):
        _version(connection)
        yield


def has_table(connection: sqlite3.Connection, name: str) -> bool:
    """Say whether a file, which an older Memtray may have made, has a table."""
    sql = "SELECT 1 FROM sqlite_master WHERE name = ?"
    return connection.execute(sql, (name,)).fetchone() is not None


def check(path: Path) -> None:
    """Look at every page; raise StateDamagedError or StateUnavailableError."""
    with reading(path) as connection:
        if connection is None:
            return
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise StateDamagedError(f"{path} is damaged: {str(found)[:200]}")
        _check_tables(connection, path)


def shrink_log(path: Path) -> None:
    """Empty the -wal file and delete copies, so that nothing that was deleted is left in them."""
    with _told(path), closing(connect(path, query_only=False)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        earlier.forget(path)


def set_aside(path: Path, *, now: dt.datetime) -> Path:
    """Give a damaged file another name, its log too, and return that; raise OSError."""
    aside = path.with_name(f"{path.name}.damaged-{now.astimezone(dt.UTC):%Y%m%dT%H%M%S.%fZ}")
    for suffix in ("-wal", "-shm"):
        beside = Path(f"{path}{suffix}")
        if beside.exists():
            beside.replace(f"{aside}{suffix}")
    path.replace(aside)
    log.warning("%s is damaged; it was set aside as %s", path, aside.name)
    return aside


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        with explained(path, StateUnavailableError):
            yield
    except StateDamagedError:
        raise
    except StateUnavailableError as exc:
        if is_damaged(exc.__cause__):
            raise StateDamagedError(f"{path} is damaged: {exc.__cause__}") from exc
        raise
    except OSError as exc:
        raise StateUnavailableError(f"{exc}; check who owns {path} and its folder") from exc


def _bring_up_to_date(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) < len(STEPS):
        with transaction(connection):
            done = _version(connection)  # another may have done it just now
            if 0 < done < len(STEPS):
                _keep_earlier(path, done)
            for statement in (line for step in STEPS[done:] for line in step):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {max(done, len(STEPS))}")
    if _version(connection) > len(STEPS):
        raise StateUnavailableError(f"{path} was written by a newer Memtray: update this one")
    _check_tables(connection, path)


def _keep_earlier(path: Path, version: int) -> None:
    """Copy the file while nobody else can write to it, and we have not yet."""
    try:
        earlier.keep(path, version)
    except DamagedError as exc:
        raise StateDamagedError(exc.detail) from exc
    except BackupError as exc:
        raise StateUnavailableError(f"no copy of {path} before its upgrade: {exc.detail}") from exc


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _check_tables(connection: sqlite3.Connection, path: Path) -> None:
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if missing := sorted(TABLES - there):
        raise StateDamagedError(f"{path} is damaged: it has no table {', '.join(missing)}")
