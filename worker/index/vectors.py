"""Search by vector: Chroma answers, the kept vectors answer the same whenever it cannot."""

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np

from worker.index.chroma import (
    ADD_ROWS,
    ChromaDeadlyError,
    ChromaError,
    ChromaIndex,
    ChromaUnavailableError,
    entry_id,
    entry_key,
)
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectors, KeptVectorsError
from worker.index.keys import Keys
from worker.index.projection import ProjectionFile
from worker.index.snapshot import top
from worker.shared.readiness import PartReport, PartState

log = logging.getLogger(__name__)

PROBES = 50
PROBE_SHARE = 0.95
MAX_REBUILDS = 2  # unless a person asks for more: what two did not heal, a third will not
RETRY_SECONDS = 5.0  # after which Chroma is tried again where it could not be reached; then doubled
MAX_RETRY_SECONDS = 300.0

_ANEW = "Chroma is filled anew from the kept vectors."


@dataclass(frozen=True, slots=True)
class Nearest:
    """Keys and exact cosines, best first; who proposed them; what is wrong with Chroma, if so."""

    keys: Keys
    cosines: Matrix
    source: Literal["chroma", "kept"]
    impairment: str | None = None


class VectorIndex:
    """The kept vectors and, where there is one, the Chroma collection made from them.

    One thread opens, changes and catches up; any number search.
    """

    def __init__(self, kept: KeptVectors, chroma: ChromaIndex | None) -> None:
        self.kept = kept
        self.chroma = chroma
        self._projection = ProjectionFile(kept.path.with_name("projection.npz"), kept.model)
        self._kept_failure = ""
        self._kept_note = ""
        self._needs_catch_up = False
        self._anew = threading.Event()  # somebody asked for a new collection
        self._rebuilds = 0
        self._pause = RETRY_SECONDS
        self._retry_at = math.inf
        self._chroma_report = PartReport(part="chroma", state=PartState.OFF)
        if chroma is not None:
            self._is(PartState.BUILDING, "Chroma is not open yet.")

    # ------------------------------------------------------------------ life
    def open(self) -> None:
        """Load the kept vectors, after which search works; raise KeptVectorsError."""
        try:
            self.kept.open()
        except KeptVectorsError as exc:
            self._kept_failure = exc.detail
            raise
        self._kept_failure = ""

    def close(self) -> None:
        """Close both."""
        try:
            if self.chroma is not None:
                self.chroma.close()
        except ChromaError as exc:
            log.warning("%s", exc.detail)
        finally:
            self.kept.close()

    def reports(self) -> list[PartReport]:
        """Return how the parts "vectors" and "chroma" are, without blocking."""
        chroma = self._chroma_report
        if self._anew.is_set():
            asked = {"state": PartState.BUILDING, "cause": _ANEW, "remedy": ""}
            chroma = chroma.model_copy(update=asked)
        elif serving := self._serving():
            chroma = chroma.model_copy(update={"done": serving.rows, "total": len(self.kept)})
        return [self._kept_report(), chroma]

    @property
    def needs_catch_up(self) -> bool:
        """Whether `catch_up` may help: it was cut short, asked for, or Chroma failed since."""
        serving = self._serving()
        gone = serving is not None and serving.is_gone
        due = time.monotonic() >= self._retry_at
        return self._needs_catch_up or self._anew.is_set() or gone or due

    def prove(self, chroma: ChromaIndex) -> int:
        """Return how many vectors Chroma has of those in memory; raise ChromaError.

        It must be open, and find by query a sample of what it says it holds.
        """
        held = chroma.ids() & {entry_id(k, mark) for k, mark in self.kept.fingerprints().items()}
        self._prove(chroma, held)
        return len(held)

    # ------------------------------------------------------------------ searching
    def nearest(self, query: Matrix, k: int, among: Keys | None = None) -> Nearest:
        """Return the `k` nearest of all (from Chroma), or `among` these distinct keys (exact)."""
        impairment = None if self.kept.is_open else self._kept_report().cause
        if among is not None:
            return Nearest(*self.kept.nearest(query, k, among), "kept", impairment)
        if chroma := self._serving():
            with self._noticing():
                proposed = chroma.nearest(query, k)
                return Nearest(*self._scored(query, proposed, k), "chroma", impairment)
        impairment = impairment or self._chroma_report.cause or None
        return Nearest(*self.kept.nearest(query, k), "kept", impairment)

    def _scored(self, query: Matrix, proposed: Keys, k: int) -> tuple[Keys, Matrix]:
        """Return what is still kept of these, with exact cosines."""
        keys = np.unique(proposed)
        cosines = self.kept.cosines(query, keys)
        there = ~np.isnan(cosines)
        return top(keys[there], cosines[there], k)

    # ------------------------------------------------------------------ changing
    def put(self, keys: Keys, fingerprints: Sequence[bytes], vectors: Matrix) -> None:
        """Keep these, then hand them to Chroma; raise KeptVectorsError."""
        stale = self._entries(keys)
        self.kept.put(keys, fingerprints, vectors)
        if chroma := self._serving():
            with self._noticing():
                chroma.add(keys, fingerprints, vectors)
                chroma.remove(stale - self._entries(keys))
            self._needs_catch_up |= self._projection.due(len(self.kept))

    def remove(self, keys: Keys) -> None:
        """Forget these, then let Chroma forget them; raise KeptVectorsError."""
        stale = self._entries(keys)
        self.kept.remove(keys)
        if chroma := self._serving():
            with self._noticing():
                chroma.remove(stale)

    def restore(self) -> None:
        """Write the file of the kept vectors anew where it was deleted; raise KeptVectorsError."""
        if self.kept.restore():
            self._kept_note = f"{self.kept.path.name} was deleted; it was written anew from memory."

    def mend(self) -> str:
        """Write the file of the kept vectors anew where it is damaged; return what was wrong.

        Any thread may call it. Raises KeptVectorsError.
        """
        fault = self.kept.mend() if self.kept.is_open else ""
        if fault:
            self._kept_note = f"{self.kept.path.name} {fault}; it was written anew from memory."
        return fault

    def ask_anew(self) -> bool:
        """Have the next `catch_up` fill a new collection; False where there is no Chroma."""
        if self.chroma is not None:
            self._anew.set()
        return self.chroma is not None

    def catch_up(
        self, stopping: threading.Event | None = None, *, seconds: float = math.inf
    ) -> None:
        """Open Chroma, prove it, and make it hold exactly the kept vectors; never raises.

        One that is damaged is rebuilt from the kept vectors. Ends early, to go on at the next
        call, when `stopping` is set or after `seconds`; `reports` tells how far it is.
        """
        if self.chroma is None or not self.kept.is_open:
            return
        self._needs_catch_up = False
        self._retry_at = math.inf
        deadline = time.monotonic() + seconds

        def enough() -> bool:
            return time.monotonic() > deadline or (stopping is not None and stopping.is_set())

        try:
            if self._anew.is_set():
                self._begin_anew(self.chroma)
            while not self._caught_up(self.chroma, enough):
                self._rebuilds += 1
                log.warning("Chroma is rebuilt from the kept vectors")
                self.chroma.reset(anew=self._rebuilds > 1)
            self._pause = RETRY_SECONDS
        except ChromaUnavailableError as exc:
            self._retry_at = time.monotonic() + self._pause
            self._pause = min(self._pause * 2, MAX_RETRY_SECONDS)
            self._fail(exc)
        except ChromaError as exc:
            self._fail(exc)

    def _begin_anew(self, chroma: ChromaIndex) -> None:
        """Empty the collection; where it does not work, begin a new folder."""
        works = self._serving() is not None
        self._rebuilds = 0
        self._is(PartState.BUILDING, _ANEW)
        self._anew.clear()
        chroma.forgive()
        chroma.reset(anew=not works)
        chroma.was_damaged = not works

    def _caught_up(self, chroma: ChromaIndex, enough: Callable[[], bool]) -> bool:
        """Try once; return False for a damage that may still be healed, raise what may not."""
        try:
            if self._projection.due(len(self.kept)):  # then it is closed and filled anew
                self._is(PartState.BUILDING, "Chroma is not open yet.")
            chroma.project(self._projection.of(self.kept.vectors()))
            chroma.open()
            self._equalise(chroma, enough)
        except (ChromaUnavailableError, ChromaDeadlyError):
            raise
        except ChromaError as exc:
            if self._rebuilds == MAX_REBUILDS:
                raise
            self._fail(exc)
            return False
        return True

    def _equalise(self, chroma: ChromaIndex, enough: Callable[[], bool]) -> None:
        prints = self.kept.fingerprints()
        wanted = {entry_id(key, mark) for key, mark in prints.items()}
        held = chroma.ids()
        self._prove(chroma, wanted & held)
        missing = np.array(sorted(map(entry_key, wanted - held), reverse=True), np.int64)
        done = len(wanted) - len(missing)
        damaged = "Its files were damaged. " if chroma.was_damaged else ""
        cause = f"{damaged}Chroma is filled from the kept vectors."
        for keys, rows in self.kept.batches(ADD_ROWS, among=missing):
            self._is(PartState.BUILDING, cause, done, len(wanted))
            chroma.add(keys, [prints[key] for key in keys.tolist()], rows)
            done += len(keys)
            if done < len(wanted) and enough():  # never without some progress
                self._needs_catch_up = True
                return
        chroma.remove(held - wanted)
        self._prove(chroma, wanted)
        self._is(PartState.OK, "", done, len(wanted))

    def _prove(self, chroma: ChromaIndex, entries: set[str]) -> None:
        """Raise ChromaError unless a sample of what it holds is found by it."""
        keys = np.array(sorted(map(entry_key, entries)), np.int64)
        sample = keys[:: len(keys) // PROBES + 1]
        for found, rows in self.kept.batches(PROBES, among=sample):
            share = chroma.probe(found, rows)
            if share < PROBE_SHARE:
                raise ChromaError(f"Chroma finds only {share:.0%} of the vectors it holds.")

    # ------------------------------------------------------------------ states
    def _serving(self) -> ChromaIndex | None:
        return self.chroma if self._chroma_report.state is PartState.OK else None

    def _entries(self, keys: Keys) -> set[str]:
        return {entry_id(key, mark) for key, mark in self.kept.fingerprints(keys).items()}

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Let the kept vectors take over when Chroma fails at its work.

        What began before the collection was emptied, to be filled anew, may fail: that is no fault.
        """
        report = self._chroma_report
        try:
            yield
        except ChromaError as exc:
            if self._chroma_report is not report:
                log.info("what Chroma was asked before it was begun anew failed: %s", exc.detail)
                return
            self._needs_catch_up = True
            self._fail(exc)

    def _fail(self, exc: ChromaError) -> None:
        log.warning("%s The kept vectors answer.", exc.detail)
        self._is(PartState.DEGRADED, exc.detail)

    def _is(
        self, state: PartState, cause: str, done: int | None = None, total: int | None = None
    ) -> None:
        if self._needs_catch_up:
            again = "it is rebuilt from them"
        elif (seconds := self._retry_at - time.monotonic()) < math.inf:
            again = f"it is tried again after {max(1, seconds):.0f} s"
        else:
            again = "to rebuild it: memtray-worker reindex chroma"
        remedy = f"The kept vectors answer the same meanwhile; {again}."
        self._chroma_report = PartReport(
            part="chroma",
            state=state,
            cause=cause,
            remedy=remedy if state is PartState.DEGRADED else "",
            done=done,
            total=total,
        )

    def _kept_report(self) -> PartReport:
        state, cause, remedy = PartState.OK, self._kept_note, ""
        if self._kept_failure:
            state, cause, remedy = (
                PartState.DOWN,
                self._kept_failure,
                "Words are searched meanwhile.",
            )
        elif not self.kept.is_open:
            state, cause = PartState.BUILDING, "The vectors are not loaded yet."
        elif self.kept.was_damaged:
            cause = f"{self.kept.path.name} was damaged; it was set aside and is made anew."
        return PartReport(
            part="vectors", state=state, cause=cause, remedy=remedy, done=len(self.kept)
        )
