"""Opens a file that a memory names, where that is safe; else its name is copied."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background import Background
from app.outside import open_outside
from app.search.preview.opening import Opening, opening_of


class Opener(QObject):
    """`opened` with a path, or `absent` with the name as the memory has it."""

    opened = Signal(str)
    absent = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._background = Background(self)  # a disk in the network may not answer for long
        self._named = ""

    def open(self, named: str) -> None:
        """Look whether there is such a file, and open it or its folder."""
        self._named = named
        job = self._background.run("files", partial(opening_of, named, home=Path.home()))
        job.done.connect(self._open)

    def _open(self, opening: object) -> None:
        path = str(opening.path) if isinstance(opening, Opening) else ""
        if path and open_outside(path):
            self.opened.emit(path)
        else:
            self.absent.emit(self._named)
