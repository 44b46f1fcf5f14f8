"""Two rankings become one; pure functions over numbers.

The score is a weighted sum, (1 - w) * keyword + w * meaning. Keyword is BM25 as a share of the
most that the query's terms could reach. Meaning is how many standard deviations the cosine lies
above the query's mean cosine with a fixed sample of memories, a sixth of it, clipped to 0..1.
Measured against reciprocal rank fusion and other weights in docs/SEARCH.md.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

WEIGHT = 0.15  # of meaning
SPREAD = 6.0  # standard deviations above the mean that count as certain

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Background:
    """Mean and standard deviation of the query's cosine with memories in general."""

    mean: float
    deviation: float


UNKNOWN = Background(0.0, 0.0)


def meaning_share(cosines: Floats, background: Background) -> Floats:
    """Return how much each cosine stands out, 0..1; 0 where it is NaN: no vector, no say."""
    if background.deviation <= 0:
        return np.zeros(len(cosines), dtype=np.float32)
    share = (cosines - background.mean) / (SPREAD * background.deviation)
    clipped: Floats = np.clip(np.nan_to_num(share, nan=0.0), 0.0, 1.0).astype(np.float32)
    return clipped


def fuse(keyword: Floats, cosines: Floats, background: Background) -> Floats:
    """Return the score of each candidate.

    keyword: 0 where only meaning found it. cosines: NaN where there is no vector.
    """
    return (1 - WEIGHT) * keyword + WEIGHT * meaning_share(cosines, background)


def best_first(scores: Floats, keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of the candidates: by score, and equal ones by key, newest id first."""
    return np.lexsort((-keys, -scores))
