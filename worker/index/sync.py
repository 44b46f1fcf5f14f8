"""Keeps both indexes equal to the store, in one background thread, newest first.

The store is compared by (id, fingerprint) with what is indexed: at start, from time to time, and
when counts differ. Between those, new rows are taken by their ids. Words come first, because that
is quick; vectors follow. What was done is kept by batch, so that a restart goes on from there.
"""

import logging
import sqlite3
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from worker.index.embedder import Embedder, EmbedderMissingError
from worker.index.fingerprint import embedded_text, text_fingerprint
from worker.index.kept import KeptVectorsError
from worker.index.keys import CODE, to_key, to_keys, to_ref
from worker.index.keyword import IndexDamagedError, KeywordIndex
from worker.index.keyword_rows import frequent_terms
from worker.index.progress import Progress
from worker.index.vectors import VectorIndex
from worker.shared.contract import PartReport, PartState
from worker.shared.errors import MemtrayError, StoreUnavailableError
from worker.shared.refs import Kind, Ref
from worker.store.store import Store

log = logging.getLogger(__name__)
T = TypeVar("T")

CATCH_UP_SECONDS = 5.0  # then new memories have their turn, and Chroma goes on
FREQUENT_SAMPLE = 400  # observations in which the frequent terms are counted
KEYWORD_BATCH = 500
VECTOR_BATCH = 32
MODEL_RETRY_SECONDS = 30.0  # it may have been installed meanwhile
PRINT = 8  # bytes of a print
RECONCILE_REST = 20  # times as long as a comparison took: it uses a twentieth of a core at most
SWITCH_SECONDS = 0.0005  # how long a thread may hold the interpreter while others wait


@dataclass(frozen=True, slots=True)
class Intervals:
    """Seconds between two looks at the store, after a trouble, and between two comparisons."""

    poll: float = 0.5
    retry: float = 5.0
    reconcile: float = 5.0  # how old an edit by others may become before it is found


USUAL = Intervals()


