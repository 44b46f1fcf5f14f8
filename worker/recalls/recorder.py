"""Writes down what MCP clients ask, in one thread: no search waits for it or fails by it."""

import datetime as dt
import json
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from worker.shared.readiness import PartReport, PartState
from worker.shared.recalls_contract import KEPT_DAYS
from worker.shared.tokens import estimate_tokens
from worker.state.database import (
    StateDamagedError,
    StateUnavailableError,
    check,
    set_aside,
    shrink_log,
    writing,
)

WAITING = 1000  # calls that are not written yet; beyond them the oldest are lost
RETRY_SECONDS = 5.0
TURN_SECONDS = 3600.0  # between two looks for what is too old

_KEPT_MS = KEPT_DAYS * 86_400_000
_INSERT = (
    "INSERT INTO recalls (at, client, tool, asked, filters, refs, tokens, ms, outcome, problem)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, as the worker saw it; `text` is what it answered, and is not kept."""

    at: int  # milliseconds
    client: str
    tool: str
    asked: str
    filters: str
    refs: tuple[str, ...]
    text: str
    ms: int
    outcome: str
    problem: str = ""


class Recorder:
    """Records calls; `is_wanted` is asked before anything is written."""

    def __init__(
        self,
        path: Path,
        is_wanted: Callable[[], bool],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self.is_wanted = is_wanted
        self._clock = clock
        self._waiting: deque[Call] = deque(maxlen=WAITING)
        self._lock = threading.Lock()  # held while the file is written
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._suspect = True  # the file is looked through before it is first used
        self._trouble: StateUnavailableError | None = None
        self._aside = ""
        self._thread = threading.Thread(target=self._run, name="recalls", daemon=True)

    # ------------------------------------------------------------------ life
    def start(self) -> None:
        """Write from now on what is noted."""
        self._thread.start()

    def stop(self) -> None:
        """Write what is left, if that can be done at once, and end."""
        self._stopping.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(3.0)

    # ------------------------------------------------------------------ for the routes
    def note(self, call: Call) -> None:
        """Have a call written down soon; returns at once, and never fails."""
        self._waiting.append(call)
        self._wake.set()

    def clear(self) -> int:
        """Forget all calls, also those not written yet; return how many there were.

        Raises StateUnavailableError.
        """
        with self._lock:
            waiting = len(self._waiting)
            self._waiting.clear()
            if not self.path.exists():
                return waiting
            with writing(self.path) as connection:
                cleared = connection.execute("DELETE FROM recalls").rowcount
            shrink_log(self.path)
        return waiting + cleared

    def doubt(self) -> None:
        """Look the file through soon: a reader found it damaged."""
        self._suspect = True
        self._wake.set()

    def report(self) -> PartReport:
        """Return how the recording is, at once."""
        trouble = self._trouble
        if trouble:
            return PartReport(
                part="recalls",
                state=PartState.DEGRADED,
                cause=f"What Claude asks cannot be recorded: {trouble.detail}",
                remedy=f"Searching goes on. It is tried again every {RETRY_SECONDS:g} s.",
            )
        if not self.is_wanted():
            cause = "What Claude asks is not recorded: the settings say so."
            return PartReport(part="recalls", state=PartState.OFF, cause=cause)
        return PartReport(part="recalls", state=PartState.OK, cause=self._aside)

    # ------------------------------------------------------------------ the thread
    def _run(self) -> None:
        while True:
            last = self._stopping.is_set()
            try:
                done = self._turn()
            except Exception:  # the top of a thread; what it could not write is gone
                log.exception("recalls could not be written")
                done = True
            if last:
                return
            if done:
                self._wake.wait(TURN_SECONDS)
            else:
                self._stopping.wait(RETRY_SECONDS)

    def _turn(self) -> bool:
        """Write what waits and forget what is old; say whether that could be done."""
        self._wake.clear()
        with self._lock:
            batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
            try:
                self._mend()
                self._write(batch if self.is_wanted() else [])
            except StateUnavailableError as exc:
                self._suspect |= isinstance(exc, StateDamagedError)
                self._tell(exc)
                room = WAITING - len(self._waiting)
                self._waiting.extendleft(reversed(batch[-room:] if room else []))
                return False
            self._trouble = None
            return True

    def _mend(self) -> None:
        """Look the file through where that is due; set it aside where it is damaged."""
        if not self._suspect:
            return
        try:
            check(self.path)
        except StateDamagedError as exc:
            try:
                aside = set_aside(self.path, now=dt.datetime.fromtimestamp(self._clock(), dt.UTC))
            except OSError as error:
                raise StateUnavailableError(f"{exc.detail}; {error}") from error
            self._aside = f"{self.path} was damaged and set aside as {aside.name}."
        self._suspect = False

    def _write(self, batch: list[Call]) -> None:
        if not batch and not self.path.exists():
            return
        oldest = int(self._clock() * 1000) - _KEPT_MS
        with writing(self.path) as connection:
            connection.execute("DELETE FROM recalls WHERE at < ?", (oldest,))
            _insert(connection, batch)

    def _tell(self, trouble: StateUnavailableError) -> None:
        if not self._trouble or self._trouble.detail != trouble.detail:
            log.warning("recalls: %s", trouble.detail)
        self._trouble = trouble


def _insert(connection: sqlite3.Connection, batch: list[Call]) -> None:
    connection.executemany(
        _INSERT,
        [
            (
                *(call.at, *map(_storable, (call.client, call.tool, call.asked, call.filters))),
                json.dumps(call.refs),
                estimate_tokens(call.text),
                *(call.ms, call.outcome, _storable(call.problem)),
            )
            for call in batch
        ],
    )


def _storable(text: str) -> str:
    """Return a text that SQLite takes: half a character is replaced."""
    return text.encode("utf-8", "replace").decode()
