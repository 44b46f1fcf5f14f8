"""Two rankings become one; pure functions over keys and numbers.

The score is a weighted sum, (1 - w) * keyword + w * meaning, each a share of 1: keyword is bm25
over the most that the query's terms could reach, meaning is how many standard deviations the
cosine lies above the query's mean cosine with a fixed sample of memories, a sixth of it. Measured
against reciprocal rank fusion and other weights in docs/SEARCH.md.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal

WEIGHT = 0.2  # of meaning
SPREAD = 6.0  # standard deviations above the mean that count as certain

Leg = Literal["keyword", "meaning", "both"]


@dataclass(frozen=True, slots=True)
class Background:
    """Mean and standard deviation of the query's cosine with memories in general."""

    mean: float
    deviation: float


UNKNOWN = Background(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of the fused ranking."""

    key: int
    score: float
    leg: Leg


def meaning_share(cosine: float, background: Background) -> float:
    """Return how much a cosine stands out, 0..1."""
    if background.deviation <= 0:
        return 0.0
    return min(max((cosine - background.mean) / (SPREAD * background.deviation), 0.0), 1.0)


def fuse(
    keyword: Mapping[int, float],
    cosines: Mapping[int, float],
    background: Background,
    *,
    near: AbstractSet[int],
    exact: AbstractSet[int],
) -> list[Ranked]:
    """Rank the union of both legs, best first; equal scores by key, newest id first.

    keyword: key -> share of 1 of each keyword match. cosines: key -> cosine, of any candidate that
    has a vector. near: keys that meaning found. exact: keys of the rows that hold the query as it
    stands; they come before all others.
    """
    ranked = []
    for key in keyword.keys() | near:
        share = meaning_share(cosines[key], background) if key in cosines else 0.0
        score = (1 - WEIGHT) * keyword.get(key, 0.0) + WEIGHT * share + (key in exact)
        leg: Leg = "meaning" if key not in keyword else "both" if key in near else "keyword"
        ranked.append(Ranked(key, score, leg))
    return sorted(ranked, key=lambda row: (-row.score, -row.key))