class Sync:
    """The background thread; `start` it once, `stop` waits until it has ended."""

    def __init__(
        self,
        store: Store,
        keyword: KeywordIndex,
        vectors: VectorIndex,
        embedder: Embedder | None,
        intervals: Intervals = USUAL,
    ) -> None:
        self._store = store
        self._keyword = keyword
        self._vectors = vectors
        self._embedder = embedder
        self._intervals = intervals
        self._stopping = threading.Event()
        self._wake = threading.Event()
        self._rebuild = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sync", daemon=True)
        self._prover = threading.Thread(target=self._prove_words, name="prove", daemon=True)
        self._loader: threading.Thread | None = None
        self._model_due = 0.0
        self._embed_anew = threading.Event()
        self._words = Progress(known=False)
        self._meanings = Progress(known=False)
        self._indexed: dict[int, bytes] = {}  # key -> print of the record and of its embedded text
        self._cold: list[str] | None = None  # frequent terms whose postings are not read yet
        self._pending: dict[int, None] = {}  # keys whose vectors are missing, newest first
        self._stale: set[int] = set()  # keys whose vectors are to be made once more
        self._seen_version = -1
        self._reconciled_at = 0.0
        self._reconcile_cost = 0.0  # seconds
        self._vectors_rest_until = 0.0
        self._changed_since = False

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
        for thread in (self._thread, self._loader, self._prover):
            if thread and thread.is_alive():
                thread.join(timeout)

    def wake(self) -> None:
        """Look for new rows at once."""
        self._wake.set()

    def rebuild(self) -> None:
        """Build the keyword index anew: a query found it damaged."""
        if self._words.known:  # else that is what is being done
            self._rebuild.set()
            self._wake.set()

    def rebuild_chroma(self) -> bool:
        """Fill Chroma anew from the kept vectors; False where there is none."""
        asked = self._embedder is not None and self._vectors.ask_anew()
        self._wake.set()
        return asked

    def load_model_again(self) -> None:
        """Try at once to load a model that could not be loaded."""
        self._model_due = 0.0
        self._wake.set()

    def embed_anew(self) -> bool:
        """Make each vector once more, while the old ones answer; False where there are none."""
        if self._embedder is not None:
            self._embed_anew.set()
            self._wake.set()
        return self._embedder is not None

    def reports(self) -> list[PartReport]:
        """Return the state of both indexes and of the model, without blocking."""
        progress = Progress(known=False) if self._rebuild.is_set() else self._words
        words = progress.report("keyword", "The keyword index is being built")
        if self._embedder is None:
            off = "Search by meaning is switched off in the settings."
            return [words, PartReport(part="vectors", state=PartState.OFF, cause=off)]
        vectors, chroma = self._vectors.reports()
        if vectors.state is PartState.OK:
            progress = Progress(known=False) if self._embed_anew.is_set() else self._meanings
            made = progress.report("vectors", "Vectors are being made")
            vectors = made.model_copy(update={"cause": made.cause or vectors.cause})
        return [words, vectors, chroma, self._model_report(self._embedder)]

    def _model_report(self, embedder: Embedder) -> PartReport:
        state, reason = embedder.state
        remedy = ""
        if state is PartState.DOWN:
            remedy = f"It is tried again every {MODEL_RETRY_SECONDS:g} s."
        elif state is PartState.DEGRADED:
            remedy = "Words are searched meanwhile. If it stays so: memtray-worker restart"
        return PartReport(part="model", state=state, cause=reason, remedy=remedy)

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
        if self._embedder is not None:
            with self._vectors_may_fail():
                self._vectors.open()
        self._reconcile()
        self._tend_model()
        if self._prover.ident is None:
            self._prover.start()
        self._vectors.catch_up(self._stopping, seconds=CATCH_UP_SECONDS)
        while not self._stopping.is_set():
            if self._rebuild.is_set() or not self._keyword.path.exists():
                self._rebuild.set()
                self._open_words()
                self._reconcile()
            followed = self._follow()
            if not self._tend_vectors() and not followed and not self._warm_up():
                self._wake.wait(self._intervals.poll)
                self._wake.clear()

    def _warm_up(self) -> bool:
        """Read the postings of one frequent term ahead; return whether there was one left."""
        if self._cold is None:
            youngest = self._store.ids(Kind.OBSERVATION)[:FREQUENT_SAMPLE]
            found = self._store.records([Ref(Kind.OBSERVATION, i) for i in youngest])
            self._cold = frequent_terms(found.values())
        if not self._cold:
            return False
        self._keyword.postings(self._cold.pop())
        return True

    def _open_words(self) -> None:
        """Open the keyword index, begun anew where it was found damaged."""
        if self._rebuild.is_set():
            log.warning("the keyword index is built anew")
            self._words = Progress(known=False)  # before it is empty: that must not pass for all
            self._rebuild.clear()
            self._keyword.destroy()
        if self._keyword.open():
            self._words = Progress(known=False)
        self._cold = None

    def _tend_model(self) -> None:
        """Load it where it is not loaded, or could not be a while ago."""
        state = self._embedder.state.state if self._embedder else PartState.OFF
        loading = self._loader is not None and self._loader.is_alive()
        wanted = state is PartState.DOWN or self._loader is None
        if wanted and not loading and time.monotonic() >= self._model_due:
            self._model_due = time.monotonic() + MODEL_RETRY_SECONDS
            self._loader = threading.Thread(target=self._load_model, name="model", daemon=True)
            self._loader.start()

    def _load_model(self) -> None:
        """Warm the model up, in a thread of its own: neither searches nor new rows wait for it."""
        if self._embedder is not None:
            try:
                self._embedder.load()
            except EmbedderMissingError as exc:
                log.warning("words are searched, meaning is not: %s", exc.detail)
            except Exception:  # the top of a thread
                log.exception("the model cannot be loaded")
            self.wake()

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

    def _fail(self, exc: MemtrayError) -> None:
        if isinstance(exc, StoreUnavailableError):
            return  # the index is as it was; how the store is, it tells itself
        remedy = f"It is tried again every {self._intervals.retry:g} s."
        if isinstance(exc, IndexDamagedError):
            self._rebuild.set()
            remedy = "It is built anew."
        self._words = replace(self._words, failure=exc.detail, remedy=remedy)

    # ------------------------------------------------------------------ comparing
    def _follow(self) -> bool:
        """Index what is new in the store; return whether anything was done."""
        version = self._store.data_version()
        if version == self._seen_version:
            rest = max(self._intervals.reconcile, RECONCILE_REST * self._reconcile_cost)
            due = self._changed_since and time.monotonic() - self._reconciled_at > rest
            if due:
                self._reconcile()
            return due
        fresh = self._new_ids()
        self._seen_version = version
        self._changed_since = True
        for batch in _batches(fresh, KEYWORD_BATCH):
            self._index(batch)
        if sum(self._store.counts().values()) != len(self._indexed):
            self._reconcile()  # rows were deleted, or came in below the highest id
        self._count()
        return bool(fresh)

    def _new_ids(self) -> list[Ref]:
        """Return the rows above the highest id that is indexed, newest first."""
        highest = dict.fromkeys(Kind, 0)
        for kind in Kind:
            code = CODE[kind]
            ids = (key >> 2 for key in self._indexed if key & 3 == code)
            highest[kind] = max(ids, default=0)
        refs = []
        for kind in Kind:
            span = self._store.id_range(kind)
            if span and span[1] > highest[kind]:
                refs += [Ref(kind, i) for i in self._store.ids(kind) if i > highest[kind]]
        return refs

    def _reconcile(self) -> None:
        """Compare every row with what is indexed: by id, then by fingerprint."""
        began = time.monotonic()
        self._seen_version = self._store.data_version()
        self._indexed = self._keyword.fingerprints()
        vectors = self._vectors.kept.fingerprints() if self._embedder is not None else {}
        refs = [Ref(kind, i) for kind in Kind for i in self._store.ids(kind)]
        self._words = replace(self._words, done=len(self._indexed), total=len(refs), known=True)
        self._forget_missing(refs, vectors)
        self._pending = {}
        for batch in _batches(refs, KEYWORD_BATCH):
            if self._stopping.is_set():
                return
            self._index(batch, vectors)
        self._reconciled_at = time.monotonic()
        self._reconcile_cost = self._reconciled_at - began
        self._changed_since = False
        self._words = Progress(len(self._indexed), len(refs))
        self._count()

    def _forget_missing(self, refs: Sequence[Ref], vectors: dict[int, bytes]) -> None:
        there = set(to_keys(refs).tolist())
        gone = [key for key in self._indexed if key not in there]
        for keys in _batches(gone, KEYWORD_BATCH):
            self._keyword.remove(keys)
            for key in keys:
                self._indexed.pop(key, None)
        without = [key for key in vectors if key not in there]
        if without:
            with self._vectors_may_fail():
                self._vectors.remove(to_keys(map(to_ref, without)))

    def _index(self, refs: Sequence[Ref], vectors: dict[int, bytes] | None = None) -> None:
        """Index the words of what is new or changed, and note whose vector is missing."""
        prints = self._store.prints(refs)
        known = {ref: self._indexed.get(to_key(ref), b"") for ref in prints}
        changed = [ref for ref, mark in prints.items() if known[ref][:PRINT] != mark]
        found = self._store.records(changed)
        put = [
            (record, prints[ref] + text_fingerprint(embedded_text(record)))
            for ref in changed
            if (record := found.get(ref))
        ]
        if put:
            self._keyword.put(put)
            self._indexed.update((to_key(record.ref), mark) for record, mark in put)
            self._words = replace(self._words, done=len(self._indexed), failure="", remedy="")
        without = dict.fromkeys(self._without_vector(refs, vectors))
        # what is new goes first; what a comparison finds queues behind, newest first already
        self._pending = without | self._pending if vectors is None else self._pending | without

    def _without_vector(
        self, refs: Sequence[Ref], vectors: dict[int, bytes] | None
    ) -> Iterator[int]:
        """Yield the keys of those whose text has no vector; of None it is not known, so all."""
        if self._embedder is None:
            return
        for key in to_keys(refs).tolist():
            held = vectors.get(key) if vectors is not None else None
            if key in self._indexed and (key in self._stale or held != self._indexed[key][PRINT:]):
                yield key

    def _count(self) -> None:
        total = len(self._indexed)
        self._words = replace(self._words, done=total, total=max(total, self._words.done))
        self._meanings = replace(
            self._meanings, done=total - len(self._pending), total=total, known=True
        )

    # ------------------------------------------------------------------ vectors
    def _tend_vectors(self) -> bool:
        """Keep the vectors whole and make the next ones; return whether any were made."""
        if self._embedder is None or time.monotonic() < self._vectors_rest_until:
            return False
        self._tend_model()
        if self._embed_anew.is_set():
            self._stale = set(self._indexed)
            self._pending = dict.fromkeys(sorted(self._stale, reverse=True))
            self._count()
            self._embed_anew.clear()
        with self._vectors_may_fail():
            if not self._vectors.kept.is_open:
                self._vectors.open()
                self._reconcile()
                self._vectors.catch_up(self._stopping, seconds=CATCH_UP_SECONDS)
            self._vectors.restore()
            if self._vectors.needs_catch_up:
                self._vectors.catch_up(self._stopping, seconds=CATCH_UP_SECONDS)
            able = bool(self._pending) and self._embedder.state.state is PartState.OK
            if able:
                self._embed_next(self._embedder)
            self._meanings = replace(self._meanings, failure="", remedy="")
            return able
        return False

    @contextmanager
    def _vectors_may_fail(self) -> Iterator[None]:
        """Let words go on while the file of the kept vectors, or the model, cannot be used."""
        try:
            yield
        except EmbedderMissingError as exc:
            log.warning("words are searched, meaning is not: %s", exc.detail)
        except KeptVectorsError as exc:
            log.warning("words are searched, meaning is not: %s", exc.detail)
            again = f"It is tried again every {self._intervals.retry:g} s."
            self._meanings = replace(self._meanings, failure=exc.detail, remedy=again)
            self._vectors_rest_until = time.monotonic() + self._intervals.retry

    def _embed_next(self, embedder: Embedder) -> None:
        """Make the vectors of one batch."""
        keys = list(self._pending)[:VECTOR_BATCH]
        records = self._store.records([to_ref(key) for key in keys])
        texts = {to_key(ref): embedded_text(record) for ref, record in records.items()}
        if texts:
            vectors = embedder.encode(list(texts.values()))
            prints = [text_fingerprint(text) for text in texts.values()]
            self._vectors.put(to_keys(map(to_ref, texts)), prints, vectors)
        self._stale.difference_update(keys)
        for key in keys:
            self._pending.pop(key, None)
        self._count()


def _batches(items: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
