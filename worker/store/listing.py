"""Records in time order, and how many there are."""

from collections.abc import Mapping
from dataclasses import dataclass

from worker.shared.refs import Kind, Ref
from worker.store import conditions
from worker.store.filters import Filters
from worker.store.layout import ORDER, View

KINDS = tuple(ORDER)


@dataclass(frozen=True, order=True, slots=True)
class Position:
    """The place of a record in time order: milliseconds, then kind (O, S, P), then id."""

    ms: float  # as stored where that is in milliseconds, so that the time index has this order
    order: int
    id: int

    @property
    def ref(self) -> Ref:
        return Ref(KINDS[self.order], self.id)


def select(
    view: View,
    filters: Filters,
    *,
    ascending: bool,
    limit: int,
    offset: int = 0,
    beyond: Position | None = None,
    wheres: Mapping[Kind, str] | None = None,
) -> list[Position]:
    """Return the places of what passes, in time order; with `beyond`, only those after it.

    `wheres` are the conditions of `quick_wheres`, for who asks several times.
    """
    bound = conditions.values(filters) | {"limit": limit, "offset": offset}
    after = None
    if beyond is not None:
        bound |= {"ms": beyond.ms, "order": beyond.order, "id": beyond.id}
        after = ">" if ascending else "<"
    if wheres is None:
        wheres = quick_wheres(view, filters)
    arms = [
        arm
        for source in conditions.sources(view, filters)
        for arm in conditions.arms(source, wheres[source.kind], after=after)
    ]
    if not arms:
        return []
    direction = "ASC" if ascending else "DESC"
    order = ", ".join(f"{name} {direction}" for name in ("ms", "kind", "id"))
    sql = f"{' UNION ALL '.join(arms)} ORDER BY {order} LIMIT :limit OFFSET :offset"
    return [Position(*row) for row in view.connection.execute(sql, bound)]


def quick_wheres(view: View, filters: Filters) -> dict[Kind, str]:
    """Return the condition of each kind that can pass, but for time."""
    sources = conditions.sources(view, filters)
    return {source.kind: conditions.quick_where(view, source, filters) for source in sources}


def find(view: View, ref: Ref) -> Position | None:
    """Return the place of one record, None where there is none."""
    if ref.kind not in view.sources:
        return None
    sql = " UNION ALL ".join(conditions.arms(view.sources[ref.kind], "t.id = :id"))
    bound = conditions.values(Filters()) | {"id": ref.id}
    row = view.connection.execute(sql, bound).fetchone()
    return row and Position(*row)


def count(view: View, filters: Filters) -> int:
    """Return how many records pass."""
    timed = filters.start_ms is not None or filters.end_ms is not None
    total = 0
    for source in conditions.sources(view, filters):
        where = conditions.where(source, filters)
        plain = f"SELECT 1 FROM {source.table} t WHERE {where}"
        selects = conditions.arms(source, where) if timed else [plain]
        total += sum(conditions.number(view, each, filters) for each in selects)
    return total
