"""Long work that is asked for and looked at later: one at a time, in a thread."""

import logging
import sqlite3
import threading
from collections.abc import Callable

from worker.shared.errors import MemtrayError
from worker.shared.jobs import JobState

_JOIN_SECONDS = 2.0

Work = Callable[[threading.Event], None]  # ends soon once the event is set

log = logging.getLogger(__name__)


class UnderWayError(MemtrayError):
    """One at a time."""

    title = "It is under way"
    code = "busy"
    status = 409


class Errand:
    """Does one kind of work; `state` is None until it was asked for."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.state: JobState | None = None
        self.cause = ""

    def begin(self, work: Work) -> None:
        """Begin it; raise UnderWayError."""
        with self._lock:
            if self.is_running():
                raise UnderWayError("wait for it; the same address tells how far it is")
            self.state, self.cause = JobState.RUNNING, ""
            self._thread = threading.Thread(
                target=self._run, args=(work,), name=self._name, daemon=True
            )
            self._thread.start()

    def is_running(self) -> bool:
        """Say whether it is under way."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """Break it off."""
        self._stopping.set()
        if self._thread:
            self._thread.join(_JOIN_SECONDS)

    def _run(self, work: Work) -> None:
        try:
            work(self._stopping)
            ended = JobState.CANCELLED if self._stopping.is_set() else JobState.DONE
        except (MemtrayError, OSError, sqlite3.Error) as exc:
            self.cause = exc.detail if isinstance(exc, MemtrayError) else str(exc)
            ended = JobState.FAILED
        except Exception as exc:
            log.exception("%s failed", self._name)
            self.cause = f"an error of our own ({type(exc).__name__}); the log says where"
            ended = JobState.FAILED
        self.state = ended
