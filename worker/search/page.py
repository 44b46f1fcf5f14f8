"""One page of rows, however it was found."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from worker.search.marking import Marker, nothing
from worker.shared.contract import Degraded, Facets

Leg = Literal["keyword", "meaning", "both", "filter"]


@dataclass(frozen=True, slots=True)
class Row:
    """One record by its key, and who found it."""

    key: int
    score: float = 0.0
    leg: Leg = "filter"
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows, and what is known of the whole match set."""

    rows: list[Row]
    total: int
    facets: Callable[[], Facets] = Facets
    degraded: tuple[Degraded, ...] = ()
    notes: tuple[str, ...] = ()
    marker: Marker = nothing  # of why the rows were found
