"""What is not to be remembered: patterns in the order they were added, and pauses."""

from dataclasses import dataclass
from pathlib import Path

from worker.state.database import has_table, reading, writing

_GOING_ON = "ended IS NULL OR ended > ?"


@dataclass(frozen=True, slots=True)
class Pause:
    """From when to when nothing is remembered, in milliseconds; `ended` None: not yet known."""

    began: int
    ended: int | None

    def meets(self, start: int, end: int) -> bool:
        """Say whether it was going on at any time from start to end."""
        return self.began <= end and (self.ended is None or start < self.ended)


def patterns(path: Path) -> list[tuple[str, int]]:
    """Return each pattern and when it was added (milliseconds), the oldest first."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "excludes"):
            return []
        return list(connection.execute("SELECT pattern, at FROM excludes ORDER BY id"))


def add_pattern(path: Path, pattern: str, at: int) -> None:
    """Add a pattern as the last; one that is there becomes the last."""
    with writing(path) as connection:
        connection.execute("DELETE FROM excludes WHERE pattern = ?", (pattern,))
        connection.execute("INSERT INTO excludes (pattern, at) VALUES (?, ?)", (pattern, at))


def remove_pattern(path: Path, pattern: str) -> bool:
    """Remove a pattern; return whether it was there."""
    with writing(path) as connection:
        gone = connection.execute("DELETE FROM excludes WHERE pattern = ?", (pattern,))
        return gone.rowcount > 0


def pauses(path: Path) -> list[Pause]:
    """Return all pauses that there ever were, the oldest first."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "pauses"):
            return []
        rows = connection.execute("SELECT began, ended FROM pauses ORDER BY began")
        return [Pause(*row) for row in rows]


def begin_pause(path: Path, now: int, ended: int | None) -> None:
    """Pause from now on; one that goes on gets the new end."""
    with writing(path) as connection:
        changed = connection.execute(f"UPDATE pauses SET ended = ? WHERE {_GOING_ON}", (ended, now))
        if not changed.rowcount:
            connection.execute("INSERT INTO pauses (began, ended) VALUES (?, ?)", (now, ended))


def end_pause(path: Path, now: int) -> None:
    """End what goes on."""
    with writing(path) as connection:
        connection.execute(f"UPDATE pauses SET ended = ? WHERE {_GOING_ON}", (now, now))
