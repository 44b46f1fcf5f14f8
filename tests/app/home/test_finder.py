"""Looking for a tray: soon, later, never."""

import pytest
from pytestqt.qtbot import QtBot

from app.home.finder import HURRY_SECONDS, LOOK_MS, SELDOM_MS, TrayFinder


class Desktop:
    """A desktop whose tray may come late, and its clock."""

    def __init__(self) -> None:
        self.tray = False
        self.seconds = 0.0
        self.said: list[str] = []
        self.finder = TrayFinder(
            available=lambda: self.tray, patience=10, clock=lambda: self.seconds
        )
        self.finder.found.connect(self._found)
        self.finder.missing.connect(self._missing)

    def at(self, seconds: float) -> list[str]:
        """Look at this time, and return what was said until now."""
        self.seconds = seconds
        self.finder.look()
        return self.said

    def _found(self) -> None:
        self.said.append("found")

    def _missing(self) -> None:
        self.said.append("missing")


@pytest.fixture
def desktop(qtbot: QtBot) -> Desktop:
    return Desktop()


def test_a_tray_that_is_there_is_used_at_once(desktop: Desktop) -> None:
    desktop.tray = True

    desktop.finder.begin()

    assert desktop.said == ["found"]


def test_nothing_is_said_for_ten_seconds(desktop: Desktop) -> None:
    desktop.finder.begin()

    assert desktop.at(9.9) == []
    assert desktop.at(10) == ["missing"]


def test_it_is_missed_once_and_may_still_come(desktop: Desktop) -> None:
    desktop.finder.begin()
    desktop.at(10)
    desktop.at(60)
    desktop.tray = True

    assert desktop.at(61) == ["missing", "found"]


def test_after_some_minutes_it_is_looked_for_more_seldom_and_still_found(desktop: Desktop) -> None:
    desktop.finder.begin()
    assert desktop.finder.pause_ms == LOOK_MS

    desktop.at(HURRY_SECONDS)
    assert desktop.finder.pause_ms == SELDOM_MS

    desktop.tray = True
    assert desktop.at(2 * HURRY_SECONDS) == ["missing", "found"]


def test_a_tray_that_goes_away_is_missed_after_the_same_patience(desktop: Desktop) -> None:
    desktop.tray = True
    desktop.finder.begin()
    desktop.tray = False

    assert desktop.at(100) == ["found"]
    assert desktop.finder.pause_ms == LOOK_MS
    assert desktop.at(109.9) == ["found"]
    assert desktop.at(110) == ["found", "missing"]

    desktop.tray = True
    assert desktop.at(111) == ["found", "missing", "found"]
    desktop.tray = False
    desktop.at(200)
    assert desktop.at(210) == ["found", "missing", "found", "missing"]
