"""Whether the file is whole, and whether it is what it should be."""

import sqlite3
import threading
from collections.abc import Iterable

from worker.shared.refs import Kind
from worker.store.layout import TABLES, View

_FINDINGS = 3  # that are told; one is enough to know
_STEPS = 100_000  # of SQLite's machine between two looks whether to stop

# What a search cannot do without; all versions of claude-mem that we know have it.
_NEEDED = {
    Kind.OBSERVATION: ("project", "type", "title", "narrative", "created_at_epoch"),
    Kind.SESSION: ("project", "request", "learned", "created_at_epoch"),
    Kind.PROMPT: ("prompt_text", "created_at_epoch"),
}


def damage(view: View, stopping: threading.Event) -> str:
    """Return what `PRAGMA quick_check` finds in the tables that hold memories; slow.

    Only in those: claude-mem's own full-text tables may be damaged without any harm to memories.
    """
    found: list[str] = []
    view.connection.set_progress_handler(stopping.is_set, _STEPS)
    try:
        for table in (*TABLES.values(), "sdk_sessions"):
            if not _columns(view.connection, table):
                continue
            rows = view.connection.execute(f"PRAGMA quick_check('{table}')").fetchmany(_FINDINGS)
            found += [str(text).partition("\n")[0] for (text,) in rows if text != "ok"]
    except sqlite3.OperationalError as exc:
        if exc.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
    finally:
        view.connection.set_progress_handler(None, 0)
    return "; ".join(found[:_FINDINGS])


def missing(view: View) -> list[str]:
    """Return the tables, and the columns as table.column, that every claude-mem database has."""
    names: list[str] = []
    for kind, needed in _NEEDED.items():
        table = TABLES[kind]
        columns = _columns(view.connection, table)
        absent = [f"{table}.{name}" for name in needed if name not in columns]
        names += absent if columns else [table]
    return names


def _columns(connection: sqlite3.Connection, table: str) -> Iterable[str]:
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
