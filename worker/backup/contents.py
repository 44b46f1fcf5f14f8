"""What a database of memories holds: counted before anybody decides to put it back."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from worker.backup.copying import require_sound, snapshot, told
from worker.shared.refs import Kind
from worker.store import stats
from worker.store.layout import View, read_sources
from worker.store.values import register


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts, the times of the oldest and the newest record (ISO, local), and the schema."""

    observations: int
    sessions: int
    prompts: int
    oldest: str | None
    newest: str | None
    schema: int  # claude-mem's number for it, 0 where it has none
    memories: bool = True  # False: there is not even a table for them


def contents(path: Path, *, thorough: bool = False) -> Contents:
    """Return what a file holds; `thorough` looks at every page. Raises BackupError."""
    with told(path), snapshot(path) as connection:
        if thorough:
            require_sound(connection, path)
        register(connection)
        view = View(connection, read_sources(connection))
        number = stats.counts(view)
        oldest, newest = stats.ends(view)
        return Contents(
            number[Kind.OBSERVATION],
            number[Kind.SESSION],
            number[Kind.PROMPT],
            oldest,
            newest,
            _schema(connection),
            Kind.OBSERVATION in view.sources,
        )


def _schema(connection: sqlite3.Connection) -> int:
    table = "SELECT 1 FROM sqlite_master WHERE name = 'schema_versions'"
    if not connection.execute(table).fetchone():
        return 0
    (version,) = connection.execute("SELECT max(version) FROM schema_versions").fetchone()
    return int(version or 0)
