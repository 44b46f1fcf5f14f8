"""What was let go: the rows, for 30 days, and marks by which they are not brought in again."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from worker.state.database import has_table, reading, shrink_log, writing
from worker.store.marks import mark_of
from worker.store.removing import Raw

KEPT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Batch:
    """What was let go at once."""

    id: str
    at: int  # milliseconds
    label: str  # the project, or the first ids
    rows: int


def throw_away(
    path: Path, batch: Batch, rows: Sequence[tuple[str, Raw]], *, for_good: bool
) -> None:
    """Keep the marks of rows and, unless `for_good`, the rows; raises StateUnavailableError."""
    with writing(path) as connection:
        marks = ((mark, batch.id) for table, row in rows if (mark := mark_of(table, row)))
        connection.executemany("INSERT OR REPLACE INTO gone VALUES (?, ?)", marks)
        if not for_good:
            connection.executemany(
                "INSERT INTO trash (batch, at, label, place, row) VALUES (?, ?, ?, ?, ?)",
                (
                    (batch.id, batch.at, batch.label, table, json.dumps(row, ensure_ascii=True))
                    for table, row in rows
                ),
            )


def batches(path: Path) -> list[Batch]:
    """Return what can be put back, the newest first; raises StateUnavailableError."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "gone"):
            return []
        sql = "SELECT batch, at, label, count(*) FROM trash GROUP BY batch ORDER BY max(id) DESC"
        return [Batch(*row) for row in connection.execute(sql)]


def rows_in(path: Path, batch: str) -> list[tuple[str, Raw]]:
    """Return the rows of a batch; raises StateUnavailableError."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "gone"):
            return []
        sql = "SELECT place, row FROM trash WHERE batch = ? ORDER BY id"
        return [(place, json.loads(row)) for place, row in connection.execute(sql, (batch,))]


def take_back(path: Path, batch: str) -> None:
    """Forget a batch and its marks, as its rows are where they were."""
    with writing(path) as connection:
        connection.execute("DELETE FROM trash WHERE batch = ?", (batch,))
        connection.execute("DELETE FROM gone WHERE batch = ?", (batch,))


def forget(path: Path, *, before: int) -> int:
    """Delete the rows, not the marks, of batches older than `before` (milliseconds)."""
    if not any(batch.at < before for batch in batches(path)):
        return 0
    with writing(path) as connection:
        count = connection.execute("DELETE FROM trash WHERE at < ?", (before,)).rowcount
    shrink_log(path)
    return count


def has_gone(path: Path) -> bool:
    """Say whether anything was ever let go; raises StateUnavailableError."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "gone"):
            return False
        return connection.execute("SELECT 1 FROM gone LIMIT 1").fetchone() is not None


def gone_among(path: Path, rows: Iterable[tuple[str, Raw]]) -> set[bytes]:
    """Return those marks of rows that were let go; raises StateUnavailableError."""
    marks = {mark for table, row in rows if (mark := mark_of(table, row))}
    with reading(path) as connection:
        if connection is None or not marks or not has_table(connection, "gone"):
            return set()
        ask = connection.execute
        return {mark for mark in marks
                if ask("SELECT 1 FROM gone WHERE mark = ?", (mark,)).fetchone()}  # fmt: skip
