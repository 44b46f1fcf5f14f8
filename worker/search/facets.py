"""How many matches there are for each project, kind, type and month."""

import datetime as dt

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Mask, Snapshot
from worker.index.keys import CODE
from worker.shared.contract import Facets
from worker.shared.local_time import local_time
from worker.shared.refs import Kind

_LATEST = 4_102_444_800_000  # milliseconds, 2100; what is beyond counts as its last month


def facets_of(lines: Snapshot, matched: Mask) -> Facets:
    """Count the matched lines."""
    kinds = np.bincount(lines.kind[matched], minlength=len(CODE))
    observations = matched & (lines.kind == CODE[Kind.OBSERVATION])
    return Facets(
        project=_named(lines, lines.project[matched]),
        kind={kind: int(kinds[code]) for kind, code in CODE.items() if kinds[code]},
        type=_named(lines, lines.type[observations]),
        month=_months(lines.epoch[matched]),
    )


def _named(lines: Snapshot, codes: NDArray[np.int32]) -> dict[str, int]:
    counts = np.bincount(codes)
    most_first = sorted(np.flatnonzero(counts).tolist(), key=lambda code: -counts[code])
    return {lines.names[code]: int(counts[code]) for code in most_first}


def _months(epochs: NDArray[np.int64]) -> dict[str, int]:
    """Count by local month, newest first: what lies between the starts of two is in the first."""
    if not len(epochs):
        return {}
    within = np.clip(epochs, 0, _LATEST)
    first, last = local_time(int(within.min())), local_time(int(within.max()))
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    starts = [dt.datetime(month // 12, month % 12 + 1, 1).astimezone() for month in months[1:]]
    edges = np.array([start.timestamp() * 1000 for start in starts])
    counts = np.bincount(np.searchsorted(edges, within, side="right"), minlength=len(months))
    counted = zip(reversed(months), counts[::-1].tolist(), strict=True)
    return {f"{month // 12}-{month % 12 + 1:02}": number for month, number in counted if number}
