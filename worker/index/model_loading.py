"""Loads the model aside, and again where it could not be loaded: nothing waits for it."""

import logging
import threading
import time
from collections.abc import Callable

from worker.index.embedder import Embedder, EmbedderMissingError
from worker.shared.readiness import PartReport, PartState

log = logging.getLogger(__name__)

RETRY_SECONDS = 30.0  # it may have been installed meanwhile


class ModelLoader:
    """The life of one model; `tend` it from time to time."""

    def __init__(self, embedder: Embedder, loaded: Callable[[], None]) -> None:
        self._embedder = embedder
        self._loaded = loaded  # called when an attempt has ended
        self._thread: threading.Thread | None = None
        self._due = 0.0

    def tend(self) -> None:
        """Load it where it is not loaded, or could not be a while ago."""
        loading = self._thread is not None and self._thread.is_alive()
        wanted = self._thread is None or self._embedder.state.state is PartState.DOWN
        if wanted and not loading and time.monotonic() >= self._due:
            self._due = time.monotonic() + RETRY_SECONDS
            self._thread = threading.Thread(target=self._load, name="model", daemon=True)
            self._thread.start()

    def try_at_once(self) -> None:
        """Let the next `tend` try it, however short ago it failed."""
        self._due = 0.0

    def stop(self, timeout: float) -> None:
        """Wait for an attempt that is under way."""
        if self._thread:
            self._thread.join(timeout)

    def report(self) -> PartReport:
        """Return the line that /api/ready shows."""
        state, reason = self._embedder.state
        remedy = ""
        if state is PartState.DOWN:
            remedy = f"It is tried again every {RETRY_SECONDS:g} s."
        elif state is PartState.DEGRADED:
            remedy = "Words are searched meanwhile. If it stays so: memtray-worker restart"
        return PartReport(part="model", state=state, cause=reason, remedy=remedy)

    def _load(self) -> None:
        try:
            self._embedder.load()
        except EmbedderMissingError as exc:
            log.warning("words are searched, meaning is not: %s", exc.detail)
        except Exception:  # the top of a thread
            log.exception("the model cannot be loaded")
        self._loaded()
