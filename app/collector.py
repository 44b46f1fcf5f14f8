"""Python's collector of cycles, kept to the thread of the windows."""

import gc

from PySide6.QtCore import QObject, QTimer

_EACH_MS = 1_000


class Collector(QObject):
    """Collects as often as Python would, but never in a thread for background work.

    There it would delete widgets and timers that wait in a cycle, and Qt then ends the process.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self, interval=_EACH_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def _collect(self) -> None:
        due = [
            generation
            for generation, (count, threshold) in enumerate(
                zip(gc.get_count(), gc.get_threshold(), strict=True)
            )
            if count > threshold
        ]
        if due:
            gc.collect(due[-1])
