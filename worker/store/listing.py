"""Records in time order, and how many there are."""

from dataclasses import dataclass

from worker.shared.refs import Ref
from worker.store import conditions
from worker.store.filters import Filters
from worker.store.layout import ORDER, View

KINDS = tuple(ORDER)


@dataclass(frozen=True, order=True, slots=True)
class Position:
    """A place in time order: milliseconds, then kind (O, S, P), then id."""

    ms: int
    order: int
    id: int


def select(
    view: View,
    filters: Filters,
    *,
    ascending: bool,
    limit: int,
    offset: int = 0,
    beyond: Position | None = None,
) -> list[Ref]:
    """Return the records that pass, in time order; with `beyond`, only those after that place."""
    bound = conditions.values(filters) | {"limit": limit, "offset": offset}
    after = None
    if beyond is not None:
        bound |= {"ms": beyond.ms, "order": beyond.order, "id": beyond.id}
        after = ">" if ascending else "<"
    arms = [
        arm
        for source in conditions.sources(view, filters)
        for arm in conditions.arms(
            source, conditions.quick_where(view, source, filters), after=after
        )
    ]
    if not arms:
        return []
    direction = "ASC" if ascending else "DESC"
    order = ", ".join(f"{name} {direction}" for name in ("ms", "kind", "id"))
    sql = f"{' UNION ALL '.join(arms)} ORDER BY {order} LIMIT :limit OFFSET :offset"
    return [Ref(KINDS[kind], id_) for _, kind, id_ in view.connection.execute(sql, bound)]


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
