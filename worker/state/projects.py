"""The names that repositories got when their sessions were imported."""

from collections.abc import Mapping
from pathlib import Path

from worker.state.database import has_table, reading, writing


def known_names(path: Path) -> dict[str, str]:
    """Return the names by root; raises StateUnavailableError."""
    with reading(path) as connection:
        if connection is None or not has_table(connection, "projects"):
            return {}
        return dict(connection.execute("SELECT root, name FROM projects").fetchall())


def keep_names(path: Path, names: Mapping[str, str]) -> None:
    """Keep new ones; raises StateUnavailableError."""
    if names:
        with writing(path) as connection:
            connection.executemany("INSERT OR IGNORE INTO projects VALUES (?, ?)", names.items())
