"""Where notices come in: kept, shown if the user wants them, opened by a click."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.notices.policy import Kind, Notice, Notices, wanted
from worker.shared.settings import Settings


class Board(QObject):
    """Decides by the policy; `shown` goes to the tray, `opened` to the window of the cause."""

    changed = Signal()
    shown = Signal(object)  # a Notice
    opened = Signal(object)  # a Notice

    def __init__(
        self,
        settings: Callable[[], Settings],
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(parent)
        self._settings, self._clock = settings, clock
        self._notices = Notices()
        self._last: Notice | None = None

    @property
    def kept(self) -> tuple[Notice, ...]:
        """All notices of this run, newest first."""
        return self._notices.kept

    def tell(self, kind: Kind, title: str, text: str) -> None:
        """Take a notice in."""
        notice = Notice(kind, title, text, self._clock())
        if not self._notices.take(notice):
            return
        self.changed.emit()
        if wanted(kind, self._settings()):
            self._last = notice
            self.shown.emit(notice)

    def open_last(self) -> None:
        """Open the cause of the message that was clicked: the one shown last."""
        if self._last is not None:
            self.opened.emit(self._last)

    def clear(self) -> None:
        """Empty the list."""
        self._notices.clear()
        self.changed.emit()
