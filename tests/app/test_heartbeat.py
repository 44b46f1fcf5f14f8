"""Stalls of the windows are seen, and only theirs."""

import time

from pytestqt.qtbot import QtBot

from app.heartbeat import Heartbeat

STALL_SECONDS = 0.12


def test_a_stall_is_measured_once(qtbot: QtBot) -> None:
    heartbeat = Heartbeat()

    time.sleep(STALL_SECONDS)  # what must never be done in this thread

    assert heartbeat.longest_stall_ms() >= STALL_SECONDS * 1000 - 20
    assert heartbeat.longest_stall_ms() < STALL_SECONDS * 1000 - 20


def test_what_measuring_took_is_no_stall(qtbot: QtBot) -> None:
    heartbeat = Heartbeat()

    time.sleep(STALL_SECONDS)
    heartbeat.skip()

    assert heartbeat.longest_stall_ms() < STALL_SECONDS * 1000 / 2
