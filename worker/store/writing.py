"""Rows as claude-mem itself writes them, into whatever columns the file has."""

import datetime as dt
import hashlib
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from worker.shared.errors import ReadOnlyError
from worker.store.layout import former_name

Values = Mapping[str, object]  # by claude-mem's present names
Row = dict[str, object]  # by the names in this file

SESSIONS = "sdk_sessions"
OBSERVATIONS = "observations"
SUMMARIES = "session_summaries"
PROMPTS = "user_prompts"
PLATFORM = "claude"
SUBTITLE = "Manual memory"
IMPORTED = "memtray-"  # how the memory session of an imported conversation begins
UNDATED = f"{IMPORTED}claude-ai-memory-"  # those of what tells no time: its words say what it is
SAVED = "manual-"  # and that of memories saved by hand

# What goes into a column that must not be empty in this file and is, in the row to be written.
_FILL: Values = {
    "content_session_id": "",
    "project": "",
    "text": "",
    "type": "discovery",
    "prompt_text": "",
    "prompt_number": 0,
    "started_at": "",
    "started_at_epoch": 0,
    "status": "active",
    "created_at": "",
    "created_at_epoch": 0,
}


@dataclass(frozen=True, slots=True)
class NewMemory:
    """One memory that a person saves by hand."""

    text: str
    title: str
    project: str
    type: str
    concepts: tuple[str, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """Where a memory is; `new` is false where the very same one was there already."""

    id: int
    created_at_epoch: int  # milliseconds
    new: bool


class Writer:
    """Adds rows inside one transaction, by the columns that the file has right now."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._tables: dict[str, dict[str, bool]] = {}
        self._names: dict[tuple[str, str], str | None] = {}

    def columns(self, table: str) -> dict[str, bool]:
        """Return the columns of a table, true for those that demand a value."""
        if table not in self._tables:
            rows = self.connection.execute(f"PRAGMA table_info({table})").fetchall()
            self._tables[table] = {
                name: bool(not_null and default is None and not key)
                for _, name, _, not_null, default, key in rows
            }
        return self._tables[table]

    def name(self, table: str, column: str) -> str | None:
        """Return what a column is called in this file; None where there is none."""
        key = (table, column)
        if key not in self._names:
            names = (column, former_name(column))
            self._names[key] = next((name for name in names if name in self.columns(table)), None)
        return self._names[key]

    def first(self, table: str, wanted: str, **where: object) -> int | None:
        """Return a whole number from the first row, by id, that has these values.

        A column that the table does not have is not asked for.
        """
        known = {name: value for key, value in where.items() if (name := self.name(table, key))}
        conditions = " AND ".join(f"{name} IS ?" for name in known)
        sql = f"SELECT {wanted} FROM {table} WHERE {conditions} ORDER BY id LIMIT 1"
        found = self.connection.execute(sql, list(known.values())).fetchone()
        return None if found is None else int(found[0])

    def complete(self, table: str, values: Values) -> Row:
        """Return the row that is stored: what the table has columns for, and what it demands.

        Raises ReadOnlyError where a column that we do not know demands a value.
        """
        row = self._named(table, values)
        for name, demanded in self.columns(table).items():
            if demanded and row.get(name) is None:
                row[name] = self._fill(table, name)
        return row

    def insert(self, table: str, row: Row) -> int:
        """Insert one row that is complete, and return its id."""
        marks = ", ".join("?" * len(row))
        sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
        id_ = self.connection.execute(sql, list(row.values())).lastrowid
        assert id_ is not None  # noqa: S101 - of an INSERT
        return id_

    def add(self, table: str, values: Values) -> int:
        """Complete and insert one row, and return its id."""
        return self.insert(table, self.complete(table, values))

    def change(self, table: str, id_: int, values: Values) -> None:
        """Write values over those of a row, which keeps its id; claude-mem may sync it again."""
        row = self._named(table, {"synced_at": None, **values, "id": id_})
        for name, value in row.items():
            if value is None and self.columns(table)[name]:
                row[name] = self._fill(table, name)
        assigned = ", ".join(f"{name} = :{name}" for name in row)
        self.connection.execute(f"UPDATE {table} SET {assigned} WHERE id = :id", row)

    def _named(self, table: str, values: Values) -> Row:
        """Return the values that the table has a column for, by its name there."""
        return {name: value for key, value in values.items() if (name := self.name(table, key))}

    def _fill(self, table: str, column: str) -> object:
        for known, value in _FILL.items():
            if column in (known, former_name(known)):
                return value
        raise ReadOnlyError(
            f"{table}.{column} demands a value that Memtray does not know, so it only reads this "
            "database; update Memtray"
        )


def save(connection: sqlite3.Connection, memory: NewMemory, *, now: int) -> Saved:
    """Write one memory, and the session of its project where there is none yet.

    `now` is in milliseconds. The same title and text are kept once in a project.
    """
    writer = Writer(connection)
    session = _session(writer, memory.project, now)
    content = content_hash(session, memory.title, memory.text)
    if writer.name(OBSERVATIONS, "content_hash"):
        key: dict[str, object] = {"memory_session_id": session, "content_hash": content}
    else:
        key = {"memory_session_id": session, "title": memory.title, _text(writer): memory.text}
    known = writer.first(OBSERVATIONS, "id", **key)
    if known is not None:
        at = writer.first(OBSERVATIONS, "created_at_epoch", id=known)
        return Saved(known, at or 0, new=False)
    row = {
        "memory_session_id": session,
        "project": memory.project,
        "type": memory.type,
        "title": memory.title,
        "subtitle": SUBTITLE,
        _text(writer): memory.text,
        "facts": "[]",
        "concepts": json.dumps(memory.concepts, ensure_ascii=False),
        "files_read": json.dumps(memory.files, ensure_ascii=False),
        "files_modified": "[]",
        "discovery_tokens": 0,
        "content_hash": content,
        "created_at": iso(now),
        "created_at_epoch": now,
    }
    return Saved(writer.add(OBSERVATIONS, row), now, new=True)


def content_hash(session: str, title: str, narrative: str) -> str:
    """Return the mark by which claude-mem knows a memory that a session already has."""
    return hashlib.sha256("\0".join((session, title, narrative)).encode()).hexdigest()[:16]


def iso(ms: int) -> str:
    """Return a time as claude-mem writes it, `2026-03-14T08:30:00.000Z`."""
    moment = dt.datetime.fromtimestamp(ms / 1000, dt.UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _text(writer: Writer) -> str:
    """Return the column of the words; the oldest files have no other than `text`, and demand it."""
    columns = writer.columns(OBSERVATIONS)
    return "text" if "narrative" not in columns or columns.get("text") else "narrative"


def _session(writer: Writer, project: str, now: int) -> str:
    """Return the session that holds what is saved by hand in a project, made where missing."""
    session = f"{SAVED}{project}-{PLATFORM}"
    if writer.first(SESSIONS, "id", memory_session_id=session) is None:
        row = {
            "content_session_id": f"manual-content-{project}-{PLATFORM}",
            "memory_session_id": session,
            "project": project,
            "platform_source": PLATFORM,
            "started_at": iso(now),
            "started_at_epoch": now,
            "status": "active",
        }
        writer.add(SESSIONS, row)
    return session
