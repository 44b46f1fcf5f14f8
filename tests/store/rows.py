"""Put rows into a database past the store, as another program would."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "claude_mem"
GENERATOR = ROOT.parent / "shared" / "tools" / "gen_db.py"
MARCH = 1_773_576_000_000  # 2026-03-15T12:00:00Z

_NEEDED: dict[str, dict[str, object]] = {
    "sdk_sessions": {"started_at": "", "started_at_epoch": MARCH},
    "observations": {"memory_session_id": "m", "project": "p", "type": "bugfix"},
    "session_summaries": {"memory_session_id": "m", "project": "p"},
    "user_prompts": {"content_session_id": "c", "prompt_number": 1, "prompt_text": ""},
}


@contextmanager
def plain(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection of SQLite's own making; what it did is committed at the end."""
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def plant(path: Path, table: str, **values: object) -> int:
    """Insert one row, with what the schema demands filled in, and return its id."""
    with plain(path) as connection:
        return insert(connection, table, **values)


def insert(connection: sqlite3.Connection, table: str, **values: object) -> int:
    """Insert one row on an open connection."""
    row = dict(_NEEDED[table])
    if table != "sdk_sessions":
        row |= {"created_at": "", "created_at_epoch": MARCH}
    row |= values
    marks = ", ".join("?" * len(row))
    sql = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
    id_ = connection.execute(sql, list(row.values())).lastrowid
    assert id_ is not None
    return id_


def loosen(path: Path, *tables: str) -> None:
    """Rebuild tables without types and NOT NULL, as files of unknown origin may have them."""
    with plain(path) as connection:
        for table in tables:
            connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
            columns = [row[1] for row in connection.execute("PRAGMA table_info(loose)")]
            connection.execute("DROP TABLE loose")
            connection.execute(f"DROP TABLE {table}")
            rest = ", ".join(name for name in columns if name != "id")
            connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {rest})")
