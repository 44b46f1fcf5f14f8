"""How many matches there are for each project, kind, type and month."""

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Mask, Snapshot
from worker.index.keys import CODE
from worker.search.answer import local_time
from worker.shared.contract import Facets
from worker.shared.refs import Kind

DAY_MS = 86_400_000


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
    """Count by local month, newest first; a day is the unit, so that each is converted once."""
    counts: Counter[str] = Counter()
    quarters, rows = np.unique(epochs // (DAY_MS // 96), return_counts=True)
    for quarter, number in zip(quarters.tolist(), rows.tolist(), strict=True):
        counts[local_time(quarter * (DAY_MS // 96)).strftime("%Y-%m")] += number
    return dict(sorted(counts.items(), reverse=True))
