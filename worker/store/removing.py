"""Rows on their way out for good, kept as they are so that they can be put back."""

import base64
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from worker.shared.refs import Ref
from worker.store.layout import TABLES, View, columns_of
from worker.store.marks import content_mark, mark_of
from worker.store.writing import (
    IMPORTED,
    OBSERVATIONS,
    PROMPTS,
    SESSIONS,
    SUMMARIES,
    Values,
    Writer,
)

Raw = dict[str, Any]  # every column by its name in the file; bytes as {"base64": …}

_BATCH = 500
_LINKS = ("memory_session_id", "content_session_id")


def refs_of(view: View, project: str) -> list[Ref]:
    """Return all records of a project."""
    found = []
    for kind, source in view.sources.items():
        sql = f"SELECT t.id FROM {source.table} t WHERE {source.in_project}"
        ids = view.connection.execute(sql, {"project": project})
        found += [Ref(kind, id_) for (id_,) in ids]
    return found


def rows_of(connection: sqlite3.Connection, refs: Sequence[Ref]) -> list[tuple[str, Raw]]:
    """Return those of the records that exist, with the name of their table."""
    found = []
    for kind, table in TABLES.items():
        ids = [ref.id for ref in refs if ref.kind is kind]
        found += [(table, row) for row in _select(connection, table, "id", ids)]
    return found


def imported_rows(
    connection: sqlite3.Connection, session: str, marks: Collection[bytes]
) -> list[tuple[str, Raw]]:
    """Return those rows of a session that have these marks.

    `session` is Claude's own name for it.
    """
    writer = Writer(connection)
    names = {"memory_session_id": f"{IMPORTED}{session}", "content_session_id": session}
    found = []
    for table in TABLES.values():
        for link, value in names.items():
            if name := writer.name(table, link):
                rows = _select(connection, table, name, [value])
                found += [(table, row) for row in rows if mark_of(table, row) in marks]
    return found


def marked(
    connection: sqlite3.Connection, places: Iterable[tuple[str, int]]
) -> list[tuple[str, int, bytes]]:
    """Return places, as table and id, each with the mark of what stands there now."""
    return [(table, row["id"], content_mark(table, row)) for table, row in _at(connection, places)]


def unchanged(
    connection: sqlite3.Connection, places: Collection[tuple[str, int, bytes]]
) -> list[tuple[str, Raw]]:
    """Return the rows that still tell what their marks say."""
    marks = {(table, id_): mark for table, id_, mark in places}
    found = _at(connection, marks)
    return [(table, row) for table, row in found
            if content_mark(table, row) == marks[table, row["id"]]]  # fmt: skip


def unused(
    connection: sqlite3.Connection, sessions: Iterable[tuple[str, Raw]]
) -> list[tuple[str, Raw]]:
    """Return those sessions that hold nothing."""
    writer = Writer(connection)
    return [(table, row) for table, row in sessions if not _is_used(writer, row)]


def summaries_alone(
    connection: sqlite3.Connection, sessions: Iterable[tuple[str, Raw]]
) -> list[tuple[str, Raw]]:
    """Return the summaries that imports made of those sessions which hold nothing else."""
    writer = Writer(connection)
    name = writer.name(SESSIONS, "memory_session_id") or ""
    bare = [row for _, row in sessions if not _is_used(writer, row, (OBSERVATIONS, PROMPTS))]
    return _imported_summaries(connection, [str(row.get(name) or "") for row in bare])


def summaries_telling_of(
    connection: sqlite3.Connection, rows: Iterable[tuple[str, Raw]]
) -> list[tuple[str, Raw]]:
    """Return the summaries that an import made of records, which tell of each of them."""
    return summaries_of(connection, imported_sessions(connection, rows))


def summaries_of(connection: sqlite3.Connection, sessions: Iterable[str]) -> list[tuple[str, Raw]]:
    """Return the summaries that imports made of sessions, by Claude's own names for them."""
    return _imported_summaries(connection, [f"{IMPORTED}{name}" for name in sorted(sessions)])


def imported_sessions(connection: sqlite3.Connection, rows: Iterable[tuple[str, Raw]]) -> set[str]:
    """Return the imported sessions of observations and prompts, by Claude's own names for them."""
    writer = Writer(connection)
    sessions = set()
    for table, row in rows:
        memory = str(row.get(writer.name(table, "memory_session_id") or ""))
        if table == PROMPTS:
            sessions.add(str(row.get(writer.name(table, "content_session_id") or "")))
        elif table == OBSERVATIONS and memory.startswith(IMPORTED):
            sessions.add(memory.removeprefix(IMPORTED))
    return sessions


def summaries_until(connection: sqlite3.Connection, memory: str, at: int) -> list[tuple[str, Raw]]:
    """Return the summaries of a session that imports made of times up to one in milliseconds."""
    found = _imported_summaries(connection, [memory])
    return [(table, row) for table, row in found if row["created_at_epoch"] <= at]


