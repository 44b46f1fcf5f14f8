"""The menu that tests of the tray open."""

import pytest
from pytestqt.qtbot import QtBot

from app.tray.actions import Actions
from app.tray.menu import TrayMenu


@pytest.fixture
def menu(qtbot: QtBot, actions: Actions) -> TrayMenu:
    menu = TrayMenu(actions)
    qtbot.addWidget(menu)
    return menu
