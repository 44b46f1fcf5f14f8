"""A new database is what claude-mem would have made."""

import os
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.rows import DATA, plain, plant
from worker.store.schema import VERSIONS, ensure_database
from worker.store.store import Store

REAL = DATA / "claude-mem-v13.25.3.db"


def definitions(path: Path) -> dict[tuple[str, str, str], str]:
    """All objects of a file and their SQL, without blanks and quoted names."""
    with plain(path) as connection:
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {(row[0], row[1], row[2]): re.sub(r'["\s]', "", row[3] or "") for row in rows}


def facts(path: Path) -> dict[str, object]:
    """What PRAGMAs and the table of versions say about a file."""
    found: dict[str, object] = {}
    with plain(path) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            for pragma in ("table_info", "index_list", "foreign_key_list"):
                rows = connection.execute(f"PRAGMA {pragma}({table})").fetchall()
                order = slice(1, None) if pragma == "index_list" else slice(None)
                found[f"{pragma} {table}"] = sorted(str(row[order]) for row in rows)
        for pragma in ("journal_mode", "auto_vacuum", "encoding", "page_size"):
            found[pragma] = connection.execute(f"PRAGMA {pragma}").fetchall()
        versions = connection.execute("SELECT version FROM schema_versions ORDER BY version")
        found["versions"] = versions.fetchall()
    return found


def test_a_new_database_equals_that_of_claude_mem(store: Store, tmp_path: Path) -> None:
    if not REAL.exists():
        pytest.skip(f"{REAL.name} is not at hand")
    real = shutil.copyfile(REAL, tmp_path / "real.db")
    assert definitions(store.path) == definitions(real)
    assert facts(store.path) == facts(real)


def test_a_new_database_names_the_versions_that_it_fulfils(store: Store) -> None:
    with plain(store.path) as connection:
        rows = connection.execute("SELECT version, applied_at FROM schema_versions").fetchall()
    assert [version for version, _ in rows] == list(VERSIONS)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", when) for _, when in rows)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_the_files_we_make_are_for_the_user_alone(store: Store) -> None:
    plant(store.path, "observations", title="x")
    store.counts()
    modes = {path.name: path.stat().st_mode & 0o777 for path in store.path.parent.iterdir()}
    assert modes == dict.fromkeys(modes, 0o600)
    assert "claude-mem.db-wal" in modes


@pytest.mark.parametrize("statements", [[], ["PRAGMA journal_mode = WAL"]])
def test_a_file_without_tables_is_filled(statements: list[str], tmp_path: Path) -> None:
    path = tmp_path / "claude-mem.db"
    path.touch()
    with plain(path) as connection:
        for statement in statements:  # where an earlier start was killed
            connection.execute(statement)
    store = Store(path)
    store.open()
    store.close()
    with plain(path) as connection:
        assert connection.execute("SELECT count(*) FROM observations").fetchone() == (0,)


def test_only_one_of_many_that_start_at_once_fills_the_file(tmp_path: Path) -> None:
    path = tmp_path / "claude-mem.db"
    gate = threading.Barrier(6)
    failures: list[sqlite3.DatabaseError] = []

    def start() -> None:
        gate.wait()
        try:
            ensure_database(path)
        except sqlite3.DatabaseError as exc:
            failures.append(exc)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with plain(path) as connection:
        versions = connection.execute("SELECT count(*) FROM schema_versions").fetchone()
    assert versions == (len(VERSIONS),)


def test_the_full_text_tables_follow_their_rows(store: Store) -> None:
    def found(word: str) -> list[tuple[int]]:
        with plain(store.path) as connection:
            sql = "SELECT rowid FROM observations_fts WHERE observations_fts MATCH ?"
            return connection.execute(sql, (word,)).fetchall()

    with store.atomic() as connection:
        connection.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, "
            "started_at, started_at_epoch) VALUES ('c', 'm', 'p', '', 0)"
        )
    id_ = plant(store.path, "observations", title="zorblatt", facts='["quixotic"]')
    assert found("zorblatt") == found("quixotic") == [(id_,)]
    with store.atomic() as connection:
        connection.execute("UPDATE observations SET title = 'wobblegate'")
    assert (found("zorblatt"), found("wobblegate")) == ([], [(id_,)])
    with store.atomic() as connection:
        connection.execute("DELETE FROM sdk_sessions")  # takes its observations with it
    assert found("wobblegate") == []
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute(
            "INSERT INTO observations_fts(observations_fts) VALUES('integrity-check')"
        )
