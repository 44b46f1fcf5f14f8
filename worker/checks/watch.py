"""A check that may take its time, asked by somebody who may not."""

import logging
import math
import threading
import time
from collections.abc import Callable

from worker.checks.report import degraded, off
from worker.shared.readiness import PartReport, PartState

log = logging.getLogger(__name__)

HANGS_SECONDS = 2.0  # a check of which an answer was expected at once


class Watch:
    """Runs one check in a thread, never twice at once, and keeps what it found last.

    `every`: after so many seconds the next question runs it anew; after `again` unless it was well.
    `patience`: so long a question waits for it; with none, it is one that takes long.
    """

    def __init__(
        self,
        part: str,
        check: Callable[[], PartReport],
        *,
        every: float,
        again: float = math.inf,
        patience: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._part = part
        self._check = check
        self._every = every
        self._again = min(every, again)
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._began = 0.0
        self._found: tuple[float, PartReport] | None = None

    def report(self) -> PartReport:
        """Return what was found last, with its age, and look again where that is old."""
        found = self._found
        if found is None or self._clock() - found[0] >= self._rest(found[1]):
            self.run(self._patience)
        return self.last()

    def _rest(self, found: PartReport) -> float:
        return self._every if found.state is PartState.OK else self._again

    def last(self) -> PartReport:
        """Return what was found last, with its age, without looking."""
        found, now = self._found, self._clock()
        waiting = now - self._began
        if self._patience and self._is_running() and waiting > HANGS_SECONDS:
            return degraded(
                self._part,
                f"It has not answered for {waiting:.0f} s: the disk is slow, or another program "
                "holds a lock.",
                "It is asked again; if that goes on, stop the other program.",
            )
        if found is None:
            return off(self._part, "It has not been looked at yet.")
        return found[1].model_copy(update={"age_seconds": round(now - found[0], 1)})

    def run(self, wait_seconds: float | None = None) -> None:
        """Look now, unless that is being done; wait for the end, at most so many seconds."""
        with self._lock:
            if not self._is_running():
                self._began = self._clock()
                self._thread = threading.Thread(
                    target=self._run, name=f"check {self._part}", daemon=True
                )
                self._thread.start()
            thread = self._thread
        if thread and (wait_seconds is None or wait_seconds > 0):
            thread.join(wait_seconds)

    def forget(self) -> None:
        """Take what was found for outdated."""
        self._found = None

    def join(self, timeout: float) -> None:
        """Wait until no check is running."""
        if self._thread:
            self._thread.join(timeout)

    def _is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _run(self) -> None:
        try:
            found = self._check()
        except Exception as exc:  # the top of a thread
            log.exception("the check of %s failed", self._part)
            found = degraded(
                self._part, f"It cannot be checked ({type(exc).__name__}: {exc}).", "See the log."
            )
        self._found = (self._clock(), found)
