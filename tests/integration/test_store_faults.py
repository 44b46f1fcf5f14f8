"""A database that others hold, or that is damaged: we go on reading, or say what is wrong."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.answers import BY_WORDS, parts, search, until_part
from tests.integration.memories import Memory, add, new_database, some, without_meaning, writing
from tests.integration.processes import ROOT, Worker, running
from worker.shared.contract import Problem
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

HELD = 3.0  # seconds

# A program that writes through our store.
WRITER = """
import sys
from pathlib import Path
from tests.integration.memories import Memory, add
from worker.store.store import Store

store = Store(Path(sys.argv[1]))
store.open()
with store.atomic() as connection:
    add(connection, [Memory("A pangolin waited")])
store.close()
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker on a database whose own full-text tables are broken."""
    data_dir = tmp_path_factory.mktemp("data")
    new_database(Paths(data_dir).database, some())
    with writing(Paths(data_dir).database) as connection:
        for trigger in ("ai", "ad", "au"):
            connection.execute(f"DROP TRIGGER observations_{trigger}")
        connection.execute("DELETE FROM observations_fts_data")
    without_meaning(data_dir)
    with running(data_dir) as started:
        until_part(started, "keyword", PartState.OK)
        yield started


def test_search_needs_nothing_of_claude_mems_own_index(worker: Worker) -> None:
    database = Paths(worker.data_dir).database
    with writing(database) as connection:
        add(connection, [Memory("A capybara, past all triggers")])
    with closing(sqlite3.connect(database)) as connection:
        asked = "SELECT rowid FROM observations_fts WHERE observations_fts MATCH 'payment'"
        with pytest.raises(sqlite3.DatabaseError, match=r"malformed|vtable"):
            connection.execute(asked).fetchall()

    assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
    assert until_found(worker, "capybara") == "A capybara, past all triggers"
    assert parts(worker)["store"].state is PartState.OK


def until_found(worker: Worker, word: str) -> str:
    """Return the title of the first row that a word finds, once it finds one."""
    deadline = time.monotonic() + 30
    while not (found := search(worker, query=word).items):
        assert time.monotonic() < deadline, f"{word} is not found"
    return found[0].title


def test_while_another_program_writes_reading_goes_on_and_writing_waits(worker: Worker) -> None:
    database = Paths(worker.data_dir).database
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        add(other, [Memory("An okapi came first")])
        with subprocess.Popen([sys.executable, "-c", WRITER, database], cwd=ROOT) as waiting:
            slowest = 0.0
            until = time.monotonic() + HELD
            while (began := time.monotonic()) < until:
                assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
                slowest = max(slowest, time.monotonic() - began)
            assert waiting.poll() is None
            other.execute("COMMIT")
            assert waiting.wait(30) == 0

    assert slowest < HELD / 2
    assert until_found(worker, "okapi") == "An okapi came first"
    assert until_found(worker, "pangolin") == "A pangolin waited"


def test_health_answers_while_six_searches_wait_for_a_lock(tmp_path: Path) -> None:
    without_meaning(tmp_path)
    database = Paths(tmp_path).database
    new_database(database, some())
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # without WAL a writer locks readers out
        with running(tmp_path) as worker, ThreadPoolExecutor(6) as clients:
            until_part(worker, "keyword", PartState.OK)
            other.execute("BEGIN EXCLUSIVE")
            asked = [clients.submit(search, worker, query=BY_WORDS) for _ in range(6)]
            began = time.monotonic()
            for _ in range(20):
                assert worker.get("/health")[0] == 200
            took = time.monotonic() - began
            waiting = [each for each in asked if not each.done()]
            other.execute("ROLLBACK")
            assert all(BY_WORDS in each.result(30).items[0].title for each in asked)

    assert len(waiting) == 6
    assert took < 20 * 0.2  # seconds


def test_a_damaged_database_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    without_meaning(tmp_path)
    database = Paths(tmp_path).database
    new_database(database, some(150))
    content = bytearray(database.read_bytes())
    size = int.from_bytes(content[16:18])
    for page in range(0, len(content), size):
        if b"Seen in the" in content[page : page + size]:  # rows of observations
            content[page : page + size // 2] = b"\xa5" * (size // 2)
    database.write_bytes(content)

    with running(tmp_path) as worker:
        store = until_part(worker, "store", PartState.DEGRADED)["store"]
        status, body = worker.get("/api/search?query=payment")
        assert parts(worker)["keyword"].state is PartState.BUILDING
        assert worker.get("/health")[0] == 200
        assert worker.stop() == 0

    for text in (f"{store.cause} {store.remedy}", Problem.model_validate(body).detail):
        assert str(database) in text
        assert "damaged" in text
        assert "memtray-worker restore" in text
    assert "nothing of it is deleted" in store.remedy
    assert status == 503
    assert database.read_bytes() == content


def test_damage_that_a_search_does_not_meet_is_told_with_its_answer(tmp_path: Path) -> None:
    without_meaning(tmp_path)
    database = Paths(tmp_path).database
    new_database(database, some(150))
    with closing(sqlite3.connect(database)) as connection:  # an index that no search reads
        sql = "SELECT rootpage FROM sqlite_master WHERE name = 'idx_observations_agent_id'"
        (page,) = connection.execute(sql).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)

    with running(tmp_path) as worker:
        until_part(worker, "store", PartState.DEGRADED)
        found = search(worker, query=BY_WORDS)

    assert BY_WORDS in found.items[0].title
    assert [each.part for each in found.degraded] == ["store"]
    assert "memtray-worker restore" in found.degraded[0].remedy
