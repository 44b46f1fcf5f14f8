"""Measures how long the GUI thread was away, for tests and for `--heartbeat` alone."""

import time
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer

_BEAT_MS = 10
_SCHEDULE = Path("/proc/thread-self/schedstat")  # of Linux; elsewhere a busy machine counts, too


class Heartbeat(QObject):
    """Beats a hundred times a second; a beat that comes late tells of a stall.

    What the thread waited for a processor that others had is taken off: it is not our doing.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._longest = 0.0
        self.skip()
        self._timer = QTimer(self, interval=_BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def longest_stall_ms(self) -> float:
        """Return the longest stall since this was asked last."""
        self._beat()
        longest, self._longest = self._longest, 0.0
        return round(longest, 1)

    def skip(self) -> None:
        """Count nothing from the last beat until now: it was spent on measuring."""
        self._last, self._waited = time.monotonic(), _waited_for_a_processor()

    def _beat(self) -> None:
        before, waited = self._last, self._waited
        self.skip()
        away = self._last - before - (self._waited - waited)
        self._longest = max(self._longest, away * 1000 - _BEAT_MS)


def _waited_for_a_processor() -> float:
    """Return the seconds that this thread could have run and did not, in all its life."""
    try:
        return int(_SCHEDULE.read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0
