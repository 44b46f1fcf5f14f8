"""Verified copies of SQLite databases, made while others read and write them."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from worker.shared.errors import MemtrayError
from worker.store.connection import BUSY_SECONDS, connect

PAGES = 256  # a step; between two steps others get what is locked
MARGIN = 16 * 1024 * 1024  # bytes that stay free on the disk

Tick = Callable[[int, int], None]  # pages done, of how many; may pause, or raise to break off
Counts = Mapping[str, int]  # rows, by table

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class BackupError(MemtrayError):
    """A copy cannot be made; whatever was there before is as it was."""

    title = "The backup failed"
    code = "backup_failed"


class DamagedError(BackupError):
    """What should be copied is no database, or its content is damaged."""

    code = "database_damaged"


def quietly(_done: int, _total: int) -> None:
    """Let a copy run without a word."""


def copy_verified(source: Path, target: Path, *, tick: Tick = quietly) -> None:
    """Write what is committed in `source` now into the new file `target`, checked row by row.

    `target` appears whole or not at all. Raises BackupError.
    """
    if target.exists():
        raise BackupError(f"{target} exists already; choose another name, or move it away")
    scratch = target.with_name(f".{target.name}.partial")
    try:
        _discard(scratch)
        os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with told(source), snapshot(source) as reader:
            _require_room(target.parent, reader)
            expected = row_counts(reader)
            with closing(connect(scratch, query_only=False)) as writer:
                pour(reader, writer, tick)
                writer.execute("PRAGMA journal_mode = DELETE")  # no files beside it, ever
        _verify(scratch, source, expected)
        _settle(scratch, target)
    except OSError as exc:
        raise BackupError(f"{exc}; check that {target.parent} can be written") from exc
    finally:
        _discard(scratch)


@contextmanager
def snapshot(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection that sees one moment of the database, whoever writes meanwhile."""
    with closing(connect(path, query_only=True)) as connection:
        connection.execute("BEGIN")  # a copy in steps would begin anew after each write else
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield connection


def pour(source: sqlite3.Connection, target: sqlite3.Connection, tick: Tick) -> None:
    """Replace the whole content of `target` in one transaction of its own.

    Raises BackupError when another program holds it for longer than a writer waits.
    """
    waiting_since = time.monotonic()

    def progress(status: int, remaining: int, total: int) -> None:
        nonlocal waiting_since
        if status not in _LOCKED:
            waiting_since = time.monotonic()
            tick(total - remaining, total)
        elif time.monotonic() - waiting_since >= BUSY_SECONDS:
            raise BackupError("another program holds the database: wait for it, or stop it")

    source.backup(target, pages=PAGES, progress=progress, sleep=0.05)


def row_counts(connection: sqlite3.Connection) -> Counts:
    """Return the rows of each table, but those of full-text indexes, which are derived."""
    return {
        name: connection.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0]
        for name, quoted in _tables(connection).items()
    }


def require_sound(connection: sqlite3.Connection, path: Path) -> None:
    """Raise DamagedError unless SQLite finds every page of these tables in order."""
    for quoted in _tables(connection).values():
        (found,) = connection.execute(f"PRAGMA quick_check({quoted})").fetchone()
        if found != "ok":
            raise DamagedError(f"{path} is damaged: {str(found).partition(chr(10))[0][:200]}")


def _tables(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the names of ordinary tables, each as SQL quotes it."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    created = {str(name): str(sql) for name, sql in found.fetchall()}
    virtual = [f"{name}_" for name, sql in created.items() if sql.startswith("CREATE VIRTUAL")]
    return {
        name: '"' + name.replace('"', '""') + '"'
        for name in created
        if not f"{name}_".startswith(tuple(virtual))
    }


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what SQLite says about the file into BackupError or DamagedError."""
    try:
        yield
    except sqlite3.DatabaseError as exc:
        code = getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _DAMAGED:
            raise DamagedError(f"{path} is damaged, or no database: {exc}") from exc
        if code in _LOCKED:
            hint = "another program holds it: stop it, or try again when it has finished"
        elif code == sqlite3.SQLITE_FULL:
            hint = "the disk is full: free some space"
        else:
            hint = "check that it exists and that you may read it and write its folder"
        raise BackupError(f"{path}: {exc}; {hint}") from exc


def _require_room(folder: Path, reader: sqlite3.Connection) -> None:
    (pages,), (size,) = (
        reader.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
    )
    needed, free = pages * size + MARGIN, shutil.disk_usage(folder).free
    if free < needed:
        raise BackupError(
            f"{folder} has {free / 1e6:,.0f} MB of room, and this needs {needed / 1e6:,.0f} MB: "
            "free some space, or delete old backups"
        )


def _verify(copy: Path, source: Path, expected: Counts) -> None:
    with told(source), snapshot(copy) as reader:
        require_sound(reader, source)
        found = row_counts(reader)
    if found != expected:
        wrong = sorted(name for name in expected if found.get(name) != expected[name])
        raise DamagedError(f"{source}: the copy has not the rows of {', '.join(wrong)}")


def _settle(scratch: Path, target: Path) -> None:
    """Give the finished file its name once the disk has it."""
    with scratch.open("rb+") as file:
        os.fsync(file.fileno())
    scratch.replace(target)


def _discard(scratch: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        Path(f"{scratch}{suffix}").unlink(missing_ok=True)
