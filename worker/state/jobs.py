"""Long work that outlives a worker: what was asked, how far it came, which files are read."""

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from worker.shared.jobs import ImportPathsRequest, JobReply
from worker.state.database import has_table, reading, writing

_NO_FILES = "null"


@dataclass(frozen=True, slots=True)
class KeptJob:
    """A job as it was last noted."""

    request: ImportPathsRequest | None  # None: rows that came without files
    reply: JobReply


@dataclass(frozen=True, slots=True)
class Cursor:
    """A file that was read to its end, and one row by which that can be checked."""

    file: str
    size: int
    changed: float
    sidechains: bool
    job: str
    clean: bool  # all of it got in: other jobs need not read it either
    told: int  # rows by which a conversation is known again
    place: str = ""  # the table of the last of those; "" where there was none
    at: int = 0  # its time in milliseconds


def keep_job(path: Path, job: KeptJob, cursor: Cursor | None = None) -> None:
    """Note how far a job is, and the file that it has just read; raises StateUnavailableError."""
    with writing(path) as connection:
        note_job(connection, job)
        if cursor:
            values = (cursor.file, cursor.size, cursor.changed, cursor.sidechains, cursor.job,
                      cursor.clean, cursor.told, cursor.place, cursor.at)  # fmt: skip
            connection.execute(
                "INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values
            )


def note_job(connection: sqlite3.Connection, job: KeptJob) -> None:
    """Note how far a job is, in the transaction of the caller."""
    request = job.request.model_dump_json() if job.request else _NO_FILES
    connection.execute(
        "INSERT INTO jobs (id, request, reply) VALUES (?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET reply = excluded.reply",
        (job.reply.id, request, job.reply.model_dump_json()),
    )


def kept_jobs(path: Path, *, newest: int) -> list[KeptJob]:
    """Return the newest jobs, the newest first; raises StateUnavailableError."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "jobs"):
            return []
        sql = "SELECT request, reply FROM jobs ORDER BY number DESC LIMIT ?"
        return [
            KeptJob(
                ImportPathsRequest.model_validate_json(request) if request != _NO_FILES else None,
                JobReply.model_validate_json(reply),
            )
            for request, reply in connection.execute(sql, (newest,))
        ]


def drop_jobs(path: Path, *, but: Collection[str]) -> None:
    """Forget all jobs but these; raises StateUnavailableError."""
    with writing(path) as connection:
        marks = ", ".join("?" * len(but))
        connection.execute(f"DELETE FROM jobs WHERE id NOT IN ({marks})", tuple(but))


def cursors(path: Path, *, sidechains: bool) -> dict[str, Cursor]:
    """Return the files that were read, by their paths; raises StateUnavailableError."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "cursors"):
            return {}
        sql = (
            "SELECT file, size, changed, sidechains, job, clean, told, place, at FROM cursors"
            " WHERE sidechains = ?"
        )
        return {row[0]: Cursor(*row) for row in connection.execute(sql, (sidechains,))}


def forget_cursors(path: Path) -> None:
    """Have every file read again: something that was imported is gone."""
    with writing(path) as connection:
        connection.execute("DELETE FROM cursors")
