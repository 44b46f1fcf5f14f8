"""`python -m tests.e2e.every_window`: opens each window of the app and tells how it fits.

One line of JSON for each: its name, its frame, the room on the screen, the texts that are cut off,
and the pictures that are not drawn for this screen. With `--move`, each is moved first and made
smaller.
"""

import json
import os
import sys
from functools import cached_property

from PySide6.QtCore import QObject, QRect, QSize, QTimer
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.application import Application
from app.process import new_application
from app.tray.described import box, described_windows
from app.windows import Windows
from tests.app.cut_off import cut_off
from worker.shared.paths import default_paths

_TURN_MS = 250
_MOVED = QRect(140, 90, 700, 500)


class Tour(QObject):
    """Opens one window after the other; each is looked at once it says the same twice."""

    def __init__(self, app: Application, *, move: bool) -> None:
        super().__init__(app)
        self._app, self._move = app, move
        self._names = [name for name, made in vars(Windows).items() if _is_maker(made)]
        self._window: QWidget | None = None
        self._is_moved = False
        self._before: object = None
        self._turns = QTimer(self, interval=_TURN_MS)
        self._turns.timeout.connect(self._turn)
        self._turns.start()

    def _turn(self) -> None:
        if self._window is None:
            self._open_next()
        elif self._is_settled(self._window):
            if self._move and not self._is_moved:
                self._window.setGeometry(_MOVED)
                self._is_moved = True
                return
            self._tell(self._window)
            self._window.close()
            self._window = None

    def _open_next(self) -> None:
        if not self._names:
            self._turns.stop()
            self._app.quit()
            return
        window = getattr(self._app.windows, self._names.pop(0))
        self._window, self._is_moved, self._before = window, False, None
        window.open()

    def _is_settled(self, window: QWidget) -> bool:
        """Say whether it is on the screen and says what it said a turn ago."""
        handle = window.windowHandle()
        before, self._before = self._before, described_windows([window])
        return bool(handle and handle.isExposed() and before == self._before)

    def _tell(self, window: QWidget) -> None:
        told = {
            "name": window.objectName(),
            "frame": box(window.frameGeometry()),
            "room": box(QGuiApplication.primaryScreen().availableGeometry()),
            "cut": cut_off(window),
            "blurred": blurred(window),
        }
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()


def blurred(window: QWidget) -> list[str]:
    """Return the pictures of a window that have fewer dots than the screen shows of them."""
    ratio = window.devicePixelRatio()
    pictures: list[tuple[QWidget, QPixmap]] = [
        (each, each.pixmap()) for each in window.findChildren(QLabel)
    ]
    buttons = window.findChildren(QAbstractButton)
    pictures += [(each, each.icon().pixmap(each.iconSize(), ratio)) for each in buttons]
    small = QSize(16, 16)
    pictures.append((window, window.windowIcon().pixmap(small, ratio)))
    return [str(each) for each, picture in pictures if _is_coarse(picture, ratio)]


def _is_coarse(picture: QPixmap, ratio: float) -> bool:
    return not picture.isNull() and picture.devicePixelRatio() < ratio


def _is_maker(made: object) -> bool:
    return isinstance(made, cached_property)


def main() -> int:
    qt = new_application(["memtray"])
    app = Application(qt, default_paths())
    app.begin(openly=False)
    Tour(app, move="--move" in sys.argv)
    return qt.exec()


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
