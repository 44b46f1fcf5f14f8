"""A memory saved by hand is a row as claude-mem writes it, in each schema that it has had."""

import hashlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.store.rows import plain
from worker.shared.errors import ReadOnlyError, RefusedError
from worker.shared.refs import Kind, Ref
from worker.store.store import Store
from worker.store.writing import NewMemory, Saved, save

NOW = 1_780_000_000_123
MEMORY = NewMemory("The pool deadlocks", "Pool", "shop", "bugfix", ("gotcha",), ("src/pool.py",))


def write(path: Path, memory: NewMemory = MEMORY, *, now: int = NOW) -> Saved:
    """Save through a store of its own."""
    store = Store(path)
    store.open()
    try:
        with store.atomic() as connection:
            return save(connection, memory, now=now)
    finally:
        store.close()


def row(path: Path, table: str, id_: int) -> dict[str, Any]:
    with plain(path) as connection:
        connection.row_factory = sqlite3.Row
        return dict(connection.execute(f"SELECT * FROM {table} WHERE id = ?", (id_,)).fetchone())


def schema(path: Path) -> list[tuple[Any, ...]]:
    with plain(path) as connection:
        return connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()


def test_the_row_and_its_session_are_as_claude_mem_writes_them(claude_mem: Path) -> None:
    before = schema(claude_mem)

    saved = write(claude_mem)

    assert saved == Saved(41, NOW, new=True)
    found = row(claude_mem, "observations", saved.id)
    hashed = hashlib.sha256(b"manual-shop-claude\0Pool\0The pool deadlocks").hexdigest()[:16]
    expected = {
        "memory_session_id": "manual-shop-claude",
        "project": "shop",
        "text": None,
        "type": "bugfix",
        "title": "Pool",
        "subtitle": "Manual memory",
        "facts": "[]",
        "narrative": "The pool deadlocks",
        "concepts": '["gotcha"]',
        "files_read": '["src/pool.py"]',
        "files_modified": "[]",
        "prompt_number": None,
        "discovery_tokens": 0,
        "content_hash": hashed,
        "created_at": "2026-05-28T20:26:40.123Z",
        "created_at_epoch": NOW,
    }
    assert {name: found[name] for name in expected} == expected
    others = {"id": 41, "relevance_count": 0, "sync_rev": "1"}  # what the schema itself fills in
    rest = {name: value for name, value in found.items() if name not in expected}
    assert rest == {name: others.get(name) for name in rest}
    session = row(claude_mem, "sdk_sessions", 4)
    assert session["memory_session_id"] == "manual-shop-claude"
    assert session["content_session_id"] == "manual-content-shop-claude"
    assert session["started_at"] == "2026-05-28T20:26:40.123Z"
    assert session["started_at_epoch"] == NOW
    assert (session["project"], session["status"]) == ("shop", "active")
    assert session.get("platform_source", "claude") == "claude"
    assert schema(claude_mem) == before
    with plain(claude_mem) as connection:
        fts = "SELECT rowid FROM observations_fts WHERE observations_fts MATCH 'deadlocks'"
        assert (41,) in connection.execute(fts).fetchall()
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_the_session_is_made_once_and_the_same_memory_kept_once(claude_mem: Path) -> None:
    first = write(claude_mem)
    again = write(claude_mem, now=NOW + 5)
    other = write(claude_mem, NewMemory("More", "Pool", "shop", "bugfix", (), ()), now=NOW + 6)

    assert again == Saved(first.id, NOW, new=False)
    assert other.id == first.id + 1
    with plain(claude_mem) as connection:
        counted = "SELECT count(*) FROM sdk_sessions WHERE project = 'shop'"
        assert connection.execute(counted).fetchone() == (1,)


OLDEST = """
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE
  NOT NULL, sdk_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT,
  started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, status TEXT NOT NULL);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL,
  project TEXT NOT NULL, text TEXT NOT NULL, type TEXT NOT NULL
  CHECK(type IN ('decision', 'bugfix', 'discovery')), created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL, FOREIGN KEY(sdk_session_id)
  REFERENCES sdk_sessions(sdk_session_id));
"""


@pytest.fixture
def oldest(tmp_path: Path) -> Path:
    """A database from before titles, hashes and the present names of columns."""
    path = tmp_path / "old.db"
    with plain(path) as connection:
        connection.executescript(OLDEST)
    return path


def test_a_database_from_before_titles_takes_it_too(oldest: Path) -> None:
    saved = write(oldest)
    again = write(oldest)

    assert again == Saved(saved.id, NOW, new=False)
    found = row(oldest, "observations", saved.id)
    assert found["text"] == "The pool deadlocks"
    assert found["sdk_session_id"] == "manual-shop-claude"
    store = Store(oldest)
    store.open()
    assert store.records([Ref(Kind.OBSERVATION, saved.id)])
    store.close()


def test_what_a_check_of_the_schema_forbids_is_refused_whole(oldest: Path) -> None:
    odd = NewMemory("Text", "Title", "new-project", "feature", (), ())

    with pytest.raises(RefusedError, match="CHECK constraint failed: type"):
        write(oldest, odd)

    with plain(oldest) as connection:
        assert connection.execute("SELECT * FROM sdk_sessions").fetchall() == []


@pytest.mark.parametrize("table", ["observations", "sdk_sessions"])
def test_a_column_that_demands_what_we_do_not_know_makes_it_read_only(
    tmp_path: Path, table: str
) -> None:
    path = tmp_path / "claude-mem.db"
    store = Store(path)
    store.open()
    store.close()
    with plain(path) as connection:
        for statement in (
            f"CREATE TABLE later AS SELECT * FROM {table}",
            f"DROP TABLE {table}",
            f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, memory_session_id TEXT, "
            "content_hash TEXT, owner TEXT NOT NULL)",
        ):
            connection.execute(statement)

    with pytest.raises(ReadOnlyError, match=rf"{table}\.owner demands.*only reads"):
        write(path)


def test_an_unknown_column_that_may_be_empty_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "claude-mem.db"
    store = Store(path)
    store.open()
    store.close()
    with plain(path) as connection:
        connection.execute("ALTER TABLE observations ADD COLUMN mood TEXT")
        connection.execute("ALTER TABLE observations ADD COLUMN score INTEGER NOT NULL DEFAULT 7")

    found = row(path, "observations", write(path).id)

    assert (found["mood"], found["score"]) == (None, 7)
