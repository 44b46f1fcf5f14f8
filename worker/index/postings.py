"""Which records hold a term, how often and where: read from FTS5 once, then kept in memory.

FTS5's own bm25() scores every match anew, 2 to 4 µs each; over arrays that are already there the
same sum takes a few nanoseconds a match. The arrays of the terms that were asked for lately are
kept, and grow with the records that are written.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Ordinals

BUDGET = 32_000_000  # entries kept, 8 bytes each: the words of some hundred queries at 100,000 rows

# A place is line << 24 | column << 20 | offset: words that stand near each other are near as
# numbers, and words of different columns never are.
LINE_BITS, COLUMN_BITS = 24, 20
MOST_OFFSET = (1 << COLUMN_BITS) - 1_000  # words beyond it stand all in one place

Places = NDArray[np.int64]


def place(line: int, column: int, offset: int) -> int:
    """Return the number of a place; ascending as lines, columns and their words follow."""
    return line << LINE_BITS | column << COLUMN_BITS | min(offset, MOST_OFFSET)


def lines_of(places: Places) -> Places:
    return places >> LINE_BITS


def columns_of(places: Places) -> Places:
    return places >> COLUMN_BITS & 15


def offsets_of(places: Places) -> Places:
    return places & ((1 << COLUMN_BITS) - 1)


class Postings(NamedTuple):
    """The lines that hold a term, ascending, how much it counts there, and where it stands."""

    ordinals: Ordinals
    counts: NDArray[np.float32]  # weighted tf
    places: Places  # ascending; none for a stop word that is everywhere


def postings_of(places: Places, weights: NDArray[np.float32]) -> Postings:
    """Return what the places (ascending, of any lines) come to, each counting its weight."""
    lines = lines_of(places)
    starts = np.flatnonzero(np.diff(lines, prepend=-1))
    counts = np.add.reduceat(weights, starts) if len(starts) else weights
    return Postings(lines[starts].astype(np.int32), counts.astype(np.float32), places)


def either(postings: Iterable[Postings]) -> Postings:
    """Return the postings of several terms as if they were one."""
    all_of = list(postings)
    ordinals, index = np.unique(np.concatenate([p.ordinals for p in all_of]), return_inverse=True)
    counts = np.bincount(index, np.concatenate([p.counts for p in all_of]), len(ordinals))
    places = np.sort(np.concatenate([p.places for p in all_of]))
    return Postings(ordinals, counts.astype(np.float32), places)


class PostingsCache:
    """The postings asked for lately; any thread."""

    def __init__(self, read: Callable[[str], Postings], *, budget: int = BUDGET) -> None:
        self._read = read
        self._budget = budget
        self._kept: OrderedDict[str, Postings] = OrderedDict()
        self._entries = 0
        self._generation = 0
        self._asked_at = -math.inf
        self._lock = threading.Lock()

    @property
    def quiet_seconds(self) -> float:
        """How long ago somebody asked for a term."""
        return time.monotonic() - self._asked_at

    def get(self, term: str) -> Postings:
        """Return the postings of a term, empty where no record holds it."""
        self._asked_at = time.monotonic()
        return self.read_ahead(term)

    def read_ahead(self, term: str) -> Postings:
        """Return them, too, but for nobody yet."""
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

    def begin_extending(self) -> frozenset[str]:
        """Return the terms that `extend` has to complete, once what it adds can be read.

        A list whose reading began before may lack that, and from here on is not kept any more.
        """
        with self._lock:
            self._generation += 1
            return frozenset(self._kept)

    def extend(self, written: Mapping[str, Postings]) -> None:
        """Add records that were just written to the terms that were kept."""
        with self._lock:
            for term, fresh in written.items():
                kept = self._kept.get(term)
                if kept is not None:
                    self._keep(term, _extended(kept, fresh))

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


def _extended(postings: Postings, fresh: Postings) -> Postings:
    """Append what is younger than the youngest line: the rest was read with it already."""
    youngest = int(postings.ordinals[-1]) if len(postings.ordinals) else -1
    new = fresh.ordinals > youngest
    kept = len(postings.places) or not len(postings.ordinals)
    places = fresh.places[(lines_of(fresh.places) > youngest) & bool(kept)]
    return Postings(
        np.concatenate([postings.ordinals, fresh.ordinals[new]]),
        np.concatenate([postings.counts, fresh.counts[new]]),
        np.concatenate([postings.places, places]),
    )


def _size(postings: Postings) -> int:
    return len(postings.ordinals) + len(postings.places) + 16  # what it costs beside its numbers
