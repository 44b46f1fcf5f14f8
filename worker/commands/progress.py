"""How far a long command is: a line on stderr that is written over, for people alone."""

import sys
import time
from types import TracebackType
from typing import TextIO

PATIENCE = 2.0  # seconds, before anything is shown
PAUSE = 0.2  # seconds, between two looks


class Progress:
    """Shows a number that grows; nothing where stderr is no terminal."""

    def __init__(
        self,
        what: str,
        total: int | None = None,
        *,
        stream: TextIO | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._what = what
        self._of = "" if total is None else f" of {total:,}"
        self._stream = stream or sys.stderr
        self._due = time.monotonic() + patience
        self._width = 0

    def __enter__(self) -> "Progress":
        return self

    def show(self, done: int, more: str = "") -> None:
        """Write it and what else is to say, if there is somebody to read it and it is time."""
        if time.monotonic() >= self._due and self._stream.isatty():
            self._due = time.monotonic() + PAUSE
            self._write(f"{done:,}{self._of} {self._what}{more}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the line away, so that the answer stands alone."""
        if self._width:
            self._write("")
            self._stream.write("\r")
            self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)
