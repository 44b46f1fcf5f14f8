"""Conversations on their way in: what any session tells already is not told twice."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from worker.shared.portable import Row
from worker.store.entering import enter
from worker.store.removing import mark_of
from worker.store.writing import IMPORTED, OBSERVATIONS, SAVED, SESSIONS, Writer

SUMMARIES = "session_summaries"
PROMPTS = "user_prompts"

# By what a row that was imported is known again, whatever its session.
_KEYS = {PROMPTS: ("prompt_text",), OBSERVATIONS: ("title", "narrative")}


@dataclass(frozen=True, slots=True)
class Arrived:
    """How many rows were new, by table; `recorded` where claude-mem has the session itself."""

    added: Counter[str]
    known: int = 0
    recorded: bool = False
    marks: frozenset[bytes] = frozenset()  # of the rows that are new


def arrive(
    connection: sqlite3.Connection, rows: Sequence[Row], gone: Collection[bytes] = frozenset()
) -> Arrived:
    """Add one conversation, its session first, inside the transaction of the caller.

    A summary that tells less than this one is replaced; nothing else is changed. Rows whose marks
    are in `gone` were let go and stay out, and with them the summary, which would tell of them.
    """
    writer = Writer(connection)
    session = rows[0]
    if _is_recorded(writer, session["content_session_id"]):
        return Arrived(Counter(), recorded=True)
    told = [row for row in rows if row["table"] in _KEYS]
    let_go = [row for row in told if mark_of(row["table"], row) in gone]
    new = [row for row in told if row not in let_go and not _is_told(writer, row)]
    if not new:
        return Arrived(Counter(), known=len(told))
    summary = [row for row in rows if row["table"] == SUMMARIES and not let_go]
    _remove_older(writer, summary)
    entered = enter(connection, [session, *new, *summary])
    added = Counter(entered.added)
    marks = frozenset(mark for row in new if (mark := mark_of(row["table"], row)))
    known = len(told) - added[PROMPTS] - added[OBSERVATIONS]
    return Arrived(added, known=known, marks=marks)


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
    sql = f"SELECT memory_session_id FROM {SESSIONS} WHERE memory_session_id IS NOT NULL"
    sessions = [str(session) for (session,) in connection.execute(sql)]
    if any(session.startswith(IMPORTED) for session in sessions):
        return False
    return any(not session.startswith(SAVED) for session in sessions)


def _is_recorded(writer: Writer, content_session: str) -> bool:
    sql = f"SELECT memory_session_id FROM {SESSIONS} WHERE content_session_id = ?"
    found = writer.connection.execute(sql, (content_session,)).fetchall()
    return any(not str(memory or "").startswith(IMPORTED) for (memory,) in found)


def _is_told(writer: Writer, row: Row) -> bool:
    """Look for the same words of the same time: a conversation that goes on repeats its past."""
    table = row["table"]
    stored = writer.complete(table, row)
    names = [name for key in _KEYS[table] if (name := writer.name(table, key))]
    same = "".join(f" AND +{name} IS ?" for name in names)
    sql = f"SELECT 1 FROM {table} WHERE created_at_epoch IS ?{same} LIMIT 1"
    values = [stored.get(name) for name in ("created_at_epoch", *names)]
    return writer.connection.execute(sql, values).fetchone() is not None


def _remove_older(writer: Writer, summaries: Iterable[Row]) -> None:
    """Remove our own summaries of a session that has gone on since."""
    for row in summaries:
        memory = row["memory_session_id"]
        if memory.startswith(IMPORTED):
            writer.connection.execute(
                f"DELETE FROM {SUMMARIES} WHERE memory_session_id = ? AND created_at_epoch < ?",
                (memory, row["created_at_epoch"]),
            )
