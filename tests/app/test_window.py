"""What every window does, however large it would like to be."""

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.window import Window


def test_a_window_is_no_larger_than_the_screen(qtbot: QtBot, tmp_path: Path) -> None:
    room = QGuiApplication.primaryScreen().availableSize()
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    window = Window("large", places, width=room.width() * 2, height=room.height() * 2)
    qtbot.addWidget(window)

    window.present()

    assert window.frameGeometry().width() <= room.width()
    assert window.frameGeometry().height() <= room.height()
