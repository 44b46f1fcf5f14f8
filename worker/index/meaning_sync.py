"""Which memories still want a vector, and the making of them, batch by batch."""

import logging
import threading
import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice

import numpy as np

from worker.index.embedder import Embedder, EmbedderMissingError, Matrix
from worker.index.fingerprint import embedded_text, text_fingerprint
from worker.index.kept import KeptVectorsError
from worker.index.keys import to_key, to_keys, to_ref
from worker.index.progress import Progress
from worker.index.vectors import VectorIndex
from worker.shared.readiness import PartReport, PartState
from worker.store.store import Store

log = logging.getLogger(__name__)

BATCH = 32
PATIENCE = 0.1  # seconds a batch is waited for before new words are looked for


class MeaningSync:
    """Makes the vectors that are missing; one thread makes them, any may ask and look.

    `texts` are the fingerprints of the embedded texts of indexed records, by key.
    """

    def __init__(
        self, store: Store, vectors: VectorIndex, embedder: Embedder, *, retry: float
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder
        self._retry = retry  # seconds
        self._progress = Progress(known=False)
        self._anew = threading.Event()
        self._pending: dict[int, bytes] = {}  # the texts whose vectors are missing, newest first
        self._batches: deque[_Batch] = deque()  # whose vectors are being made
        self._stale: set[int] = set()  # keys whose vectors are to be made once more
        self._rest_until = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether a trouble was met a moment ago."""
        return time.monotonic() < self._rest_until

    def stop(self, timeout: float) -> None:
        """Wait for the vectors that are being made."""
        for batch in self._batches:
            batch.join(timeout)

    def ask_anew(self) -> None:
        """Have each vector made once more, while the old ones answer."""
        self._anew.set()

    def reports(self) -> list[PartReport]:
        """Return how the parts "vectors" and "chroma" are, without blocking."""
        vectors, chroma = self._vectors.reports()
        if vectors.state is PartState.OK:
            progress = Progress(known=False) if self._anew.is_set() else self._progress
            made = progress.report("vectors", "Vectors are being made")
            vectors = made.model_copy(update={"cause": made.cause or vectors.cause})
        return [vectors, chroma]

    # ------------------------------------------------------------------ what is missing
    def begin_comparison(self) -> dict[int, bytes]:
        """Forget what was missing; return the fingerprints of the texts that have a vector."""
        self._pending = {}
        return self._vectors.kept.fingerprints()

    def note_new(self, texts: Mapping[int, bytes]) -> None:
        """Put these first in the queue: they are new, or have changed."""
        others = {key: mark for key, mark in self._pending.items() if key not in texts}
        self._pending = {**texts, **others}

    def note_compared(self, texts: Mapping[int, bytes], held: Mapping[int, bytes]) -> None:
        """Queue those behind the others whose text is not the one that has a vector."""
        for key, mark in texts.items():
            if key in self._stale or held.get(key) != mark:
                self._pending[key] = mark

    def forget(self, keys: Sequence[int]) -> None:
        """Drop the vectors of records that are no more."""
        if keys:
            with self.may_fail():
                self._vectors.remove(to_keys(map(to_ref, keys)))

    def count(self, total: int) -> None:
        """Tell how many of so many records have their vector."""
        done = total - len(self._pending)
        self._progress = replace(self._progress, done=done, total=total, known=True)

    # ------------------------------------------------------------------ making
    def begin_anew(self, keys: Collection[int]) -> None:
        """Queue all, if somebody asked for it since."""
        if self._anew.is_set():
            self._stale = set(keys)
            self._pending = dict.fromkeys(sorted(self._stale, reverse=True), b"")
            self.count(len(keys))
            self._anew.clear()

    @contextmanager
    def may_fail(self) -> Iterator[None]:
        """Let words go on while the file of the kept vectors, or the model, cannot be used."""
        try:
            yield
        except EmbedderMissingError as exc:
            log.warning("words are searched, meaning is not: %s", exc.detail)
        except KeptVectorsError as exc:
            log.warning("words are searched, meaning is not: %s", exc.detail)
            again = f"It is tried again every {self._retry:g} s."
            self._progress = replace(self._progress, failure=exc.detail, remedy=again)
            self._rest_until = time.monotonic() + self._retry

    def make_next(self, total: int, *, wait: bool, lanes: int = 1) -> bool:
        """Go on with the vectors of `total` records; return whether any are missing.

        So many batches are made at a time, while others are stored and words are indexed: these
        are looked for again after a moment's `wait`, or at once.
        """
        able = bool(self._pending) and self._embedder.state.state is PartState.OK
        if able:
            self._begin(lanes)
            batch = self._batches[0]
            batch.join(PATIENCE if wait else 0)
            if not batch.is_alive():
                self._batches.popleft()
                self._begin(lanes, besides=batch.marks)
                self._store_batch(batch)
                self.count(total)
        self._progress = replace(self._progress, failure="", remedy="")
        return able

    def _begin(self, lanes: int, besides: Collection[int] = ()) -> None:
        """Have so many batches be made, of what is in none yet."""
        taken = {*besides, *chain.from_iterable(each.marks for each in self._batches)}
        while len(self._batches) < lanes:
            first = islice(self._pending.items(), BATCH + len(taken))
            marks = dict([(key, mark) for key, mark in first if key not in taken][:BATCH])
            if not marks:
                return
            records = self._store.records([to_ref(key) for key in marks])
            texts = {to_key(ref): embedded_text(record) for ref, record in records.items()}
            batch = _Batch(self._embedder, marks, texts)
            batch.start()
            self._batches.append(batch)
            taken.update(marks)

    def _store_batch(self, batch: "_Batch") -> None:
        """Keep what the batch made for texts that are still wanted as they were when it began."""
        vectors = batch.result()
        wanted = {key for key, mark in batch.marks.items() if self._pending.get(key) == mark}
        rows = [row for row, key in enumerate(batch.texts) if key in wanted]
        if rows:
            keys = [key for key in batch.texts if key in wanted]
            prints = [text_fingerprint(batch.texts[key]) for key in keys]
            self._vectors.put(np.array(keys, np.int64), prints, vectors[rows])
        self._stale.difference_update(wanted)
        for key in wanted:
            del self._pending[key]


class _Batch(threading.Thread):
    """Makes the vectors of some texts, by key."""

    def __init__(
        self, embedder: Embedder, marks: Mapping[int, bytes], texts: Mapping[int, str]
    ) -> None:
        super().__init__(name="vectors", daemon=True)
        self.marks = marks  # of the texts that were asked for; some may be gone
        self.texts = texts
        self._embedder = embedder
        self._made: Matrix | Exception | None = None

    def run(self) -> None:
        try:
            self._made = self._embedder.encode(list(self.texts.values()))
        except Exception as exc:  # noqa: BLE001 - raised to whoever wants the result
            self._made = exc

    def result(self) -> Matrix:
        """Wait for the vectors, (n, dimension), as the texts stand; raise what went wrong."""
        self.join()
        if not isinstance(self._made, np.ndarray):
            raise self._made or RuntimeError("no vectors were made")
        return self._made
