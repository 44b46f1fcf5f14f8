"""What each import added, so that it can be undone, and which files were seen as they are."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from worker.state.database import has_table, reading, writing

Seen = tuple[int, float]  # bytes, and when the file was changed


def remember(path: Path, job: str, session: str, marks: Iterable[bytes]) -> None:
    """Keep the marks of rows that a job adds; raises StateUnavailableError."""
    with writing(path) as connection:
        rows = ((job, session, mark) for mark in marks)
        connection.executemany("INSERT INTO imported VALUES (?, ?, ?)", rows)


def remembered(path: Path, job: str) -> dict[str, set[bytes]]:
    """Return the marks by session; none for a job that added nothing, or is not known."""
    found: dict[str, set[bytes]] = {}
    with reading(path) as connection:
        if connection is not None and has_table(connection, "imported"):
            sql = "SELECT session, mark FROM imported WHERE job = ?"
            for session, mark in connection.execute(sql, (job,)):
                found.setdefault(session, set()).add(mark)
    return found


def forget_job(path: Path, job: str) -> None:
    """Forget a job that was undone."""
    with writing(path) as connection:
        connection.execute("DELETE FROM imported WHERE job = ?", (job,))


def seen_files(path: Path) -> dict[str, Seen]:
    """Return the files that the watch has read, as they were then."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "seen"):
            return {}
        rows = connection.execute("SELECT file, size, changed FROM seen")
        return {file: (size, changed) for file, size, changed in rows}


def keep_seen(path: Path, files: Mapping[str, Seen]) -> None:
    """Keep how files are that were just read."""
    with writing(path) as connection:
        rows = ((file, *seen) for file, seen in files.items())
        connection.executemany("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", rows)