def staying(connection: sqlite3.Connection, session: str) -> dict[str, list[Raw]]:
    """Return what is there of an imported session, by table, the oldest first.

    That is the session, its prompts, and its observations but claude-mem's own. `session` is
    Claude's own name for it.
    """
    writer = Writer(connection)
    names = {"memory_session_id": f"{IMPORTED}{session}", "content_session_id": session}
    links = dict.fromkeys((SESSIONS, OBSERVATIONS), "memory_session_id")
    found = {}
    for table, link in (links | {PROMPTS: "content_session_id"}).items():
        name = writer.name(table, link)
        rows = _select(connection, table, name, [names[link]]) if name else []
        ours = [row for row in rows if not row.get("discovery_tokens")]
        found[table] = sorted(ours, key=lambda row: row.get("created_at_epoch") or 0)
    return found


def remove(connection: sqlite3.Connection, rows: Iterable[tuple[str, Raw]]) -> None:
    """Delete rows by their ids, inside the transaction of the caller."""
    for table, row in rows:
        connection.execute(f"DELETE FROM {table} WHERE id = ?", (row["id"],))


def rewrite(
    connection: sqlite3.Connection, rows: Sequence[tuple[str, Raw]], values: Values
) -> None:
    """Write values over the oldest of these rows of one table, and delete the others."""
    (table, oldest), *others = sorted(rows, key=lambda each: int(each[1]["id"]))
    remove(connection, others)
    Writer(connection).change(table, oldest["id"], values)


def empty_sessions(
    connection: sqlite3.Connection, rows: Iterable[tuple[str, Raw]]
) -> list[tuple[str, Raw]]:
    """Return the sessions of rows that were just deleted which hold nothing any more."""
    writer = Writer(connection)
    found: dict[int, Raw] = {}
    for link in _LINKS:
        name = writer.name(SESSIONS, link)
        named = [row[column] for table, row in rows
                 if (column := writer.name(table, link)) and row.get(column)]  # fmt: skip
        if name:
            found |= {row["id"]: row for row in _select(connection, SESSIONS, name, named)}
    return [(SESSIONS, row) for row in found.values() if not _is_used(writer, row)]


def put_back(connection: sqlite3.Connection, rows: Sequence[tuple[str, Raw]]) -> int:
    """Insert rows as they were, sessions first; return how many were not there already."""
    count = 0
    for table, row in sorted(rows, key=lambda each: each[0] != SESSIONS):
        known = columns_of(connection, table)
        values = {name: _read(value) for name, value in row.items() if name in known}
        sql = (
            f"INSERT OR IGNORE INTO {table} ({', '.join(values)}) "
            f"VALUES ({', '.join('?' * len(values))})"
        )
        count += connection.execute(sql, list(values.values())).rowcount
    return count


def _at(connection: sqlite3.Connection, places: Iterable[tuple[str, int]]) -> list[tuple[str, Raw]]:
    ids: dict[str, list[int]] = {}
    for table, id_ in places:
        ids.setdefault(table, []).append(id_)
    return [(table, row) for table, wanted in ids.items()
            for row in _select(connection, table, "id", wanted)]  # fmt: skip


def _imported_summaries(
    connection: sqlite3.Connection, memories: Iterable[str]
) -> list[tuple[str, Raw]]:
    """Return the summaries of imported sessions but claude-mem's own, which cost it tokens.

    It writes into an imported session that somebody goes on with.
    """
    table = SUMMARIES
    if not (name := Writer(connection).name(table, "memory_session_id")):
        return []
    ours = [memory for memory in memories if memory.startswith(IMPORTED)]
    rows = _select(connection, table, name, ours)
    return [(table, row) for row in rows if not row.get("discovery_tokens")]


def _select(
    connection: sqlite3.Connection, table: str, column: str, values: Sequence[object]
) -> list[Raw]:
    rows = []
    for start in range(0, len(values), _BATCH):
        part = values[start : start + _BATCH]
        sql = f"SELECT * FROM {table} WHERE {column} IN ({', '.join('?' * len(part))})"
        cursor = connection.execute(sql, part)
        names = [column[0] for column in cursor.description]
        rows += [dict(zip(names, map(_written, row), strict=True)) for row in cursor]
    return rows


def _is_used(
    writer: Writer, session: Raw, tables: Collection[str] = tuple(TABLES.values())
) -> bool:
    for table in tables:
        for link in _LINKS:
            column, own = writer.name(table, link), writer.name(SESSIONS, link)
            value = session.get(own) if own else None
            if column and value and writer.first(table, "id", **{link: value}) is not None:
                return True
    return False


def _written(value: object) -> object:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def _read(value: object) -> object:
    return base64.b64decode(value["base64"]) if isinstance(value, dict) else value
