"""Saving while the database is locked, full or read-only: the answer says so; no half row."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.integration.answers import BY_WORDS, search, until_part
from tests.integration.memories import NOON, new_database, some, without_meaning
from tests.integration.processes import ROOT, Worker, command, environment, running
from tests.integration.saving import save
from tests.nobody import as_nobody
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

WRITERS, INSERTS = 4, 500
REFUSED = 15.0  # seconds, until a save that cannot be is answered

# A program that writes through our store, a row a transaction.
WRITER = f"""
import sys
from pathlib import Path
from typing import Any
from worker.store.store import Store
from worker.store.writing import NewMemory, save

store = Store(Path(sys.argv[1]))
store.open()
for number in range({INSERTS}):
    text = f"Writer {{sys.argv[2]}} wrote {{number}}"
    with store.atomic() as connection:
        save(connection, NewMemory(text, text, "stress", "discovery", (), ()), now={NOON})
store.close()
"""


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """A worker that searches by words alone, so that it starts quickly."""
    new_database(Paths(tmp_path).database, some())
    without_meaning(tmp_path)
    with running(tmp_path) as started:
        until_part(started, "keyword", PartState.OK)
        yield started


@contextmanager
def locked(worker: Worker) -> Iterator[sqlite3.Connection]:
    """Hold the database as another program that writes does."""
    database = Paths(worker.data_dir).database
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def count(worker: Worker, table: str = "observations") -> int:
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection:
        (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(number)


def refusal(asked: "Future[dict[str, Any]]") -> MemtrayError:
    """Return why a save was not done."""
    error = asked.exception(REFUSED)
    assert isinstance(error, MemtrayError)
    return error


def test_a_lock_of_three_seconds_is_waited_for(worker: Worker) -> None:
    with ThreadPoolExecutor(1) as client:
        with locked(worker):
            asked = client.submit(save, worker, "Patience pays")
            with pytest.raises(TimeoutError):
                asked.result(3)
        saved = asked.result(5)

    assert worker.get(f"/api/observation/{saved['id']}")[0] == 200


def test_a_longer_lock_is_told_with_its_holder_and_reading_goes_on(worker: Worker) -> None:
    before = count(worker), count(worker, "sdk_sessions")
    slowest = 0.0
    with ThreadPoolExecutor(12) as clients, locked(worker):
        asked = [clients.submit(save, worker, f"Never {n}", project="new") for n in range(12)]
        while not all(each.done() for each in asked):
            began = time.monotonic()
            assert worker.get("/health")[0] == 200
            assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
            slowest = max(slowest, time.monotonic() - began)
        refused = [refusal(each) for each in asked]

    assert slowest < 4
    assert {(error.status, error.code) for error in refused} == {(503, "not_written")}
    waited = next(error.detail for error in refused if "locked" in error.detail)
    assert str(Paths(worker.data_dir).database) in waited
    assert f"(pid {os.getpid()})" in waited
    assert "try again" in waited
    assert (count(worker), count(worker, "sdk_sessions")) == before
    assert save(worker, "Never 0", project="new")["saved"]


def test_four_programs_and_the_worker_write_at_once_without_an_error(worker: Worker) -> None:
    database = str(Paths(worker.data_dir).database)
    before = count(worker)
    ended = threading.Event()

    def keep_saving() -> int:
        number = 0
        while not ended.is_set():
            save(worker, f"The worker saved {number}", project="stress")
            number += 1
        return number

    with ThreadPoolExecutor(1) as client:
        saving = client.submit(keep_saving)
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, database, str(n)], cwd=ROOT)
            for n in range(WRITERS)
        ]
        try:
            codes = [writer.wait(120) for writer in writers]
        finally:
            ended.set()
            for writer in writers:
                writer.kill()
        saved = saving.result(30)

    assert codes == [0] * WRITERS
    assert saved > 0
    assert count(worker) == before + WRITERS * INSERTS + saved
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        one = "SELECT count(*) FROM sdk_sessions WHERE project = 'stress'"
        assert connection.execute(one).fetchone() == (1,)


# ---------------------------------------------------------------------- the disk
def mount(folder: Path, *options: str) -> None:
    """Mount a file system at a folder, or change the one that is there."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs to mount a small file system")
    done = subprocess.run(["mount", *options, str(folder)], check=False, capture_output=True)
    if done.returncode:
        pytest.skip(f"may not mount a file system: {done.stderr.decode()}")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A data folder on a file system of 8 MB of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount(folder, "-t", "tmpfs", "-o", "size=8000k", "tmpfs")
    try:
        new_database(Paths(folder).database, some())
        without_meaning(folder)
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write a file until the disk is full."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        with suppress(OSError):
            while True:
                os.write(handle, bytes(4096))
    finally:
        os.close(handle)


