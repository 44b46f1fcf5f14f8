"""One line a record, in memory, as numpy columns: what filters, facets and dates are made of.

A record's *ordinal* is its line number; lines are only added or marked dead, so that a reader can
go on with the snapshot it took while the writer adds more.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.index.keys import CODE, Keys
from worker.shared.refs import Kind

Ordinals = NDArray[np.int32]
Mask = NDArray[np.bool_]

K1 = 1.2
B = 0.75

_NOBODY = (0, 0, -1, 0, 0, 0)  # the numbers of a line that is dead from the start
_BATCH = 4_096  # lines that are Python's objects at a time


class Line(NamedTuple):
    """What the catalog knows of a record."""

    key: int
    project: str
    merged: str | None
    type: str
    epoch: int  # milliseconds
    length: int  # tokens


@dataclass(frozen=True)
class Snapshot:
    """The catalog at one moment; every array has `size` entries, by ordinal."""

    size: int
    keys: Keys
    kind: NDArray[np.int8]  # its code
    project: NDArray[np.int32]  # codes into `names`
    merged: NDArray[np.int32]  # -1 where there is none
    type: NDArray[np.int32]
    epoch: NDArray[np.int64]
    norm: NDArray[np.float32]  # k1 * (1 - b + b * length / average of its kind), as in BM25
    alive: Mask
    names: Sequence[str]
    codes: dict[str, int]
    rows: int  # alive

    @cached_property
    def by_date(self) -> NDArray[np.intp]:
        """Return all lines, oldest first; at the same moment by kind (O, S, P), then by id."""
        return np.lexsort((self.keys, self.kind, self.epoch))

    @cached_property
    def observation_types(self) -> list[str]:
        """Return the types that living observations have."""
        mine = self.alive & (self.kind == CODE[Kind.OBSERVATION])
        return [self.names[code] for code in np.unique(self.type[mine])]

    def mask(self, ordinals: Ordinals) -> Mask:
        """Return a mask of these lines; -1 and lines younger than the snapshot are passed over."""
        out = np.zeros(self.size, dtype=np.bool_)
        out[ordinals[(ordinals >= 0) & (ordinals < self.size)]] = True
        return out

    def living(self, lines: NDArray[np.integer]) -> Mask:
        """Say which of these lines are alive; one younger than the snapshot is not yet."""
        known: Mask = lines < self.size
        known[known] = self.alive[lines[known]]
        return known


class Catalog:
    """The lines of all indexed records. One thread writes, any thread reads `snapshot`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.replace_all(())

    def replace_all(self, lines: Iterable[tuple[int, Line]] = (), *, size: int = 0) -> None:
        """Begin anew with these lines; readers see the old ones or the new ones.

        lines: each with its number, ascending; of the `size` that are taken, the others are dead.
        """
        with self._lock:
            self._size = 0
            self._numbers = np.empty((0, 6), dtype=np.int64)
            self._alive = np.empty(0, dtype=np.bool_)
            self._names: list[str] = []
            self._codes: dict[str, int] = {}
            self._ordinals: dict[int, int] = {}
            self._reserve(size)
            self._numbers[:size], self._alive[:size], self._size = _NOBODY, False, size
            rest = iter(lines)
            while batch := list(islice(rest, _BATCH)):
                self._set(batch)
            self._publish()

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    def put(self, lines: Iterable[Line]) -> None:
        """Add or replace lines."""
        new = list(lines)
        with self._lock:
            self._add(new)
            self._publish()

    def remove(self, keys: Iterable[int]) -> None:
        """Mark lines dead."""
        with self._lock:
            for key in keys:
                self._kill(key)
            self._publish()

    def ordinals(self, keys: Keys) -> Ordinals:
        """Return the line of each record, -1 where there is none."""
        found = map(self._ordinals.get, keys.tolist(), repeat(-1))
        return np.fromiter(found, np.int32, len(keys))

    def _add(self, lines: Sequence[Line]) -> None:
        start, end = self._size, self._size + len(lines)
        self._reserve(end)
        self._size = end
        self._set(list(enumerate(lines, start)))

    def _set(self, lines: Sequence[tuple[int, Line]]) -> None:
        if not lines:
            return
        at = [number for number, _ in lines]
        self._alive[at] = True
        for number, line in lines:
            self._kill(line.key)
            self._ordinals[line.key] = number
        self._numbers[at] = [
            (
                line.key,
                self._code(line.project),
                -1 if line.merged is None else self._code(line.merged),
                self._code(line.type),
                line.epoch,
                line.length,
            )
            for _, line in lines
        ]

    def _kill(self, key: int) -> None:
        ordinal = self._ordinals.pop(key, None)
        if ordinal is not None:
            self._alive[ordinal] = False

    def _code(self, name: str) -> int:
        code = self._codes.get(name)
        if code is None:
            code = len(self._names)
            self._codes = {**self._codes, name: code}
            self._names.append(name)
        return code

    def _reserve(self, size: int) -> None:
        if size > len(self._numbers):
            room = max(size, 2 * len(self._numbers), 1024)
            numbers = np.empty((room, 6), dtype=np.int64)
            numbers[: self._size] = self._numbers[: self._size]
            alive = np.zeros(room, dtype=np.bool_)
            alive[: self._size] = self._alive[: self._size]
            self._numbers, self._alive = numbers, alive

    def _publish(self) -> None:
        size = self._size
        columns = self._numbers[:size].T
        alive = self._alive[:size].copy()
        self._snapshot = Snapshot(
            size=size,
            keys=columns[0].copy(),
            kind=(columns[0] & 3).astype(np.int8),
            project=columns[1].astype(np.int32),
            merged=columns[2].astype(np.int32),
            type=columns[3].astype(np.int32),
            epoch=columns[4].copy(),
            norm=_norms(columns[0] & 3, columns[5], alive),
            alive=alive,
            names=self._names,
            codes=self._codes,
            rows=int(np.count_nonzero(alive)),
        )


def _norms(kinds: Keys, lengths: Keys, alive: Mask) -> NDArray[np.float32]:
    """Return the length norm of each line, against the average length of its kind."""
    norm = np.full(len(kinds), K1, dtype=np.float32)
    for kind in Kind:
        mine = kinds == CODE[kind]
        living = lengths[mine & alive]
        if len(living):
            average = max(float(living.mean()), 1.0)
            norm[mine] = K1 * (1 - B + B * lengths[mine] / average)
    return norm
