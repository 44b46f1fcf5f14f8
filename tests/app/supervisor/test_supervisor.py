"""The supervisor over real workers: started, found, killed, frozen, stopped, left."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from app.status import AppStatus, Look
from tests.app.supervisor.conftest import Watch
from tests.bench.workers import free_port
from tests.integration.folders import Folder
from tests.shared.stub import Answer, Asked, Stub, problem
from worker.shared.readiness import PartState, Ready
from worker.shared.settings import save_settings
from worker.shared.stop import SHUTDOWN, stop_worker

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and a script of POSIX")


def port_of(status: AppStatus) -> int | None:
    return status.worker.health.port if status.worker and status.worker.health else None


@POSIX
def test_a_killed_worker_is_back_soon(place: Folder, watch: Watch) -> None:
    watched = watch()
    began = time.monotonic()
    watched.supervisor.begin()
    first = watched.runs()
    start = time.monotonic() - began
    watched.until_looks(Look.RUNNING)

    os.kill(first, signal.SIGKILL)
    killed = time.monotonic()
    second = watched.runs(but=first)
    assert time.monotonic() - killed < max(5, 3 + 2 * start)  # where all is slow, so is a start
    assert place.record.pid == second

    watched.until_looks(Look.RUNNING)
    assert watched.gave_up == []
    watched.leaves()
    assert place.processes() == []
    assert not place.paths.worker_json.exists()
    assert not place.paths.stopped_mark.exists()


@POSIX
def test_a_frozen_worker_shows_within_fifteen_seconds_and_comes_back(
    place: Folder, watch: Watch
) -> None:
    watched = watch()
    watched.supervisor.begin()
    watched.until_looks(Look.RUNNING)
    pid = watched.runs()

    os.kill(pid, signal.SIGSTOP)
    try:
        shown = watched.until_looks(Look.ERROR, seconds=15)
        assert "not answer" in shown.impairments[0].cause
        assert shown.can_stop
        assert not shown.can_start
    finally:
        os.kill(pid, signal.SIGCONT)
    watched.until_looks(Look.RUNNING)
    assert watched.runs() == pid

    watched.supervisor.stop()
    assert watched.until_looks(Look.STOPPED).can_start
    assert place.processes() == []


def test_what_is_stopped_elsewhere_stays_stopped_until_somebody_starts_it(
    place: Folder, watch: Watch
) -> None:
    pid = place.start().pid
    watched = watch(pace=4)
    watched.supervisor.begin()
    watched.until_looks(Look.RUNNING)
    assert watched.runs() == pid

    stop_worker(place.paths)
    shown = watched.until_looks(Look.STOPPED)
    assert (shown.can_start, shown.can_stop) == (True, False)
    began = time.monotonic()
    while time.monotonic() - began < 1.5:
        watched.supervisor.look_now()
        watched.bot.wait(300)
    assert place.processes() == []

    watched.supervisor.start()
    assert watched.runs() != pid
    watched.leaves()


def test_a_worker_that_was_there_is_adopted_and_outlives_the_app(
    place: Folder, watch: Watch
) -> None:
    worker = place.start()
    watched = watch()
    watched.supervisor.begin()
    shown = watched.until_looks(Look.RUNNING)
    assert watched.runs() == worker.pid
    assert not shown.quit_stops_worker

    watched.leaves()
    assert worker.is_running()
    assert place.status()["pid"] == worker.pid


def test_a_worker_that_is_not_to_start_with_the_app_waits_for_a_wish(
    place: Folder, watch: Watch
) -> None:
    place.paths.settings.write_text('{"start_worker": false, "semantic": false}', encoding="utf-8")
    watched = watch()
    watched.supervisor.begin()
    shown = watched.until_looks(Look.STOPPED)
    assert (shown.can_start, shown.quit_stops_worker) == (True, False)
    assert place.processes() == []
    watched.leaves()


@POSIX
def test_a_worker_that_always_ends_is_given_up_after_five_starts(
    place: Folder, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "bin" / "memtray-worker"
    script.parent.mkdir()
    script.write_text(
        f"#!/bin/sh\necho start >> {tmp_path}/starts\necho no disk, no luck >&2\nexit 3\n",
        encoding="utf-8",
    )
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script.with_name("python")))
    watched = watch(pace=10)
    watched.supervisor.begin()

    watched.until(lambda: bool(watched.gave_up))
    assert watched.gave_up[0].exit_code == 3
    assert "no disk, no luck" in "\n".join(watched.gave_up[0].lines)
    shown = watched.until_looks(Look.ERROR)
    assert (shown.can_start, shown.can_stop) == (True, False)
    starts = tmp_path / "starts"
    watched.bot.wait(1_000)
    assert len(starts.read_text(encoding="utf-8").splitlines()) == 5

    watched.supervisor.restart()
    watched.until(lambda: len(starts.read_text(encoding="utf-8").splitlines()) > 5)
    watched.leaves()


def test_a_restart_takes_the_port_that_was_set_and_is_told_however_quick_it_was(
    place: Folder, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MEMTRAY_PORT")
    save_settings(place.paths.settings, {"port": place.port})
    watched = watch()
    watched.supervisor.begin()
    first = watched.runs()
    watched.until_looks(Look.RUNNING)
    other = free_port()

    save_settings(place.paths.settings, {"port": other})
    watched.statuses.clear()
    watched.supervisor.restart()
    watched.runs(but=first)

    assert place.record.port == other
    watched.until(lambda: other in [port_of(status) for status in watched.statuses])
    watched.leaves()


def test_a_worker_that_is_just_starting_goes_with_the_app(place: Folder, watch: Watch) -> None:
    watched = watch()
    watched.supervisor.begin()
    watched.until(lambda: bool(place.processes()))
    watched.leaves()
    watched.until(lambda: place.processes() == [])


def test_an_older_worker_is_asked_once_to_make_way_and_told_where_it_does_not(
    place: Folder, watch: Watch
) -> None:
    ready = Answer(Ready(state=PartState.OK, parts=[]).model_dump_json().encode())
    refusal = problem(404, "not_found", "there is no such address")

    def answer(asked: Asked) -> Answer:
        return ready if asked.path == "/api/ready" else refusal

    with Stub(place.paths, answer, version="0.0.1").serving() as older:
        older.announce()
        watched = watch(pace=8)
        watched.supervisor.begin()
        shown = watched.until_looks(Look.DEGRADED)
        looks = sum(asked.path == "/api/ready" for asked in older.asked)
        watched.until(lambda: sum(asked.path == "/api/ready" for asked in older.asked) > looks + 2)

        assert [asked.path for asked in older.asked if asked.method == "POST"] == [SHUTDOWN]
        assert "0.0.1" in shown.impairments[0].cause
        assert not shown.quit_stops_worker
        watched.leaves()


@POSIX
def test_a_frozen_worker_does_not_keep_the_app(place: Folder, watch: Watch) -> None:
    watched = watch()
    watched.supervisor.begin()
    watched.until_looks(Look.RUNNING)
    os.kill(watched.runs(), signal.SIGSTOP)
    began = time.monotonic()
    watched.leaves()
    assert time.monotonic() - began < 15
