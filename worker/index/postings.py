"""Which records hold a term and how often: read from FTS5 once, then kept in memory.

FTS5's own bm25() scores every match anew, 2 to 4 µs each; over arrays that are already there the
same sum takes a few nanoseconds a match. The arrays of the terms that were asked for lately are
kept, and grow with the records that are written.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Ordinals

BUDGET = 16_000_000  # entries kept, 8 bytes each


class Postings(NamedTuple):
    """The lines that hold a term, each once, and how much it counts there (weighted tf)."""

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

    def terms(self) -> frozenset[str]:
        """Return the terms that are kept."""
        with self._lock:
            return frozenset(self._kept)

    def extend(self, written: Mapping[str, Sequence[tuple[int, float]]]) -> None:
        """Add (line, count) of records that were just written to the terms that are kept."""
        with self._lock:
            self._generation += 1
            for term, entries in written.items():
                kept = self._kept.get(term)
                if kept is not None:
                    self._keep(term, _extended(kept, entries))

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


def _extended(postings: Postings, entries: Sequence[tuple[int, float]]) -> Postings:
    """Append what is younger than the youngest line: the rest was read with it already."""
    youngest = int(postings.ordinals.max()) if len(postings.ordinals) else -1
    fresh = [entry for entry in entries if entry[0] > youngest]
    ordinals = np.array([line for line, _ in fresh], dtype=np.int32)
    counts = np.array([count for _, count in fresh], dtype=np.float32)
    return Postings(
        np.concatenate([postings.ordinals, ordinals]), np.concatenate([postings.counts, counts])
    )


def _size(postings: Postings) -> int:
    return len(postings.ordinals) + 16  # what an entry costs beside its numbers
