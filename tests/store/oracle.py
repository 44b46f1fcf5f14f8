"""What the lists must hold, worked out in Python from the whole records."""

from collections.abc import Iterable

from worker.shared.refs import Kind, Ref
from worker.store.filters import Filters, file_matches
from worker.store.records import FILE_FIELDS, Head, Record
from worker.store.store import Store

ORDER = [Kind.OBSERVATION, Kind.SESSION, Kind.PROMPT]


def everything(store: Store) -> dict[Ref, Record]:
    return store.records([Ref(kind, id_) for kind in Kind for id_ in store.ids(kind)])


def place(record: Record | Head) -> tuple[int, int, int]:
    """Where a record stands in time order."""
    return (record.created_at_epoch, ORDER.index(record.ref.kind), record.ref.id)


def passes(record: Record, filters: Filters) -> bool:
    files = [path for name in FILE_FIELDS for path in record.items(name)]
    is_observation = record.ref.kind is Kind.OBSERVATION
    projects = {record.project, record.merged_into_project}
    return all(
        (
            filters.project in (None, record.project, record.merged_into_project),
            not filters.projects or bool(filters.projects & projects),
            not filters.not_projects & projects,
            not (is_observation and record.type in filters.not_types),
            record.ref.kind in filters.kinds,
            not filters.types or (is_observation and record.type in filters.types),
            not filters.concepts
            or (is_observation and not set(filters.concepts).isdisjoint(record.items("concepts"))),
            not filters.files
            or any(file_matches(path, wanted) for path in files for wanted in filters.files),
            filters.start_ms is None or record.created_at_epoch >= filters.start_ms,
            filters.end_ms is None or record.created_at_epoch <= filters.end_ms,
        )
    )


def selected(records: Iterable[Record], filters: Filters) -> list[Ref]:
    """The records that pass, oldest first."""
    return [record.ref for record in sorted(records, key=place) if passes(record, filters)]


def around(
    records: Iterable[Record], anchor: Ref, *, before: int, after: int, project: str | None
) -> list[Ref]:
    """The timeline around an anchor, as its contract words it."""
    line = sorted(records, key=place)
    middle = next(n for n, record in enumerate(line) if record.ref == anchor)

    def side(rows: list[Record], count: int) -> list[Ref]:
        near = [record for record in rows if passes(record, Filters(project=project))]
        observations = [n for n, record in enumerate(near) if record.ref.kind is Kind.OBSERVATION]
        others = [n for n, record in enumerate(near) if record.ref.kind is not Kind.OBSERVATION]
        chosen = observations[:count]
        if len(chosen) == count:
            others = [n for n in others if chosen and n < chosen[-1]]
        return [near[n].ref for n in sorted(chosen + others[:count])]

    earlier = side(line[:middle][::-1], before)
    return [*earlier[::-1], anchor, *side(line[middle + 1 :], after)]
