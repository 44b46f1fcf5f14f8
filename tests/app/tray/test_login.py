"""The line `Start at login` shows what the system really has."""

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from app.background import Background
from app.tray.login import LoginSwitch
from tests.app.login_entry import Entry


@pytest.fixture
def action(qtbot: QtBot) -> QAction:
    return QAction("Start at login", checkable=True)


def test_it_mirrors_the_entry_each_time(
    qtbot: QtBot, action: QAction, background: Background
) -> None:
    entry = Entry(on=True)
    switch = LoginSwitch(action, entry, background)

    switch.look()
    qtbot.waitUntil(action.isChecked)
    entry.on = False  # by somebody else
    switch.look()

    qtbot.waitUntil(lambda: not action.isChecked())


def test_choosing_it_changes_the_entry(
    qtbot: QtBot, action: QAction, background: Background
) -> None:
    entry = Entry()
    switch = LoginSwitch(action, entry, background)

    action.trigger()
    qtbot.waitUntil(lambda: entry.on)
    action.trigger()

    qtbot.waitUntil(lambda: not entry.on)
    assert switch is not None


def test_a_refusal_is_told_and_the_check_goes_back(
    qtbot: QtBot, action: QAction, background: Background
) -> None:
    switch = LoginSwitch(action, Entry(refuses=True), background)

    with qtbot.waitSignal(switch.failed) as failed:
        action.trigger()

    assert isinstance(failed.args[0], PermissionError)
    qtbot.waitUntil(lambda: not action.isChecked())
