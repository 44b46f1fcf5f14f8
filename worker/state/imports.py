"""What each import added, so that it can be undone, and which files were seen as they are."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from worker.state.database import has_table, reading, writing
from worker.state.jobs import KeptJob, note_job

Seen = tuple[int, float]  # bytes, and when the file was changed


@dataclass(slots=True)
class Additions:
    """What one transaction adds to the memories."""

    marks: Mapping[str, Collection[bytes]] = field(default_factory=dict)  # of turns, by session
    places: list[tuple[str, int, bytes]] = field(default_factory=list)  # table, id, content mark

    def __bool__(self) -> bool:
        return bool(self.marks or self.places)


def remember(path: Path, job: str, added: Additions, kept: KeptJob | None = None) -> None:
    """Keep what a job adds, and how far it is then; raises StateUnavailableError."""
    with writing(path) as connection:
        marks = ((job, session, mark) for session, all_ in added.marks.items() for mark in all_)
        connection.executemany("INSERT INTO imported VALUES (?, ?, ?)", marks)
        places = ((job, *place) for place in added.places)
        connection.executemany("INSERT OR REPLACE INTO entered VALUES (?, ?, ?, ?)", places)
        if kept:
            note_job(connection, kept)


def remembered(path: Path, job: str) -> Additions:
    """Return what a job has added; nothing for one that is not known."""
    found: dict[str, set[bytes]] = {}
    places: list[tuple[str, int, bytes]] = []
    with reading(path) as connection:
        if connection is not None and has_table(connection, "imported"):
            sql = "SELECT session, mark FROM imported WHERE job = ?"
            for session, mark in connection.execute(sql, (job,)):
                found.setdefault(session, set()).add(mark)
            sql = "SELECT place, id, mark FROM entered WHERE job = ?"
            places = connection.execute(sql, (job,)).fetchall()
    return Additions(found, places)


def has_imported(path: Path) -> bool:
    """Say whether any import has added something that was not undone."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "imported"):
            return False
        sql = "SELECT EXISTS (SELECT 1 FROM imported) OR EXISTS (SELECT 1 FROM entered)"
        return bool(connection.execute(sql).fetchone()[0])


def forget_job(path: Path, job: str) -> None:
    """Forget a job that was undone."""
    with writing(path) as connection:
        connection.execute("DELETE FROM imported WHERE job = ?", (job,))
        connection.execute("DELETE FROM entered WHERE job = ?", (job,))


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
