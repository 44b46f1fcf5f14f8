"""What happened around one record: the nearest observations, and what lies between."""

from collections.abc import Iterable

from worker.shared.errors import NotFoundError
from worker.shared.refs import LETTER, Kind, Ref
from worker.store.filters import Filters
from worker.store.layout import ORDER, View
from worker.store.listing import Position, select
from worker.store.reading import heads, id_range, ordered_heads
from worker.store.records import Head


def window(view: View, anchor: Ref, *, before: int, after: int, project: str | None) -> list[Head]:
    """Return the anchor among its neighbours, in time order.

    A side holds its nearest observations, at most `before` or `after`, and the nearest sessions
    and prompts, at most as many, that are no further off than the last of those observations;
    with fewer observations than asked for there is no such bound. Raises NotFoundError.
    """
    centre = heads(view, [anchor]).get(anchor)
    if centre is None:
        raise NotFoundError(_missing(view, anchor))
    earlier = _side(view, centre, count=before, project=project, ascending=False)
    later = _side(view, centre, count=after, project=project, ascending=True)
    return [*reversed(earlier), centre, *later]


def _side(
    view: View, centre: Head, *, count: int, project: str | None, ascending: bool
) -> list[Head]:
    """Return one side, nearest first."""
    here = centre.created_at_epoch
    start_ms, end_ms = (here, None) if ascending else (None, here)

    def nearest(kinds: Iterable[Kind]) -> list[Head]:
        filters = Filters(project, frozenset(kinds), start_ms=start_ms, end_ms=end_ms)
        beyond = _position(centre)
        refs = select(view, filters, ascending=ascending, limit=count, beyond=beyond)
        return ordered_heads(view, refs)

    observations = nearest([Kind.OBSERVATION])
    others = nearest([Kind.SESSION, Kind.PROMPT])
    side = sorted(observations + others, key=_position, reverse=not ascending)
    if count and len(observations) == count:
        return side[: side.index(observations[-1]) + 1]
    return side


def _position(head: Head) -> Position:
    return Position(head.created_at_epoch, ORDER[head.ref.kind], head.ref.id)


def _missing(view: View, ref: Ref) -> str:
    ids = id_range(view, ref.kind)
    if ids is None:
        return f"{ref} does not exist: there is no {ref.kind} yet"
    low, high = (f"#{LETTER[ref.kind]}{number}" for number in ids)
    return f"{ref} does not exist: {ref.kind} ids run from {low} to {high}"