def is_sound(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_full_disk_is_told_and_saving_works_again_when_there_is_room(disk: Path) -> None:
    with running(disk) as worker:
        until_part(worker, "keyword", PartState.OK)
        before = count(worker)
        fill(disk / "filler")

        with pytest.raises(MemtrayError, match="disk is full: free some space") as refused:
            save(worker, "No room " * 10_000)
        assert (refused.value.status, refused.value.code) == (503, "not_written")
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        assert worker.get("/health")[0] == 200
        assert count(worker) == before

        (disk / "filler").unlink()
        assert save(worker, "No room " * 10_000)["saved"]
        assert count(worker) == before + 1
    assert is_sound(Paths(disk).database)


def test_an_export_to_a_full_disk_names_the_file_and_leaves_nothing(
    worker: Worker, disk: Path
) -> None:
    fill(disk / "filler")
    environ = environment(disk) | {"CLAUDE_MEM_DATA_DIR": str(worker.data_dir)}

    done = command("export", str(disk / "memories.jsonl"), environ=environ)

    assert done.returncode == 1
    assert f"No space left on device: '{disk / 'memories.jsonl'}'" in done.stderr
    assert not [each for each in disk.iterdir() if "memories" in each.name]


def test_on_a_read_only_file_system_memories_are_read_and_saving_says_why_not(
    disk: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(Paths(disk).database)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # SQLite cannot read a WAL without room
    own = tmp_path / "own"
    shutil.copytree(Paths(disk).own, own)
    mount(Paths(disk).own, "--bind", str(own))  # ours is elsewhere and can be written
    mount(disk, "-o", "remount,ro")
    try:
        with running(disk) as worker:
            until_part(worker, "keyword", PartState.OK)
            assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
            with pytest.raises(MemtrayError, match="may not be written") as refused:
                save(worker, "Etched in stone")
            assert worker.stop() == 0
    finally:
        subprocess.run(["umount", "-l", str(Paths(disk).own)], check=True)
    assert (refused.value.status, refused.value.code) == (503, "not_written")
    assert str(Paths(disk).database) in refused.value.detail


# A program that counts the memories, then saves one.
READER = """
import sys
from pathlib import Path
from typing import Any
from worker.shared.errors import MemtrayError
from worker.store.store import Store
from worker.store.writing import NewMemory, save

store = Store(Path(sys.argv[1]))
try:
    store.open()
    print(sum(store.counts().values()))
    with store.atomic() as connection:
        save(connection, NewMemory("a", "a", "p", "discovery", (), ()), now=1_780_000_000_000)
    print("saved")
except MemtrayError as exc:
    print(exc.detail)
"""


@pytest.mark.parametrize(
    ("file_mode", "folder_mode", "said"),
    [
        (0o444, 0o777, ["60", "attempt to write a readonly database"]),
        (0o666, 0o555, ["it or its folder may not be written"]),
        (0o000, 0o777, ["check that it exists and that you may read it and write its folder"]),
        (0o666, 0o777, ["60", "saved"]),
    ],
)
def test_without_the_right_to_write_the_reason_is_told(
    file_mode: int, folder_mode: int, said: list[str]
) -> None:
    become = as_nobody()
    with tempfile.TemporaryDirectory() as folder:  # pytest's own may be entered by us alone
        data_dir = Path(folder)
        database = Paths(data_dir).database
        new_database(database, some())
        database.chmod(file_mode)
        data_dir.chmod(folder_mode)
        done = subprocess.run(
            [*become, sys.executable, "-c", READER, str(database)],
            cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip

    lines = done.stdout.splitlines()
    assert len(lines) == len(said), (done.stdout, done.stderr)
    assert all(part in line for part, line in zip(said, lines, strict=True)), lines
