"""Connections: one a thread, never creating a file, patient with writers, clear about faults."""

import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.store.rows import plain, plant
from worker.shared.errors import RefusedError, StoreUnavailableError
from worker.shared.refs import Kind
from worker.store.connection import connect
from worker.store.store import Store

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
connection.execute("UPDATE observations SET title = 'held'")
print("held", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
connection.close()
"""


def test_a_reading_connection_cannot_write(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.read().execute("DELETE FROM observations")


def test_a_reading_connection_never_makes_a_file(store: Store) -> None:
    with ThreadPoolExecutor(1) as fresh_thread:
        for file in list(store.path.parent.iterdir()):
            file.unlink()
        with pytest.raises(StoreUnavailableError, match="check that it exists"):
            fresh_thread.submit(store.read).result()
    assert list(store.path.parent.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["a b", "über/ä ö.db", "q?mode=memory", "h#x", "50%25", "it's", "数据.db", "a&b=c;d"]
)
def test_any_path_works(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    store = Store(path)
    store.open()
    plant(path, "observations", title="x")
    assert store.counts()[Kind.OBSERVATION] == 1
    store.close()
    assert path.stat().st_size > 0


def test_each_thread_has_its_own_connection(store: Store) -> None:
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(store.read).result()
        assert pool.submit(store.read).result() is other
    assert store.read() is store.read()
    assert store.read() is not other


def test_connections_of_threads_that_ended_are_closed(store: Store) -> None:
    with ThreadPoolExecutor(1) as pool:
        gone = pool.submit(store.read).result()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store.read).result()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        gone.execute("SELECT 1")


def test_a_closed_store_says_so_and_can_be_opened_again(store: Store) -> None:
    store.close()
    with pytest.raises(StoreUnavailableError, match="not open"):
        store.counts()
    store.open()
    assert store.counts()[Kind.PROMPT] == 0


def test_a_failed_block_stores_nothing(store: Store) -> None:
    def save(*names: str) -> None:
        with store.atomic() as connection:
            for name in names:
                connection.execute("INSERT INTO sync_state (k, v) VALUES (?, '')", (name,))

    with pytest.raises(RefusedError, match="UNIQUE"):
        save("a", "a")
    save("b")
    assert store.read().execute("SELECT k FROM sync_state").fetchall() == [("b",)]


def test_writers_that_read_first_never_lose_an_update(store: Store) -> None:
    with store.atomic() as connection:
        connection.execute("INSERT INTO sync_state (k, v) VALUES ('n', '0')")

    def count_up() -> None:
        for _ in range(25):
            with store.atomic() as connection:
                (value,) = connection.execute("SELECT v FROM sync_state").fetchone()
                connection.execute("UPDATE sync_state SET v = ?", (str(int(value) + 1),))

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(count_up) for _ in range(4)]:
            done.result()
    assert store.read().execute("SELECT v FROM sync_state").fetchall() == [("100",)]


@contextmanager
def held_for(seconds: float, path: Path) -> Iterator[None]:
    """Let another process hold the file, all of it, for that long."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        release = threading.Timer(seconds, holder.stdin.close)
        release.start()
        yield
        release.join()


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_opening_waits_for_a_writer_that_holds_the_file(mode: str, store: Store) -> None:
    plant(store.path, "observations", title="x")
    store.close()
    with plain(store.path) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
    with held_for(3, store.path):
        store.open()
        assert store.counts()[Kind.OBSERVATION] == 1
    with plain(store.path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == (mode,)


def test_writing_waits_for_another_writer(store: Store) -> None:
    with held_for(3, store.path), store.atomic() as connection:
        connection.execute("INSERT INTO sync_state (k, v) VALUES ('a', '')")
    assert store.read().execute("SELECT count(*) FROM sync_state").fetchone() == (1,)


def test_changes_by_others_show_in_the_data_version(store: Store) -> None:
    before = store.data_version()
    assert store.data_version() == before
    plant(store.path, "observations", title="by another program")
    after = store.data_version()
    with store.atomic() as connection:
        connection.execute("DELETE FROM observations")
    assert len({before, after, store.data_version()}) == 3


def test_text_that_is_no_utf8_is_read(store: Store) -> None:
    connection = connect(store.path, query_only=True)
    assert connection.execute("SELECT CAST(x'61ff62' AS TEXT)").fetchone() == ("a\ufffdb",)
    connection.close()


def no_database(path: Path) -> None:
    path.write_text("Dear diary, " * 100, encoding="utf-8")


def another_database(path: Path) -> None:
    with plain(path) as connection:
        connection.execute("CREATE TABLE recipes (id INTEGER PRIMARY KEY)")


def a_folder(path: Path) -> None:
    path.mkdir()


def no_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (no_database, "no SQLite database"),
        (another_database, "holds no observations"),
        (a_folder, "check that it exists"),
        (no_folder, "check its folder"),
    ],
)
def test_what_cannot_be_opened_is_named_with_a_remedy(
    make: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "claude-mem.db"
    path.parent.mkdir()
    make(path)
    with pytest.raises(StoreUnavailableError, match=reason) as caught:
        Store(path).open()
    assert str(path) in caught.value.detail


def test_damage_found_while_reading_is_named_with_a_remedy(store: Store) -> None:
    with plain(store.path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 9999 WHERE name = 'observations'")
    with pytest.raises(StoreUnavailableError, match="it is damaged"), ThreadPoolExecutor(1) as pool:
        pool.submit(store.ids, Kind.OBSERVATION).result()


def test_a_file_put_in_the_place_of_another_is_read_from_then_on(
    store: Store, tmp_path: Path
) -> None:
    other = Store(tmp_path / "other.db")
    other.open()
    with other.atomic() as writer:
        writer.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at,"
            " started_at_epoch) VALUES ('c', 'm', 'p', '', 0)"
        )
        writer.execute(
            "INSERT INTO observations (memory_session_id, project, type, title, created_at,"
            " created_at_epoch) VALUES ('m', 'p', 'bugfix', 'restored', '', 0)"
        )
    other.close()
    before = store.data_version()
    assert store.counts()[Kind.OBSERVATION] == 0

    (tmp_path / "other.db").replace(store.path)
    for suffix in ("-wal", "-shm"):
        store.path.with_name(store.path.name + suffix).unlink(missing_ok=True)

    assert store.counts()[Kind.OBSERVATION] == 1
    assert store.data_version() != before
