"""A worker that is frozen, whose folder is taken away, or whose clock jumps."""

import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.answers import search, until_part
from tests.integration.folders import Folder, folder
from tests.integration.killing import processes_of
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import environment, running
from tests.integration.saving import save
from worker.shared.errors import WorkerUnavailableError
from worker.shared.launch import ensure_running
from worker.shared.paths import Paths, write_private
from worker.shared.readiness import PartState

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and open files")

# The time that Python tells, moved by the seconds in a file beside this.
CLOCK = """
import pathlib, time
moved = pathlib.Path(__file__).with_name("moved")
true, true_ns = time.time, time.time_ns
time.time = lambda: true() + float(moved.read_text())
time.time_ns = lambda: true_ns() + int(float(moved.read_text()) * 10**9)
"""
DAY = 86_400.0


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Folder]:
    with folder(tmp_path / "data") as made:
        yield made


@POSIX
def test_a_frozen_worker_is_told_not_doubled_and_goes_on_when_it_thaws(own: Folder) -> None:
    worker = own.start()
    worker.send_signal(signal.SIGSTOP)

    began = time.monotonic()
    with pytest.raises(WorkerUnavailableError, match="memtray-worker restart"):
        ensure_running(own.paths, wait_seconds=3)
    assert time.monotonic() - began < 10
    assert own.processes() == [worker]

    worker.send_signal(signal.SIGCONT)
    assert ensure_running(own.paths).pid == worker.pid
    assert own.command("save", "Thawed well").returncode == 0
    assert "Thawed well" in own.command("search", "thawed").stdout


@POSIX
@pytest.mark.parametrize("anew", [False, True])
def test_a_worker_whose_folder_is_replaced_leaves_it_to_the_next(own: Folder, anew: bool) -> None:
    first = own.start()
    shutil.rmtree(own.paths.data_dir)
    if anew:
        without_meaning(own.paths.data_dir)

    assert first.wait(15) in (0, None)

    second = own.start()
    assert own.processes() == [second]
    assert own.command("save", "A new beginning").returncode == 0


@POSIX
def test_of_two_workers_on_a_replaced_folder_the_first_ends(own: Folder) -> None:
    first = own.start()
    shutil.rmtree(own.paths.own)
    without_meaning(own.paths.data_dir)

    with running(own.paths.data_dir, environ=own.environ) as second:
        first.wait(15)
        assert processes_of(own.paths.data_dir) == [second.process.pid]
        assert second.get("/health")[1]["pid"] == second.process.pid
        assert own.record.pid == second.process.pid


def test_whatever_the_clock_does_memories_are_saved_and_found(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "sitecustomize.py").write_text(CLOCK, encoding="utf-8")
    moved = place / "moved"
    moved.write_text("0", encoding="utf-8")
    data_dir = tmp_path / "data"
    new_database(Paths(data_dir).database, some())
    without_meaning(data_dir)

    with running(data_dir, environ=environment(tmp_path) | {"PYTHONPATH": str(place)}) as worker:
        until_part(worker, "keyword", PartState.OK)
        for number, seconds in enumerate((400 * DAY, -400 * DAY, 0.0, -3600.0, 30 * 365 * DAY)):
            write_private(moved, f"{seconds}")  # in one step: the worker reads it all the time
            saved = save(worker, f"An ibis{number} waits")
            began = time.monotonic()
            while not (found := search(worker, query=f"ibis{number}").items):
                assert time.monotonic() < began + 5
            assert [item.id for item in found] == [saved["id"]]
            health = worker.get("/health")[1]
            assert health["pid"] == worker.process.pid
            assert health["uptime_seconds"] >= 0
            assert worker.get("/api/ready")[0] == 200
        assert worker.stop() == 0
