"""Keeps both indexes equal to the store, in one background thread, newest first.

Words come first, because that is quick; vectors follow. What was done is kept by batch, so that a
restart goes on from there.
"""

import logging
import os
import sqlite3
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from worker.index.embedder import Embedder
from worker.index.keyword import IndexDamagedError, KeywordIndex
from worker.index.keyword_rows import frequent_terms
from worker.index.meaning_sync import MeaningSync
from worker.index.model_loading import ModelLoader
from worker.index.vectors import VectorIndex
from worker.index.word_sync import WordSync
from worker.shared.errors import MemtrayError, StoreUnavailableError
from worker.shared.heaps import give_back
from worker.shared.readiness import PartReport, PartState
from worker.shared.refs import Kind, Ref
from worker.store.store import Store

log = logging.getLogger(__name__)

CATCH_UP_SECONDS = 5.0  # then new memories have their turn, and Chroma goes on
LANES = min(2, os.cpu_count() or 1)  # batches of vectors that are made at a time
FREQUENT_SAMPLE = 400  # observations in which the frequent terms are counted
SWITCH_SECONDS = 0.0005  # how long a thread may hold the interpreter while others wait


@dataclass(frozen=True, slots=True)
class Intervals:
    """Seconds between two looks at the store, after a trouble, and between two comparisons."""

    poll: float = 0.25
    quiet: float = 1.0  # without a search, before anything is done that takes a core more
    retry: float = 5.0
    reconcile: float = 5.0  # how old an edit by others may become before it is found


USUAL = Intervals()


@dataclass(frozen=True, slots=True)
class _Semantic:
    """What search by meaning needs besides the vectors."""

    meaning: MeaningSync
    model: ModelLoader


