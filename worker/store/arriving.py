"""Conversations on their way in: what any session tells already is not told twice."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from worker.shared.portable import Row
from worker.store.entering import enter
from worker.store.marks import mark_of
from worker.store.removing import Raw, rewrite, summaries_until
from worker.store.writing import (
    IMPORTED,
    OBSERVATIONS,
    PROMPTS,
    SAVED,
    SESSIONS,
    SUMMARIES,
    UNDATED,
    Writer,
)

# By what a row that was imported is known again, whatever its session.
_KEYS = {PROMPTS: ("prompt_text",), OBSERVATIONS: ("title", "narrative")}
_NOTED_WITHIN_MS = 60_000  # claude-mem's hook notes a prompt at a time of its own


@dataclass(frozen=True, slots=True)
class Arrived:
    """How many rows were new, by table; `recorded` where claude-mem has the session itself."""

    added: Counter[str]
    known: int = 0
    recorded: bool = False
    marks: frozenset[bytes] = frozenset()  # of the rows that are new


def arrive(
    connection: sqlite3.Connection,
    rows: Sequence[Row],
    gone: Collection[bytes] = frozenset(),
    *,
    go_on: Callable[[], None] = lambda: None,
) -> Arrived:
    """Add one conversation, its session first, inside the transaction of the caller.

    A summary that tells less than this one tells as much now; nothing else is changed. Rows whose
    marks are in `gone` were let go and stay out, and so does the summary, which would tell of them.
    `go_on` is called before each row and may raise.
    """
    writer = Writer(connection)
    session = rows[0]
    if _is_recorded(writer, session["content_session_id"]) or _is_gone_on_with(writer, rows):
        return Arrived(Counter(), recorded=True)
    told = [row for row in rows if row["table"] in _KEYS]
    wanted = [row for row in _each(told, go_on) if mark_of(row["table"], row) not in gone]
    is_whole = len(wanted) == len(told)
    if not is_whole:  # the session would repeat the words of what was let go
        session = session | {"user_prompt": None, "custom_title": None}
    new = [row for row in _each(wanted, go_on) if not _is_told(writer, row)]
    if not new:
        return Arrived(Counter(), known=len(told))
    added = Counter(enter(connection, _each([session, *new], go_on)).added)
    for row in rows:
        if row["table"] == SUMMARIES and is_whole:
            older = summaries_until(connection, row["memory_session_id"], row["created_at_epoch"])
            added.update(_tell(connection, row, older))
    marks = frozenset(mark for row in new if (mark := mark_of(row["table"], row)))
    known = len(told) - added[PROMPTS] - added[OBSERVATIONS]
    return Arrived(added, known=known, marks=marks)


def _tell(
    connection: sqlite3.Connection, summary: Row, older: Sequence[tuple[str, Raw]]
) -> dict[str, int]:
    """Add a summary, or have it stand where an older one stood; return the count of its table."""
    if not older:
        return enter(connection, [summary]).added
    rewrite(connection, older, summary)
    return {SUMMARIES: 1}


def _each(rows: Iterable[Row], go_on: Callable[[], None]) -> Iterator[Row]:
    for row in rows:
        go_on()
        yield row


def is_known_by(row: Row) -> bool:
    """Say whether a row is one of those by which a conversation is known again."""
    return row["table"] in _KEYS


def holds(connection: sqlite3.Connection, table: str, at: int) -> bool:
    """Say whether a table has a row of a time in milliseconds: a backup may be older than it."""
    if table not in _KEYS:
        return False
    sql = f"SELECT 1 FROM {table} WHERE created_at_epoch = ? LIMIT 1"
    return connection.execute(sql, (at,)).fetchone() is not None


def holds_foreign(connection: sqlite3.Connection) -> bool:
    """Say whether somebody else has recorded here, and nothing was imported yet."""
    memory = Writer(connection).name(SESSIONS, "memory_session_id")
    sql = f"SELECT {memory} FROM {SESSIONS} WHERE {memory} IS NOT NULL"
    sessions = [str(session) for (session,) in connection.execute(sql)]
    if any(session.startswith(IMPORTED) for session in sessions):
        return False
    return any(not session.startswith(SAVED) for session in sessions)


def _is_recorded(writer: Writer, content_session: str) -> bool:
    memory, content = (
        writer.name(SESSIONS, f"{link}_session_id") for link in ("memory", "content")
    )
    sql = f"SELECT {memory} FROM {SESSIONS} WHERE {content} = ?"
    found = writer.connection.execute(sql, (content_session,)).fetchall()
    return any(not str(name or "").startswith(IMPORTED) for (name,) in found)


def _is_gone_on_with(writer: Writer, rows: Sequence[Row]) -> bool:
    """Say whether claude-mem records an imported session now: it has noted one of the prompts too.

    Sub-agents, whose conversations have no summary, are often told the same at the same time.
    """
    link = writer.name(PROMPTS, "content_session_id")
    if not link or not any(row["table"] == SUMMARIES for row in rows):
        return False
    told = {
        (row["created_at_epoch"], row["prompt_text"].strip())
        for row in rows
        if row["table"] == PROMPTS
    }
    sql = f"SELECT created_at_epoch, prompt_text FROM {PROMPTS} WHERE {link} = ?"
    stored = writer.connection.execute(sql, (rows[0]["content_session_id"],)).fetchall()
    noted = {(at, str(text).strip()) for at, text in stored} - told
    return any(
        words == text and abs(then - at) < _NOTED_WITHIN_MS
        for then, words in noted
        for at, text in told
    )


def _is_told(writer: Writer, row: Row) -> bool:
    """Look for the same words of the same time: a conversation that goes on repeats its past.

    What tells no time is known by its session and text: its title may name a project that not every
    export names.
    """
    table = row["table"]
    stored = writer.complete(table, row)
    undated = str(row.get("memory_session_id")).startswith(UNDATED)
    first = writer.name(table, "memory_session_id" if undated else "created_at_epoch")
    keys = [key for key in _KEYS[table] if not (undated and key == "title")]
    names = [name for key in keys if (name := writer.name(table, key))]
    same = "".join(f" AND +{name} IS ?" for name in names)
    sql = f"SELECT 1 FROM {table} WHERE {first} IS ?{same} LIMIT 1"
    values = [stored.get(name) for name in (first, *names) if name]
    return writer.connection.execute(sql, values).fetchone() is not None
