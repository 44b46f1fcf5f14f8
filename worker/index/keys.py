"""A record's identity as one integer, so that result sets are plain int64 arrays."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from worker.shared.refs import Kind, Ref

Keys = NDArray[np.int64]

_KINDS = (Kind.OBSERVATION, Kind.SESSION, Kind.PROMPT)
CODE = {kind: code for code, kind in enumerate(_KINDS)}


def to_key(ref: Ref) -> int:
    """Return id * 4 + the kind's code."""
    return ref.id << 2 | CODE[ref.kind]


def to_ref(key: int) -> Ref:
    """Return the record that `to_key` numbered."""
    return Ref(_KINDS[int(key) & 3], int(key) >> 2)


def to_keys(refs: Iterable[Ref]) -> Keys:
    """Return an int64 array, one key a record, in the order given."""
    return np.fromiter((to_key(ref) for ref in refs), dtype=np.int64)
