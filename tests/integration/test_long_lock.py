"""Another program holds the database for half a minute: to write, or so that nobody may read."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.integration.answers import BY_WORDS, parts, search, until_part
from tests.integration.memories import Memory, add, new_database, some, without_meaning
from tests.integration.processes import Worker, running
from tests.integration.saving import save
from worker.shared.contract import Problem
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

pytestmark = pytest.mark.slow

HELD = 30.0  # seconds
ANSWERED = 12.0  # seconds at most, what waits for the lock; 5 of them for the lock itself


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    new_database(Paths(tmp_path).database, some())
    without_meaning(tmp_path)
    with running(tmp_path) as started:
        until_part(started, "keyword", PartState.OK)
        yield started


def without_wal(database: Path) -> None:
    """Make a database in which a writer locks readers out."""
    without_meaning(database.parent)
    new_database(database, some())
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def locked_out(database: Path) -> Iterator[None]:
    """Hold the database so that nobody else can even read it."""
    with closing(sqlite3.connect(database, isolation_level=None, timeout=30)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def half_a_minute() -> Iterator[float]:
    """Yield when each round began, until the time is over."""
    until = time.monotonic() + HELD
    while (began := time.monotonic()) < until:
        yield began


def test_while_another_writes_for_long_reading_goes_on_and_saving_says_why_not(
    worker: Worker,
) -> None:
    database = Paths(worker.data_dir).database
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        add(other, [Memory("A quokka came at last")])
        for began in half_a_minute():
            with pytest.raises(MemtrayError, match=rf"pid {os.getpid()}.*try again") as refused:
                save(worker, "Never")
            assert refused.value.code == "not_written"
            assert time.monotonic() - began < ANSWERED
            began = time.monotonic()
            assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
            assert time.monotonic() - began < 2
        assert parts(worker)["store"].state is PartState.OK
        other.execute("COMMIT")

    assert save(worker, "At last")["saved"]
    worker.until("/api/search?query=quokka&format=json", lambda _, found: found["total"] == 1)
    assert search(worker, query="Never").total == 0


def test_while_nobody_may_read_each_answer_is_clear_and_all_is_well_after(tmp_path: Path) -> None:
    database = Paths(tmp_path).database
    without_wal(database)
    with running(tmp_path) as worker:
        until_part(worker, "keyword", PartState.OK)
        with locked_out(database):
            for began in half_a_minute():
                status, body = worker.get("/api/search?query=payment")
                assert time.monotonic() - began < ANSWERED
                assert status == 503
                assert str(database) in Problem.model_validate(body).detail
                assert "try again" in Problem.model_validate(body).detail
                began = time.monotonic()
                assert worker.get("/health")[0] == 200
                assert time.monotonic() - began < 2
            assert until_part(worker, "store", PartState.DOWN)["store"].remedy
        until_part(worker, "store", PartState.OK)
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        assert save(worker, "At last")["saved"]


def test_a_start_while_nobody_may_read_waits_and_says_so(tmp_path: Path) -> None:
    database = Paths(tmp_path).database
    without_wal(database)
    with locked_out(database), running(tmp_path) as worker:
        for began in half_a_minute():
            status, body = worker.get("/api/search?query=payment")
            assert time.monotonic() - began < ANSWERED
            assert status == 503
            assert Problem.model_validate(body).detail
            assert worker.get("/health")[0] == 200
        store = parts(worker)["store"]
        assert store.state is PartState.DOWN
        assert str(database) in store.cause
