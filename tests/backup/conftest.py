"""A data folder with memories, and what its database holds."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.memories import new_database, some
from worker.shared.paths import Paths

MEMORIES = 60


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = Paths(tmp_path / "data")
    made.create()
    new_database(made.database, some(MEMORIES))
    return made


def titles(database: Path) -> list[str]:
    """Return what a database holds, by a connection of its own; it must be whole."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = connection.execute("SELECT title FROM observations ORDER BY id").fetchall()
    return [title for (title,) in rows]
