"""Who writes when: one thread at a time, and so few wait for it that reading always goes on."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from worker.shared.errors import NotWrittenError
from worker.store.connection import BUSY_SECONDS

WAITING = 4  # writers, the one that writes included: half of the threads that answer requests
PLACE_SECONDS = 1.0


class Turns:
    """The turns of all threads of this process that write to one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places = threading.BoundedSemaphore(WAITING)
        self._turn = threading.BoundedSemaphore(1)

    @contextmanager
    def take(self) -> Iterator[None]:
        """Run the block when it is its turn; raise NotWrittenError when that takes too long."""
        with self._within(self._places, PLACE_SECONDS), self._within(self._turn, BUSY_SECONDS):
            yield

    @contextmanager
    def _within(self, gate: threading.BoundedSemaphore, seconds: float) -> Iterator[None]:
        if not gate.acquire(timeout=seconds):
            raise NotWrittenError(
                f"{self._path}: others wait already until they may write; try again in a moment"
            )
        try:
            yield
        finally:
            gate.release()
