"""Looks for a tray: it may come seconds after us or never, and go away while we run."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

PATIENCE_SECONDS = 10.0  # before something else is shown
HURRY_SECONDS = 300.0  # afterwards it is looked for more seldom
LOOK_MS, SELDOM_MS = 500, 5_000


class TrayFinder(QObject):
    """Says `found` when a tray has come, `missing` when there has been none for a while."""

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
        self._missed_since: float | None = clock()  # None while it is there
        self._said_missing = False
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)

    @property
    def pause_ms(self) -> int:
        """How long it is until the next look."""
        return self._timer.interval()

    def begin(self) -> None:
        """Look now, and from now on."""
        self._missed_since = self._clock()
        self._timer.start()
        self.look()

    def look(self) -> None:
        """Look once more."""
        now, is_there = self._clock(), self._available()
        if is_there and self._missed_since is not None:
            self._missed_since, self._said_missing = None, False
            self.found.emit()
        elif not is_there:
            self._miss(now)
        missed = self._missed_since
        hurry = missed is not None and now - missed < HURRY_SECONDS
        self._timer.setInterval(LOOK_MS if hurry else SELDOM_MS)

    def _miss(self, now: float) -> None:
        if self._missed_since is None:
            self._missed_since = now
        if now - self._missed_since >= self._patience and not self._said_missing:
            self._said_missing = True
            self.missing.emit()
