"""What every window of ours does: remembers where it was, closes with Esc, and comes back."""

from PySide6.QtCore import QByteArray, QRect, QSettings, QSize
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

_FRAME = QSize(16, 40)  # what a window manager draws around a window, at most


def room() -> QSize:
    """Return how large a window may be: a screen is small where all is shown at twice its size."""
    return QGuiApplication.primaryScreen().availableSize() - _FRAME


def _can_be_taken(window: QRect, screen: QRect) -> bool:
    """Say whether half of the window's upper edge, by which it is moved, lies on the screen."""
    edge = QRect(window.topLeft(), QSize(window.width(), _FRAME.height()))
    seen = edge.intersected(screen)
    return seen.height() * 2 >= edge.height() and seen.width() * 2 >= edge.width()


class Window(QWidget):
    """A window of its own, hidden when it is closed, so that it opens at once the next time."""

    def __init__(self, name: str, places: QSettings, *, width: int, height: int) -> None:
        """`name` tells windows apart in `places`, which holds geometry and nothing else."""
        super().__init__()
        self.setObjectName(name)
        self._name, self._places = name, places
        self._escape = QShortcut(QKeySequence("Esc"), self, self.leave)
        if not self.restoreGeometry(self.kept("geometry")):
            self.resize(QSize(width, height).boundedTo(room()))

    def present(self) -> None:
        """Show the window on a screen that is there, before all others."""
        screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
        if not any(_can_be_taken(self.frameGeometry(), screen) for screen in screens):
            self.move(screens[0].topLeft())
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def leave(self) -> None:
        """What Esc does."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keep("geometry", self.saveGeometry())
        super().closeEvent(event)

    def keep(self, what: str, state: QByteArray) -> None:
        """Remember the state of a splitter or a header."""
        self._places.setValue(f"{self._name}/{what}", state)

    def kept(self, what: str) -> QByteArray:
        """Return what was remembered; empty if nothing was."""
        value = self._places.value(f"{self._name}/{what}")
        return value if isinstance(value, QByteArray) else QByteArray()
