"""The summary of an imported session made anew, out of those of its records that stay."""

import json
import sqlite3
from collections.abc import Sequence

from worker.ingest.transcripts.summary import bullets, next_steps_in
from worker.ingest.transcripts.wording import first_line, shortened
from worker.shared.portable import Row
from worker.store.removing import Raw, remove, rewrite, staying
from worker.store.values import as_list, as_text
from worker.store.writing import OBSERVATIONS, PROMPTS, SESSIONS, iso


def retell(
    connection: sqlite3.Connection, session: str, summaries: Sequence[tuple[str, Raw]]
) -> int:
    """Have one of these summaries tell what stays of a session, and remove the others.

    `session` is Claude's own name for it. Where no observation stays there is nothing to tell.
    Returns how many summaries there are then, inside the transaction of the caller.
    """
    rows = staying(connection, session)
    if not rows[OBSERVATIONS]:
        remove(connection, summaries)
        return 0
    rewrite(connection, summaries, _summary(rows[SESSIONS], rows[PROMPTS], rows[OBSERVATIONS]))
    return 1


def _summary(sessions: Sequence[Raw], prompts: Sequence[Raw], observations: Sequence[Raw]) -> Row:
    """Return it as an import makes it, as far as records tell; its time is the last of theirs.

    Thus none is later than the one that the next import makes, which replaces it.
    """
    last = observations[-1]
    told = [row for row in observations if row.get("narrative")]
    done = [as_text(row["title"]) for row in told if _has_work(row)]
    learned = [as_text(row["title"]) for row in told if not _has_work(row)]
    titles = [title for row in sessions if (title := as_text(row.get("custom_title")))]
    questions = [first_line(as_text(row["prompt_text"])) for row in prompts]
    read, edited = (_paths(observations, column) for column in ("files_read", "files_modified"))
    return {
        "project": last["project"],
        "request": shortened([*titles, *questions, ""][0], 300),
        "investigated": shortened(", ".join(read), 1_000) or None,
        "learned": bullets(learned) or None,
        "completed": bullets(done) or None,
        "notes": None,
        "next_steps": next_steps_in(as_text(last.get("narrative"))) or None,
        "files_read": json.dumps(read[:100], ensure_ascii=False),
        "files_edited": json.dumps(edited[:100], ensure_ascii=False),
        "prompt_number": last.get("prompt_number"),
        "created_at": iso(last["created_at_epoch"]),
        "created_at_epoch": last["created_at_epoch"],
    }


def _has_work(row: Raw) -> bool:
    return bool(as_list(row.get("files_modified")) or as_list(row.get("facts")))


def _paths(rows: Sequence[Raw], column: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for row in rows for path in as_list(row.get(column))))
