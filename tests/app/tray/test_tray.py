"""The icon itself, as far as it can be seen without a tray."""

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.tray.menu import TrayMenu
from app.tray.tray import Tray, opens_search
from tests.app.statuses import RUNNING, STOPPED

Reason = QSystemTrayIcon.ActivationReason


@pytest.mark.parametrize(
    ("platform", "reason", "opens"),
    [
        ("linux", Reason.Trigger, True),
        ("win32", Reason.Trigger, True),
        ("win32", Reason.DoubleClick, True),
        ("linux", Reason.Context, False),
        ("linux", Reason.MiddleClick, False),
        ("darwin", Reason.Trigger, False),
    ],
)
def test_a_click_opens_the_search_window_except_on_macos(
    platform: str, reason: Reason, opens: bool
) -> None:
    assert opens_search(reason, platform) is opens


def test_icon_and_tooltip_follow_the_status(menu: TrayMenu) -> None:
    tray = Tray(menu)

    tray.show_status(RUNNING)
    running = tray.icon.icon().cacheKey()
    tray.show_status(STOPPED)

    assert tray.icon.toolTip() == "Memtray – stopped"
    assert tray.icon.icon().cacheKey() != running


def test_the_tooltip_tells_that_capture_is_paused(menu: TrayMenu) -> None:
    tray = Tray(menu)
    tray.show_status(STOPPED)

    tray.show_paused("Capture is paused")
    assert tray.icon.toolTip() == "Memtray – stopped\nCapture is paused"

    tray.show_paused("")
    assert tray.icon.toolTip() == "Memtray – stopped"


def test_a_click_asks_for_the_search_window(qtbot: QtBot, menu: TrayMenu) -> None:
    tray = Tray(menu, platform="linux")

    with qtbot.waitSignal(tray.search_requested):
        tray.icon.activated.emit(Reason.Trigger)
