"""All vectors in RAM, searched exactly; readers hold snapshots that no writer touches."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worker.index.embedder import Matrix
from worker.index.keys import Keys
from worker.index.quantised import Codes, Quantised, codes_of

SAMPLE = 1_000  # vectors that stand for all when the usual cosine of a query is asked
_GATHER_SHARE = 4  # below a quarter of the rows, picking them out is faster than scanning all
_SMALLEST = 1_024  # rows there is room for from the start


def top(keys: Keys, cosines: Matrix, k: int) -> tuple[Keys, Matrix]:
    """Return the `k` highest cosines and their keys, best first, of equals the newer row first."""
    if 0 < k < len(cosines):
        chosen = np.flatnonzero(cosines >= np.partition(cosines, -k)[-k])
        keys, cosines = keys[chosen], cosines[chosen]
    order = np.lexsort((-keys, -cosines))[: max(k, 0)]
    return keys[order], cosines[order]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Every key and its vector at one moment, in no particular order."""

    keys: Keys  # (n,)
    rows: Quantised  # (n, dimension)

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        return np.argsort(self.keys)

    @cached_property
    def _sample(self) -> Matrix:
        """Those whose keys hash lowest: a sample that hardly changes as rows come in."""
        if len(self.keys) <= SAMPLE:
            return self.rows[:]
        hashes = self.keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # golden ratio
        return self.rows[np.argpartition(hashes, SAMPLE)[:SAMPLE]]

    def find(self, keys: Keys) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """Return the row of each key, and whether it has one at all."""
        if not len(self.keys):
            return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
        places = np.searchsorted(self.keys, keys, sorter=self._order)
        rows = self._order[np.minimum(places, len(self.keys) - 1)]
        return rows, self.keys[rows] == keys

    def cosines(self, query: Matrix, keys: Keys) -> Matrix:
        """Return the cosine of `query` with each key's vector, NaN where there is none."""
        rows, there = self.find(keys)
        result = np.full(len(keys), np.nan, np.float32)
        result[there] = self.rows[rows[there]] @ query
        return result

    def nearest(self, query: Matrix, k: int, among: Keys | None) -> tuple[Keys, Matrix]:
        """Return the `k` nearest, of all or `among` these distinct keys, best first."""
        if among is None:
            return top(self.keys, self.rows @ query, k)
        found, there = self.find(among)
        rows = found[there]
        if len(rows) * _GATHER_SHARE < len(self.keys):
            cosines = self.rows[rows] @ query
        else:
            cosines = (self.rows @ query)[rows]
        return top(self.keys[rows], cosines, k)

    def background(self, query: Matrix) -> tuple[float, float]:
        """Return mean and standard deviation of the cosine with the sample; (0, 1) without one."""
        if not len(self.keys):
            return 0.0, 1.0
        cosines = self._sample @ query
        return float(cosines.mean()), max(float(cosines.std()), 1e-6)

    def batches(self, size: int, among: Keys | None) -> Iterator[tuple[Keys, Matrix]]:
        """Yield copies of all rows, or of those `among` these keys, `size` at a time."""
        rows = np.arange(len(self.keys))
        if among is not None:
            found, there = self.find(among)
            rows = found[there]
        for start in range(0, len(rows), size):
            chosen = rows[start : start + size]
            yield self.keys[chosen], self.rows[chosen]


class VectorTable:
    """The current snapshot, and how one thread at a time puts the next one in its place."""

    def __init__(self, keys: Keys, codes: Codes) -> None:
        self._keys, self._codes = keys, codes  # with room for more; the snapshot shows what is used
        self.snapshot = Snapshot(keys, Quantised(codes))

    def change(self, *, without: Keys, keys: Keys, rows: Matrix) -> None:
        """Drop the rows of `without`, append the new ones and publish the result.

        New rows go behind the last published one; where rows go away, or room is short, all are
        copied: what readers hold stays as it is.
        """
        old = self.snapshot
        found, there = old.find(without)
        gone = np.unique(found[there])
        count = len(old.keys) - len(gone)
        end = count + len(keys)
        if len(gone) or end > len(self._keys):
            capacity = max(_SMALLEST, 1 << end.bit_length())
            self._keys = np.empty(capacity, np.int64)
            self._codes = np.empty((capacity, old.rows.shape[1]), np.int16)
            self._keys[:count], self._codes[:count] = old.keys[:count], old.rows.codes[:count]
            holes = gone[gone < count]  # are filled with the last rows that stay
            last = np.setdiff1d(np.arange(count, len(old.keys)), gone)
            self._keys[holes], self._codes[holes] = old.keys[last], old.rows.codes[last]
        self._keys[count:end] = keys
        self._codes[count:end] = codes_of(rows)
        self.snapshot = Snapshot(self._keys[:end], Quantised(self._codes[:end]))