class Sync:
    """The background thread; `start` it once, `stop` waits until it has ended."""

    def __init__(
        self,
        store: Store,
        keyword: KeywordIndex,
        vectors: VectorIndex,
        embedder: Embedder | None,
        intervals: Intervals = USUAL,
        *,
        look_ahead: Callable[[], None] = lambda: None,
    ) -> None:
        """`look_ahead` does what the first search would else wait for, once all is indexed."""
        self._look_ahead = look_ahead
        self._store = store
        self._keyword = keyword
        self._vectors = vectors
        self._intervals = intervals
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._rebuild = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sync", daemon=True)
        self._prover = threading.Thread(target=self._prove_words, name="prove", daemon=True)
        self._has_worked = False  # in the last round
        self._cold: list[str] | None = None  # frequent terms whose postings are not read yet
        self._semantic: _Semantic | None = None
        if embedder is not None:
            meaning = MeaningSync(store, vectors, embedder, retry=intervals.retry)
            self._semantic = _Semantic(meaning, ModelLoader(embedder, self.wake))
        self._words = WordSync(
            store,
            keyword,
            self._semantic.meaning if self._semantic else None,
            self._stopping,
            reconcile=intervals.reconcile,
        )

    # ------------------------------------------------------------------ life
    def start(self) -> None:
        """Begin; searches go first.

        A lower priority of the thread would do harm: it would hold Python's lock while it waits
        for a core. Handing the lock over ten times as often does what is wanted.
        """
        sys.setswitchinterval(SWITCH_SECONDS)
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Ask the thread to end after its batch and wait for it."""
        self._stopping.set()
        self._wake.set()
        for thread in (self._thread, self._prover):
            if thread.is_alive():
                thread.join(timeout)
        if self._semantic:
            self._semantic.meaning.stop(timeout)
            self._semantic.model.stop(timeout)

    def wake(self) -> None:
        """Look for new rows at once."""
        self._wake.set()

    def rebuild(self, *, surely: bool = False) -> None:
        """Build the keyword index anew: a query found it damaged.

        While it is being built or not compared yet, only `surely` has that done once more.
        """
        if surely or self._words.is_known:
            self._rebuild.set()
            self._wake.set()

    def rebuild_chroma(self) -> bool:
        """Fill Chroma anew from the kept vectors; False where there is none."""
        asked = self._semantic is not None and self._vectors.ask_anew()
        self._wake.set()
        return asked

    def load_model_again(self) -> None:
        """Try at once to load a model that could not be loaded."""
        if self._semantic:
            self._semantic.model.try_at_once()
        self._wake.set()

    def embed_anew(self) -> bool:
        """Make each vector once more, while the old ones answer; False where there are none."""
        if self._semantic:
            self._semantic.meaning.ask_anew()
            self._wake.set()
        return self._semantic is not None

    def reports(self) -> list[PartReport]:
        """Return the state of both indexes and of the model, without blocking."""
        words = self._words.report(anew=self._rebuild.is_set())
        if self._semantic is None:
            off = "Search by meaning is switched off in the settings."
            return [words, PartReport(part="vectors", state=PartState.OFF, cause=off)]
        return [words, *self._semantic.meaning.reports(), self._semantic.model.report()]

    # ------------------------------------------------------------------ the thread
    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._work()
            except MemtrayError as exc:
                log.warning("sync: %s", exc.detail)
                self._fail(exc)
            except sqlite3.Error as exc:
                log.warning("sync: the database cannot be read now: %s", exc)
            except Exception:
                log.exception("sync failed and goes on in %s s", self._intervals.retry)
            self._stopping.wait(self._intervals.retry)
        log.debug("sync ended")

    def _work(self) -> None:
        """Open what is closed, then follow the store until told to stop."""
        self._open_words()
        if self._semantic:
            with self._semantic.meaning.may_fail():
                self._vectors.open()
        self._words.reconcile()
        if self._semantic:
            self._semantic.model.tend()
        if self._prover.ident is None:
            self._prover.start()
        self._catch_up()
        while not self._stopping.is_set():
            if self._rebuild.is_set() or not self._keyword.path.exists():
                self._rebuild.set()
                self._open_words()
                self._words.reconcile()
            followed = self._words.follow()
            worked = self._tend_vectors(wait=not followed) or followed or self._warm_up()
            if not worked:
                if self._has_worked:
                    give_back()
                self._wake.wait(self._intervals.poll)
                self._wake.clear()
            self._has_worked = worked

    def _fail(self, exc: MemtrayError) -> None:
        if isinstance(exc, StoreUnavailableError):
            return  # the index is as it was; how the store is, it tells itself
        remedy = f"It is tried again every {self._intervals.retry:g} s."
        if isinstance(exc, IndexDamagedError):
            self._rebuild.set()
            remedy = "It is built anew."
        self._words.fail(exc.detail, remedy)

    # ------------------------------------------------------------------ words
    def _open_words(self) -> None:
        """Open the keyword index, begun anew where it was found damaged."""
        if self._rebuild.is_set():
            log.warning("the keyword index is built anew")
            self._words.begin()  # before it is empty: that must not pass for all
            self._rebuild.clear()
            self._keyword.destroy()
        if self._keyword.open():
            self._words.begin()
        self._cold = None

    def _warm_up(self) -> bool:
        """Read the postings of one frequent term ahead; return whether there was one left."""
        if self._cold is None:
            self._look_ahead()
            youngest = self._store.ids(Kind.OBSERVATION)[:FREQUENT_SAMPLE]
            found = self._store.records([Ref(Kind.OBSERVATION, i) for i in youngest])
            self._cold = frequent_terms(found.values())
        if not self._cold or not self._is_quiet():
            return False
        self._keyword.read_ahead(self._cold.pop())
        if not self._cold:
            log.debug("what is frequent was read ahead")
        return True

    def _is_quiet(self) -> bool:
        return self._keyword.quiet_seconds >= self._intervals.quiet

    def _prove_words(self) -> None:
        """Look once at each page of the keyword index, which no start has to wait for."""
        try:
            fault = self._keyword.page_fault()
        except MemtrayError as exc:
            log.warning("the keyword index cannot be looked through: %s", exc.detail)
        else:
            if fault:
                log.warning("%s: %s", self._keyword.path, fault)
                self.rebuild()

    # ------------------------------------------------------------------ vectors
    def _tend_vectors(self, *, wait: bool) -> bool:
        """Keep the vectors whole and make the next ones; return whether any are missing."""
        if self._semantic is None or self._semantic.meaning.is_resting:
            return False
        self._semantic.model.tend()
        meaning = self._semantic.meaning
        meaning.begin_anew(self._words.keys)
        with meaning.may_fail():
            if not self._vectors.kept.is_open:
                self._vectors.open()
                self._words.reconcile()
                self._catch_up()
            self._vectors.restore()
            if self._vectors.needs_catch_up:
                self._catch_up()
            lanes = LANES if self._is_quiet() else 1
            return meaning.make_next(len(self._words.keys), wait=wait, lanes=lanes)
        return False

    def _catch_up(self) -> None:
        self._vectors.catch_up(self._stopping, seconds=CATCH_UP_SECONDS)
