"""Which memories still want a vector, and the making of them, batch by batch."""

import logging
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from worker.index.embedder import Embedder, EmbedderMissingError
from worker.index.fingerprint import embedded_text, text_fingerprint
from worker.index.kept import KeptVectorsError
from worker.index.keys import to_key, to_keys, to_ref
from worker.index.progress import Progress
from worker.index.vectors import VectorIndex
from worker.shared.readiness import PartReport, PartState
from worker.store.store import Store

log = logging.getLogger(__name__)

BATCH = 32


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
        self._pending: dict[int, None] = {}  # keys whose vectors are missing, newest first
        self._stale: set[int] = set()  # keys whose vectors are to be made once more
        self._rest_until = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether a trouble was met a moment ago."""
        return time.monotonic() < self._rest_until

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
        self._pending = dict.fromkeys(texts) | self._pending

    def note_compared(self, texts: Mapping[int, bytes], held: Mapping[int, bytes]) -> None:
        """Queue those behind the others whose text is not the one that has a vector."""
        for key, mark in texts.items():
            if key in self._stale or held.get(key) != mark:
                self._pending[key] = None

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
            self._pending = dict.fromkeys(sorted(self._stale, reverse=True))
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

    def make_next(self, total: int) -> bool:
        """Make the vectors of one batch of `total` records; return whether there was one."""
        able = bool(self._pending) and self._embedder.state.state is PartState.OK
        if able:
            self._make(list(self._pending)[:BATCH])
            self.count(total)
        self._progress = replace(self._progress, failure="", remedy="")
        return able

    def _make(self, keys: Sequence[int]) -> None:
        records = self._store.records([to_ref(key) for key in keys])
        texts = {to_key(ref): embedded_text(record) for ref, record in records.items()}
        if texts:
            vectors = self._embedder.encode(list(texts.values()))
            prints = [text_fingerprint(text) for text in texts.values()]
            self._vectors.put(to_keys(map(to_ref, texts)), prints, vectors)
        self._stale.difference_update(keys)
        for key in keys:
            self._pending.pop(key, None)
