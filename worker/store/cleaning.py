"""Texts of stored rows replaced by cleaner ones: only values change, and no trace is left."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worker.store.layout import columns_of
from worker.store.writing import OBSERVATIONS, SESSIONS, content_hash

# Columns that hold what somebody wrote; keys, names and hashes are not among them.
TEXTS: Mapping[str, tuple[str, ...]] = {
    OBSERVATIONS: (
        "text", "title", "subtitle", "facts", "narrative", "concepts", "files_read",
        "files_modified", "metadata",
    ),
    "session_summaries": (
        "request", "investigated", "learned", "completed", "next_steps", "files_read",
        "files_edited", "notes",
    ),
    "user_prompts": ("prompt_text",),
    SESSIONS: ("user_prompt", "custom_title"),
    "tool_uses": ("tool_input", "tool_response"),
    "pending_messages": (
        "tool_input", "tool_response", "last_user_message", "last_assistant_message",
    ),
}  # fmt: skip
PAGE = 200  # rows

Row = dict[str, Any]


def count(connection: sqlite3.Connection) -> int:
    """Return how many rows `pages` gives."""
    return sum(
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in TEXTS
        if columns_of(connection, table)
    )


def pages(connection: sqlite3.Connection) -> Iterator[tuple[str, list[Row]]]:
    """Yield all rows with text, some at a time, each as its id and its texts."""
    for table, wanted in TEXTS.items():
        columns = [name for name in wanted if name in columns_of(connection, table)]
        last = 0
        while columns and (rows := _page(connection, table, columns, last)):
            yield table, rows
            last = rows[-1]["id"]


def whole_rows(connection: sqlite3.Connection, table: str, ids: Sequence[int]) -> list[Row]:
    """Return rows with all their columns."""
    marks = ", ".join("?" * len(ids))
    cursor = connection.execute(f"SELECT * FROM {table} WHERE id IN ({marks})", ids)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def replace(connection: sqlite3.Connection, table: str, old: Row, new: Row) -> None:
    """Store a row's changed values, in the transaction of the caller.

    claude-mem's mark of the words follows them; where another memory has it, there is none.
    """
    changed = {name: value for name, value in new.items() if value != old[name]}
    if table == OBSERVATIONS and old.get("content_hash") == _hash(old):
        changed["content_hash"] = _hash(new)
    sets = ", ".join(f"{name} = ?" for name in changed)
    sql = f"UPDATE {table} SET {sets} WHERE id = ?"
    try:
        connection.execute(sql, [*changed.values(), old["id"]])
    except sqlite3.IntegrityError:
        if "content_hash" not in changed:
            raise
        connection.execute(sql, [*(changed | {"content_hash": None}).values(), old["id"]])


def forget_terms(connection: sqlite3.Connection) -> None:
    """Have claude-mem's own full-text tables drop what they keep of former words."""
    sql = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'"
    for (name,) in connection.execute(sql).fetchall():
        connection.execute(f"INSERT INTO {name}({name}) VALUES ('optimize')")


def _page(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], after: int
) -> list[Row]:
    sql = f"SELECT id, {', '.join(columns)} FROM {table} WHERE id > ? ORDER BY id LIMIT {PAGE}"
    names = ("id", *columns)
    return [dict(zip(names, row, strict=True)) for row in connection.execute(sql, (after,))]


def _hash(row: Row) -> str:
    words = (row.get(name) or "" for name in ("memory_session_id", "title", "narrative"))
    return content_hash(*map(str, words))
