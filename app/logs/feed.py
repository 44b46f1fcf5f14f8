"""Follows the log files while somebody looks, without ever blocking the window."""

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Background
from app.logs.reader import Page, Reader
from app.logs.selection import Selection

_EVERY = 500  # milliseconds
_KIND = "logs"


class Feed(QObject):
    """Gives each page by `read`; one reading at a time, and none while nobody looks."""

    read = Signal(object)
    failed = Signal(str)

    def __init__(self, folder: Path, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._background = background
        self._reader = Reader(folder)
        self._waiting: deque[Callable[[], Page]] = deque()
        self._busy = self._begun = False
        self._timer = QTimer(self, interval=_EVERY)
        self._timer.timeout.connect(self._more)

    def look(self) -> None:
        """Read now, and follow from now on."""
        self._ask(self._reader.more if self._begun else self._reader.begin)
        self._begun = True
        self._timer.start()

    def look_away(self) -> None:
        """Read nothing any more."""
        self._timer.stop()

    def select(self, selection: Selection) -> None:
        """Give what is selected of all that was read."""
        self._ask(partial(self._reader.select, selection))

    def older(self) -> None:
        """Read what comes before."""
        self._ask(self._reader.older)

    def clear(self) -> None:
        """Begin with nothing."""
        self._ask(self._reader.clear)

    def _more(self) -> None:
        if not self._busy:
            self._ask(self._reader.more)

    def _ask(self, work: Callable[[], Page]) -> None:
        self._waiting.append(work)
        if not self._busy:
            self._next()

    def _next(self) -> None:
        self._busy = bool(self._waiting)
        if self._busy:
            job = self._background.run(_KIND, self._waiting.popleft())
            job.done.connect(self._done)
            job.failed.connect(self._broken)

    def _done(self, page: Page) -> None:
        self.read.emit(page)
        self._next()

    def _broken(self, error: Exception) -> None:
        self.failed.emit(str(error))
        self._next()
