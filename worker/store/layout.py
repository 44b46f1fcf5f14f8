"""Where a file keeps what: claude-mem's versions differ, so columns are looked up, not known."""

import sqlite3
from dataclasses import dataclass

from worker.shared.refs import Kind
from worker.store.records import FIELDS, TITLE_FIELDS

TABLES = {
    Kind.OBSERVATION: "observations",
    Kind.SESSION: "session_summaries",
    Kind.PROMPT: "user_prompts",
}
ORDER = {kind: code for code, kind in enumerate(TABLES)}  # within one millisecond
TITLE_CHARACTERS = 1000  # of a prompt that has to stand for itself

_SESSIONS = "sdk_sessions"
_OLD_NAMES = {"memory_session_id": "sdk_session_id", "content_session_id": "claude_session_id"}
_BLANKS = "".join(char for char in map(chr, range(0x3001)) if char.isspace())


@dataclass(frozen=True, slots=True)
class Source:
    """The table of one kind of record; from `epoch` on, SQL expressions over the alias t."""

    kind: Kind
    table: str
    fields: tuple[str, ...]  # the content columns that the file has, in reading order
    epoch: str  # as stored, with an index
    created: str
    project: str
    merged: str  # the project it was merged into
    type: str
    title: str
    session: str
    platform: str
    number: str  # of the prompt
    near_project: str  # a condition on :project that an index answers, and that may let more pass
    in_project: str  # the same, exact

    @property
    def ms(self) -> str:
        """The time of any row in milliseconds; has no index."""
        epoch = f"CASE typeof({self.epoch}) WHEN 'text' THEN CAST({self.epoch} AS BLOB)"
        return f"memtray_ms({epoch} ELSE {self.epoch} END, CAST({self.created} AS BLOB))"


@dataclass(frozen=True, slots=True)
class View:
    """A connection, and what it finds in the file."""

    connection: sqlite3.Connection
    sources: dict[Kind, Source]  # in the order O, S, P; kinds without a table are absent


def read_sources(connection: sqlite3.Connection) -> dict[Kind, Source]:
    """Return the kinds of records that the file can hold, from PRAGMA table_info."""
    sessions = columns_of(connection, _SESSIONS)
    columns = {kind: columns_of(connection, table) for kind, table in TABLES.items()}
    return {
        kind: _source(kind, names, sessions) for kind, names in columns.items() if "id" in names
    }


def columns_of(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the names of the columns that a table has; none where there is no such table."""
    return frozenset(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))


def _source(kind: Kind, columns: frozenset[str], sessions: frozenset[str]) -> Source:
    def column(name: str) -> str:
        return named_column("t", name, columns)

    def of_session(name: str) -> str:
        return _of_session(name, columns, sessions) if kind is Kind.PROMPT else column(name)

    near = _near_project(kind, columns, sessions)
    exact = f"{of_session('project')} = :project"
    return Source(
        kind=kind,
        table=TABLES[kind],
        fields=tuple(name for name in FIELDS[kind] if name in columns),
        epoch=column("created_at_epoch"),
        created=column("created_at"),
        project=of_session("project"),
        merged=column("merged_into_project"),
        type=column("type") if kind is Kind.OBSERVATION else f"'{kind}'",
        title=_title(kind, columns),
        session=of_session("memory_session_id"),
        platform=_platform(kind, columns, sessions),
        number=column("prompt_number"),
        near_project=near,
        in_project=f"({near} AND {exact})" if kind is Kind.PROMPT else near,
    )


def read_platforms(connection: sqlite3.Connection) -> list[str]:
    """Return the programs that sessions were held in, as claude-mem names them."""
    if "platform_source" not in columns_of(connection, _SESSIONS):
        return []
    rows = connection.execute(f"SELECT DISTINCT platform_source FROM {_SESSIONS}")
    return [name for (name,) in rows if isinstance(name, str)]


def _platform(kind: Kind, columns: frozenset[str], sessions: frozenset[str]) -> str:
    """Return the program that the session of a record was held in."""
    name = "platform_source"
    if kind is Kind.PROMPT:
        return _of_session(name, columns, sessions)
    ours = named_column("t", "memory_session_id", columns)
    theirs = named_column("s", "memory_session_id", sessions)
    if "NULL" in (ours, theirs):
        return "NULL"
    platform = named_column("s", name, sessions)
    return f"(SELECT {platform} FROM {_SESSIONS} s WHERE {theirs} = {ours} LIMIT 1)"


def former_name(column: str) -> str | None:
    """Return what claude-mem called a column before it was renamed; None if it never was."""
    return _OLD_NAMES.get(column)


def named_column(alias: str, name: str, columns: frozenset[str]) -> str:
    """Return the column under its present or former name, NULL where there is none."""
    known = (each for each in (name, _OLD_NAMES.get(name)) if each in columns)
    return next((f"{alias}.{each}" for each in known), "NULL")


def _of_session(name: str, columns: frozenset[str], sessions: frozenset[str]) -> str:
    """Return a column of the session that a prompt belongs to: by its row, else by its name."""
    wanted = f"SELECT {named_column('s', name, sessions)} FROM {_SESSIONS} s WHERE"
    ways = [
        f"({wanted} {theirs} = {ours} ORDER BY s.id LIMIT 1)"
        for ours, theirs in _links(columns, sessions)
    ]
    return f"COALESCE({', '.join([*ways, 'NULL', 'NULL'])})"


def _links(columns: frozenset[str], sessions: frozenset[str]) -> list[tuple[str, str]]:
    """Return the pairs of columns that tie a prompt to its session in this file."""
    pairs = (
        (named_column("t", ours, columns), named_column("s", theirs, sessions))
        for ours, theirs in (("session_db_id", "id"), ("content_session_id",) * 2)
    )
    return [pair for pair in pairs if "NULL" not in pair]


def _near_project(kind: Kind, columns: frozenset[str], sessions: frozenset[str]) -> str:
    if kind is Kind.PROMPT:
        project = named_column("s", "project", sessions)
        ways = [
            f"{ours} IN (SELECT {theirs} FROM {_SESSIONS} s WHERE {project} = :project)"
            for ours, theirs in _links(columns, sessions)
        ]
    else:
        names = ("project", "merged_into_project")
        ways = [f"t.{name} = :project" for name in names if name in columns]
    return f"({' OR '.join(ways or ['0'])})"


def _title(kind: Kind, columns: frozenset[str]) -> str:
    texts = [
        f"NULLIF(TRIM(t.{name}, '{_BLANKS}'), '')" for name in TITLE_FIELDS[kind] if name in columns
    ]
    return f"SUBSTR(COALESCE({', '.join([*texts, 'NULL', 'NULL'])}), 1, {TITLE_CHARACTERS})"
