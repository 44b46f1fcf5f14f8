"""Looks for a tray: at login it may come seconds after us, in some desktops never."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

PATIENCE_SECONDS = 10.0  # before something else is shown
GIVE_UP_SECONDS = 300.0  # afterwards nobody looks any more
_LOOK_MS = 500


class TrayFinder(QObject):
    """Says `found` once when there is a tray, and before that `missing` once if none came soon."""

    found = Signal()
    missing = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        available: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        patience: float = PATIENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._available, self._patience, self._clock = available, patience, clock
        self._begun = clock()
        self._said_missing = False
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    @property
    def looks_on(self) -> bool:
        """True while a tray that comes would be found."""
        return self._timer.isActive()

    def begin(self) -> None:
        """Look now, and go on for some minutes if there is none."""
        self._begun = self._clock()
        self._timer.start()
        self.look()

    def look(self) -> None:
        """Look once more."""
        waited = self._clock() - self._begun
        if self._available():
            self._timer.stop()
            self.found.emit()
            return
        if waited >= self._patience and not self._said_missing:
            self._said_missing = True
            self.missing.emit()
        if waited >= GIVE_UP_SECONDS:
            self._timer.stop()
