"""Imports that are broken off midway, always at the same place."""

import threading
import time
from collections.abc import Callable

from worker.ingest.importing import Imports
from worker.shared.jobs import JobState

Break = Callable[[Imports, str], object]


class Breaker:
    """Is told when rows were written, and has the job broken off once, the first time."""

    def __init__(self, break_off: Break) -> None:
        self._break_off = break_off
        self.imports: Imports | None = None

    def __call__(self) -> None:
        imports, self.imports = self.imports, None
        if imports:
            asked = threading.Thread(target=self._break_off, args=(imports, imports.jobs()[0].id))
            asked.start()
            asked.join()


def until_it_rests(imports: Imports, job: str) -> JobState:
    deadline = time.monotonic() + 60
    while imports.is_busy():
        assert time.monotonic() < deadline
    return imports.job(job).state
