"""A log window on a folder of a test's own."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app.background import Background
from app.logs.window import LogWindow
from app.theme import Theme
from worker.shared.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    made = Paths(tmp_path / "data")
    made.create()
    return made


@pytest.fixture
def window(
    paths: Paths, background: Background, theme: Theme, tmp_path: Path, qtbot: QtBot
) -> LogWindow:
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    made = LogWindow(paths, background, places, theme)
    qtbot.addWidget(made)
    return made
