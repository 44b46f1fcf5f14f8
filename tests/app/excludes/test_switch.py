"""Capture is paused and goes on, and what is said of it."""

import datetime as dt
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.excludes.switch import CaptureSwitch
from app.excludes.wording import minutes_left, paused_line
from app.worker_client import WorkerClient
from tests.integration.processes import Worker
from worker.shared.capture import CaptureReply
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths

WAIT = 20_000
NOON = dt.datetime(2026, 6, 1, 12, 0).astimezone()


def test_a_pause_is_known_to_who_looks_later_and_ends_on_demand(
    qtbot: QtBot, worker: Worker, client: WorkerClient
) -> None:
    switch, other = CaptureSwitch(client), CaptureSwitch(client)

    with qtbot.waitSignal(switch.changed, timeout=WAIT):
        switch.pause_until_resumed()
    with qtbot.waitSignal(other.changed, timeout=WAIT):
        other.look()
    with qtbot.waitSignal(switch.changed, timeout=WAIT):
        switch.resume()

    assert other.state is not None
    assert other.state.paused
    assert switch.state is not None
    assert not switch.state.paused


@pytest.mark.parametrize("pause", ["pause_hour", "pause_day"])
def test_a_pause_ends_by_itself_at_a_time_that_is_told(
    qtbot: QtBot, worker: Worker, client: WorkerClient, pause: str
) -> None:
    switch = CaptureSwitch(client)

    with qtbot.waitSignal(switch.changed, timeout=WAIT):
        getattr(switch, pause)()

    assert switch.state is not None
    assert switch.state.until is not None
    assert paused_line(switch.state, dt.datetime.now(dt.UTC)).startswith("Capture is paused until")
    with qtbot.waitSignal(switch.changed, timeout=WAIT):
        switch.resume()


def test_without_a_worker_the_reason_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    switch = CaptureSwitch(WorkerClient(Paths(tmp_path), environ={}))

    with qtbot.waitSignal(switch.failed, timeout=WAIT) as failed:
        switch.pause_hour()

    assert failed.args is not None
    assert isinstance(failed.args[0], MemtrayError)


def test_a_line_tells_that_it_is_paused_and_until_when() -> None:
    later = (NOON + dt.timedelta(hours=1)).isoformat()
    tomorrow = (NOON + dt.timedelta(days=1)).isoformat()

    assert paused_line(None, NOON) == ""
    assert paused_line(CaptureReply(paused=False), NOON) == ""
    assert paused_line(CaptureReply(paused=True), NOON) == "Capture is paused"
    assert paused_line(CaptureReply(paused=True, until=later), NOON) == (
        "Capture is paused until 13:00"
    )
    assert paused_line(CaptureReply(paused=True, until=tomorrow), NOON) == (
        "Capture is paused until 2026-06-02 12:00"
    )


def test_today_lasts_until_midnight() -> None:
    assert minutes_left(NOON) == 12 * 60
    assert minutes_left(NOON.replace(hour=23, minute=59, second=50)) == 1
