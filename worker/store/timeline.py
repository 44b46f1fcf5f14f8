"""What happened around one record: the nearest observations, and what lies between."""

from collections.abc import Mapping
from dataclasses import dataclass

from worker.shared.errors import NotFoundError
from worker.shared.refs import LETTER, Kind, Ref
from worker.store.filters import Filters
from worker.store.layout import View
from worker.store.listing import Position, find, quick_wheres, select
from worker.store.reading import id_range, ordered_heads
from worker.store.records import Head


def window(view: View, anchor: Ref, *, before: int, after: int, project: str | None) -> list[Head]:
    """Return the anchor among its neighbours, in time order.

    A side holds its nearest observations, at most `before` or `after`, and the nearest sessions
    and prompts, at most as many, that are no further off than the last of those observations;
    with fewer observations than asked for there is no such bound. Raises NotFoundError.
    """
    centre = find(view, anchor)
    if centre is None:
        raise NotFoundError(_missing(view, anchor))
    scope = _Scope(view, project, quick_wheres(view, Filters(project)))
    earlier = _side(scope, centre, count=before, ascending=False)
    later = _side(scope, centre, count=after, ascending=True)
    return ordered_heads(view, [*reversed(earlier), centre, *later])


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where the neighbours are looked for; both sides share it."""

    view: View
    project: str | None
    wheres: Mapping[Kind, str]


def _side(scope: _Scope, centre: Position, *, count: int, ascending: bool) -> list[Position]:
    """Return one side, nearest first."""
    here = int(centre.ms)
    start_ms, end_ms = (here, None) if ascending else (None, here)

    def nearest(*kinds: Kind) -> list[Position]:
        filters = Filters(scope.project, frozenset(kinds), start_ms=start_ms, end_ms=end_ms)
        return select(
            scope.view,
            filters,
            ascending=ascending,
            limit=count,
            beyond=centre,
            wheres=scope.wheres,
        )

    observations = nearest(Kind.OBSERVATION)
    side = sorted(observations + nearest(Kind.SESSION, Kind.PROMPT), reverse=not ascending)
    if count and len(observations) == count:
        return side[: side.index(observations[-1]) + 1]
    return side


def _missing(view: View, ref: Ref) -> str:
    ids = id_range(view, ref.kind)
    if ids is None:
        return f"{ref} does not exist: there is no {ref.kind} yet"
    low, high = (f"#{LETTER[ref.kind]}{number}" for number in ids)
    return f"{ref} does not exist: {ref.kind} ids run from {low} to {high}"
