"""What every window does, however large it would like to be."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings
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


@pytest.mark.parametrize(
    ("right", "down", "moved"),
    [
        (0.1, 0.1, False),
        (0.95, 0.95, True),  # a corner would be in sight
        (-0.3, 0.5, True),  # the right part alone
        (0.5, -0.2, True),  # all but the edge by which it is moved
        (3.0, 0.0, True),
    ],
)
def test_a_window_comes_back_where_it_can_be_taken(
    qtbot: QtBot, tmp_path: Path, right: float, down: float, moved: bool
) -> None:
    screen = QGuiApplication.primaryScreen().availableGeometry()
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    window = Window("lost", places, width=screen.width() // 2, height=screen.height() // 2)
    qtbot.addWidget(window)
    window.present()
    pushed = screen.topLeft() + QPoint(int(right * screen.width()), int(down * screen.height()))
    window.move(pushed)
    window.close()

    window.present()

    assert window.pos() == (screen.topLeft() if moved else pushed)
