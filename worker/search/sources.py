"""Which program each memory comes from: looked up once for a line of the catalog, then kept."""

import threading
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Mask, Snapshot
from worker.index.keys import CODE, Keys
from worker.store.filters import Filters
from worker.store.store import Store

Codes = NDArray[np.int16]


class Sources:
    """Any thread may ask; the catalog does not know it, since a record does not say it itself."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._keys: Keys = np.array([], dtype=np.int64)
        self._codes: Codes = np.array([], dtype=np.int16)
        self._names: list[str] = []

    def look_up(self, lines: Snapshot) -> None:
        """Know where all lines come from before somebody asks."""
        self._of(lines)

    def passing(self, lines: Snapshot, filters: Filters) -> Mask:
        """Return which lines come from where the filters want it."""
        codes = self._of(lines)
        mask = np.ones(lines.size, dtype=np.bool_)
        if filters.sources:
            mask &= np.isin(codes, self._named(filters.sources))
        if filters.not_sources:
            mask &= ~np.isin(codes, self._named(filters.not_sources))
        return mask

    def counts(self, lines: Snapshot, matched: Mask) -> dict[str, int]:
        """Return how many matched lines come from each program, most first."""
        found = np.bincount(self._of(lines)[matched], minlength=len(self._names))
        named = {name: int(n) for name, n in zip(self._names, found, strict=False) if n}
        return dict(sorted(named.items(), key=lambda one: -one[1]))

    def _named(self, names: Collection[str]) -> list[int]:
        return [code for code, name in enumerate(self._names) if name in names]

    def _of(self, lines: Snapshot) -> Codes:
        """Return the code of each line; lines are only ever added, but for an index made anew."""
        with self._lock:
            both = min(len(self._keys), lines.size)
            if not np.array_equal(self._keys[:both], lines.keys[:both]):
                self._keys, self._codes = self._keys[:0], self._codes[:0]
            if len(self._keys) < lines.size:
                new = lines.keys[len(self._keys) :]
                self._codes = np.concatenate([self._codes, self._look_up(new)])
                self._keys = lines.keys.copy()
            return self._codes[: lines.size]

    def _look_up(self, keys: Keys) -> Codes:
        codes = np.zeros(len(keys), dtype=np.int16)
        for kind, number in CODE.items():
            mine = keys & 3 == number
            found = self._store.sources(kind, (keys[mine] >> 2).tolist())
            self._names += [name for name in dict.fromkeys(found) if name not in self._names]
            known = {name: code for code, name in enumerate(self._names)}
            codes[mine] = [known[name] for name in found]
        return codes
