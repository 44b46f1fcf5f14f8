"""A log is called torn where it is, and never where others only work with it."""

import random
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from worker.store.torn import keep_torn_log

Step = Callable[[sqlite3.Connection], object]


def commit(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("INSERT INTO notes VALUES (randomblob(9000))")


def roll_back_what_was_written(connection: sqlite3.Connection) -> None:
    """Leave frames in the log that no commit follows: the cache is too small for them."""
    for _ in range(20):
        connection.execute("INSERT INTO notes VALUES (randomblob(9000))")
    connection.rollback()


def checkpoint(mode: str) -> Step:
    return lambda connection: connection.execute(f"PRAGMA wal_checkpoint({mode})")


STEPS: list[Step] = [
    commit,
    commit,
    roll_back_what_was_written,
    checkpoint("PASSIVE"),
    checkpoint("RESTART"),
    checkpoint("TRUNCATE"),
]


def used(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA cache_size = 5")
    connection.execute("CREATE TABLE IF NOT EXISTS notes (content)")
    return connection


def copied(path: Path, folder: Path) -> Path:
    """Return a copy of a database and its log, as a process leaves them that is killed now."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{path}{suffix}", folder / f"{path.name}{suffix}")
    return folder / path.name


@pytest.mark.parametrize("seed", range(8))
def test_whatever_was_done_a_whole_log_is_not_called_torn(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / "memory.db"
    with closing(used(path)) as connection:
        for number in range(12):
            chance.choice(STEPS)(connection)
            assert keep_torn_log(path) == ""
            assert keep_torn_log(copied(path, tmp_path / f"killed{number}")) == ""


def test_a_transaction_that_was_never_committed_is_no_tear(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(used(path)) as connection:
        commit(connection)
        for _ in range(20):
            connection.execute("INSERT INTO notes VALUES (randomblob(9000))")
        copy = copied(path, tmp_path / "killed")
        assert keep_torn_log(path) == ""
        connection.rollback()
    assert keep_torn_log(copy) == ""


def test_a_log_that_others_write_all_the_while_is_not_called_torn(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    done = threading.Event()

    def write() -> None:
        with closing(used(path)) as connection:
            connection.execute("PRAGMA wal_autocheckpoint = 20")
            while not done.is_set():
                commit(connection)

    with closing(used(path)):
        writer = threading.Thread(target=write)
        writer.start()
        said = {keep_torn_log(path) for _ in range(100)}
        done.set()
        writer.join()
    assert said == {""}


@pytest.mark.parametrize("restarts", [0, 3])
@pytest.mark.parametrize("where", [0.3, 0.6, 0.99])
def test_a_damaged_byte_is_found_wherever_it_is(
    restarts: int, where: float, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    with closing(used(path)) as connection:
        for _ in range(restarts):
            commit(connection)
            connection.execute("PRAGMA wal_checkpoint(RESTART)")
        for _ in range(6):
            commit(connection)
        copy = copied(path, tmp_path / "torn")
    log = copy.with_name(f"{copy.name}-wal")
    content = bytearray(log.read_bytes())
    content[int(len(content) * where)] ^= 0xFF
    log.write_bytes(content)

    assert "breaks off" in keep_torn_log(copy)
    assert log.with_name(f"{log.name}.torn-1").read_bytes() == content


def test_without_a_log_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    used(path).close()
    assert keep_torn_log(path) == ""
    assert keep_torn_log(tmp_path / "none.db") == ""
