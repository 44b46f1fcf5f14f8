"""What an import added leaves again, and nothing else does."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from worker.ingest.transcripts.retelling import retell
from worker.shared.errors import NothingToUndoError
from worker.state.imports import forget_job, remembered
from worker.state.jobs import forget_cursors
from worker.store.removing import (
    empty_sessions,
    imported_rows,
    imported_sessions,
    remove,
    summaries_alone,
    summaries_of,
    summaries_telling_of,
    unchanged,
    unused,
)
from worker.store.store import Store
from worker.store.writing import SESSIONS

_PART = 500  # rows that are taken out together


def take_out(store: Store, state: Path, job: str) -> Counter[str]:
    """Remove what a job added; return how many rows that were, by table.

    A session of which something stays has its summary made anew. Raises NothingToUndoError for a
    job that is not known.
    """
    added = remembered(state, job)
    if not added:
        raise NothingToUndoError(f"no import {job[:40]} is known that has added anything")
    forget_cursors(state)
    removed: Counter[str] = Counter()
    with store.atomic() as connection:
        removed.update(_take_out_places(connection, added.places))
        for session, marks in added.marks.items():
            rows = imported_rows(connection, session, marks)
            remove(connection, rows)
            more = summaries_telling_of(connection, rows)
            if more:
                more = more[retell(connection, session, more) :]
            sessions = empty_sessions(connection, [*rows, *more])
            remove(connection, sessions)
            removed.update(table for table, _ in (*rows, *more, *sessions))
    forget_job(state, job)
    return removed


def _take_out_places(
    connection: sqlite3.Connection, places: Sequence[tuple[str, int, bytes]]
) -> list[str]:
    """Remove what still is as it came in, have no summary tell of it; return the tables."""
    removed = []
    touched: set[str] = set()
    records = [place for place in places if place[0] != SESSIONS]
    sessions = [place for place in places if place[0] == SESSIONS]
    for part in _parts(records):
        rows = unchanged(connection, part)
        remove(connection, rows)
        removed += [table for table, _ in rows]
        touched |= imported_sessions(connection, rows)
    for session in touched:
        if summaries := summaries_of(connection, [session]):
            told = retell(connection, session, summaries)
            removed += [table for table, _ in summaries[told:]]
    for part in _parts(sessions):
        made = unchanged(connection, part)
        alone = summaries_alone(connection, made)
        remove(connection, alone)
        idle = unused(connection, made)
        remove(connection, idle)
        removed += [table for table, _ in (*alone, *idle)]
    return removed


def _parts(
    places: Sequence[tuple[str, int, bytes]],
) -> Iterator[Sequence[tuple[str, int, bytes]]]:
    """Give them in parts, whose rows are in memory together."""
    return (places[at : at + _PART] for at in range(0, len(places), _PART))
