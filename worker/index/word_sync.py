"""Follows the store: what is new, changed or gone is indexed by word and noted for a vector.

The store is compared by (id, fingerprint) with what is indexed: at start, from time to time, and
when counts differ. Between those, new rows are taken by their ids, and the latest summaries are
looked at again, since a session that goes on has its own rewritten.
"""

import threading
import time
from collections.abc import Iterable, KeysView, Sequence
from dataclasses import replace
from typing import TypeVar

from worker.index.fingerprint import embedded_text, text_fingerprint
from worker.index.keys import CODE, to_key, to_keys
from worker.index.keyword import KeywordIndex
from worker.index.meaning_sync import MeaningSync
from worker.index.progress import Progress
from worker.shared.readiness import PartReport
from worker.shared.refs import Kind, Ref
from worker.store.store import Store

T = TypeVar("T")

BATCH = 500
FRESH = 64  # new rows between two looks at their vectors, which are made meanwhile
SESSIONS_AT_ONCE = 32  # whose summaries are looked at again whenever something was written
PRINT = 8  # bytes of a print
RECONCILE_REST = 20  # times as long as a comparison took: it uses a twentieth of a core at most


class WordSync:
    """Keeps the keyword index equal to the store; one thread does, any may look at the report."""

    def __init__(
        self,
        store: Store,
        keyword: KeywordIndex,
        meaning: MeaningSync | None,
        stopping: threading.Event,
        *,
        reconcile: float,
    ) -> None:
        self._store = store
        self._keyword = keyword
        self._meaning = meaning  # None where search by meaning is switched off
        self._stopping = stopping
        self._rest = reconcile  # seconds
        self._progress = Progress(known=False)
        self._indexed: dict[int, bytes] = {}  # key -> print of the record and of its embedded text
        self._seen_version = -1
        self._fresh: list[Ref] = []  # new rows that are not indexed yet, newest first
        self._reconciled_at = 0.0
        self._reconcile_cost = 0.0  # seconds
        self._changed_since = False

    @property
    def keys(self) -> KeysView[int]:
        """The keys of all that is indexed."""
        return self._indexed.keys()

    @property
    def is_known(self) -> bool:
        """Whether the index was compared with the store since it was opened."""
        return self._progress.known

    def report(self, *, anew: bool) -> PartReport:
        """Return the line that /api/ready shows, `anew` where it is about to be built."""
        progress = Progress(known=False) if anew else self._progress
        return progress.report("keyword", "The keyword index is being built")

    def begin(self) -> None:
        """Take the index for empty or unknown until it is compared."""
        self._progress = Progress(known=False)

    def fail(self, failure: str, remedy: str) -> None:
        """Have the report tell a trouble until the next words are indexed."""
        self._progress = replace(self._progress, failure=failure, remedy=remedy)

    # ------------------------------------------------------------------ comparing
    def follow(self) -> bool:
        """Index some of what is new in the store; return whether anything was done."""
        if not self._fresh:
            version = self._store.data_version()
            if version == self._seen_version:
                if due := self._changed_since and self._has_rested:
                    self.reconcile()
                return due
            self._fresh = [*self._new_ids(), *self._rewritten()]
            self._seen_version = version
            self._changed_since = True
        some, self._fresh = self._fresh[:FRESH], self._fresh[FRESH:]
        changed = self._index(some)
        if self._meaning is not None:
            self._meaning.note_new(self._texts(changed))
        if not self._fresh and self._differs():
            self.reconcile()
        self._count()
        return bool(some)

    def _differs(self) -> bool:
        """Say whether rows were deleted, or came in below the highest id.

        While others write all the time, as an import does, only what is due is compared: what is
        missing may have come in since.
        """
        if sum(self._store.counts().values()) == len(self._indexed):
            return False
        return self._store.data_version() == self._seen_version or self._has_rested

    @property
    def _has_rested(self) -> bool:
        """Whether the last comparison is long enough ago."""
        rest = max(self._rest, RECONCILE_REST * self._reconcile_cost)
        return time.monotonic() - self._reconciled_at > rest

    def reconcile(self) -> None:
        """Compare every row with what is indexed: by id, then by fingerprint."""
        began = time.monotonic()
        self._seen_version = self._store.data_version()
        self._fresh = []
        self._indexed = self._keyword.fingerprints()
        held = self._meaning.begin_comparison() if self._meaning is not None else {}
        refs = [Ref(kind, i) for kind in Kind for i in self._store.ids(kind)]
        done, total = len(self._indexed), len(refs)
        self._progress = replace(self._progress, done=done, total=total, known=True)
        self._forget_missing(refs, held)
        for batch in _batches(refs, BATCH):
            if self._stopping.is_set():
                return
            self._index(batch)
            if self._meaning is not None:
                self._meaning.note_compared(self._texts(batch), held)
        self._reconciled_at = time.monotonic()
        self._reconcile_cost = self._reconciled_at - began
        self._changed_since = False
        self._progress = Progress(len(self._indexed), len(refs))
        self._count()

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

    def _rewritten(self) -> list[Ref]:
        """Return the summaries that may have new words under an old id: their sessions go on."""
        return [Ref(Kind.SESSION, i) for i in self._store.latest_summaries(SESSIONS_AT_ONCE)]

    def _forget_missing(self, refs: Sequence[Ref], held: dict[int, bytes]) -> None:
        there = set(to_keys(refs).tolist())
        gone = [key for key in self._indexed if key not in there]
        for keys in _batches(gone, BATCH):
            self._keyword.remove(keys)
            for key in keys:
                self._indexed.pop(key, None)
        if self._meaning is not None:
            self._meaning.forget([key for key in held if key not in there])

    def _index(self, refs: Sequence[Ref]) -> Sequence[Ref]:
        """Index the words of what is new or changed, and return it."""
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
            done = len(self._indexed)
            self._progress = replace(self._progress, done=done, failure="", remedy="")
        return changed

    def _texts(self, refs: Sequence[Ref]) -> dict[int, bytes]:
        """Return the fingerprints of the embedded texts of those that are indexed."""
        keys = to_keys(refs).tolist()
        return {key: self._indexed[key][PRINT:] for key in keys if key in self._indexed}

    def _count(self) -> None:
        total = len(self._indexed)
        known = max(total, self._progress.done)
        self._progress = replace(self._progress, done=total, total=known)
        if self._meaning is not None:
            self._meaning.count(total)


def _batches(items: Sequence[T], size: int) -> Iterable[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
