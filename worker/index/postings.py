"""Which records hold a term and how often: read from FTS5 once, then kept in memory.

FTS5's own bm25() scores every match anew, 2 to 4 µs each; over arrays that are already there the
same sum takes a few nanoseconds a match. The arrays of the terms that were asked for lately are
kept, and dropped when a record that holds the term is written.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Ordinals

BUDGET = 16_000_000  # entries kept, 8 bytes each


class Postings(NamedTuple):
    """The lines that hold a term, ascending, and how much it counts there (weighted tf)."""

    ordinals: Ordinals
    counts: NDArray[np.float32]


class PostingsCache:
    """The postings asked for lately; any thread."""

    def __init__(self, read: Callable[[str], Postings], *, budget: int = BUDGET) -> None:
        self._read = read
        self._budget = budget
        self._kept: OrderedDict[str, Postings] = OrderedDict()
        self._entries = 0
        self._generation = 0
        self._lock = threading.Lock()

    def get(self, term: str) -> Postings:
        """Return the postings of a term, empty where no record holds it."""
        with self._lock:
            found = self._kept.get(term)
            if found is not None:
                self._kept.move_to_end(term)
                return found
            generation = self._generation
        found = self._read(term)
        with self._lock:
            if generation == self._generation:  # else it may lack what was just written
                self._keep(term, found)
        return found

    def drop(self, terms: Iterable[str]) -> None:
        """Forget terms: records that hold them were written."""
        with self._lock:
            self._generation += 1
            for term in terms:
                gone = self._kept.pop(term, None)
                if gone is not None:
                    self._entries -= _size(gone)

    def clear(self) -> None:
        """Forget all terms."""
        with self._lock:
            self._generation += 1
            self._kept.clear()
            self._entries = 0

    def _keep(self, term: str, postings: Postings) -> None:
        before = self._kept.pop(term, None)
        self._entries += _size(postings) - (_size(before) if before else 0)
        self._kept[term] = postings
        while self._entries > self._budget and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._entries -= _size(oldest)


def _size(postings: Postings) -> int:
    return len(postings.ordinals) + 16  # what an entry costs beside its numbers
