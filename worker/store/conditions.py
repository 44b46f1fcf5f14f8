"""Filters as SQL: which rows pass, and how SQLite gets at them in time order without sorting."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from worker.shared.refs import Kind
from worker.store.filters import Filters
from worker.store.layout import ORDER, Source, View
from worker.store.records import FILE_FIELDS
from worker.store.values import EPOCH_MAX, EPOCH_MIN
from worker.store.writing import PLATFORM

_MANY = 1_000  # rows; more than these are not sorted, the time index is walked instead
_END_OF_TIME = 2**62


def sources(view: View, filters: Filters) -> Iterator[Source]:
    """Yield the tables that can hold what passes: only observations have types and concepts."""
    for kind, source in view.sources.items():
        asks_observations = filters.types or filters.concepts
        if kind in filters.kinds and (kind is Kind.OBSERVATION or not asks_observations):
            yield source


def values(filters: Filters) -> dict[str, object]:
    """Return what the SQL of this module binds."""
    return {
        "project": filters.project,
        "projects": json.dumps(sorted(filters.projects)),
        "not_projects": json.dumps(sorted(filters.not_projects)),
        "sources": json.dumps(sorted(filters.sources)),
        "not_sources": json.dumps(sorted(filters.not_sources)),
        "types": json.dumps(sorted(filters.types)),
        "not_types": json.dumps(sorted(filters.not_types)),
        "concepts": json.dumps(filters.concepts),
        "files": json.dumps(filters.files),
        "start": -_END_OF_TIME if filters.start_ms is None else filters.start_ms,
        "end": _END_OF_TIME if filters.end_ms is None else filters.end_ms,
    }


def arms(source: Source, where: str, *, after: str | None = None) -> list[str]:
    """Return two selects of (ms, kind, id): the rows with regular times, and the few others.

    The first walks the time index. The others are looked up in it range by range, for SQLite
    would scan the table for an OR. With `after`, a comparison sign, only what stands so to the
    place (:ms, :order, :id).
    """
    epoch, order = source.epoch, ORDER[source.kind]
    odd = " UNION ALL ".join(
        f"SELECT t.id FROM {source.table} t WHERE {epoch} {outside}"
        for outside in ("IS NULL", f"< {EPOCH_MIN}", f">= {EPOCH_MAX}")
    )
    regular_time = f"{epoch} >= max(:start, {EPOCH_MIN}) AND {epoch} < min(:end + 1, {EPOCH_MAX})"
    odd_time = f"t.id IN ({odd}) AND {source.ms} BETWEEN :start AND :end"
    selects = []
    for ms, time in ((epoch, regular_time), (source.ms, odd_time)):
        place = f" AND ({ms}, {order}, t.id) {after} (:ms, :order, :id)" if after else ""
        selects.append(
            f"SELECT {ms} AS ms, {order} AS kind, t.id AS id FROM {source.table} t "
            f"WHERE {time}{place} AND {where}"
        )
    return selects


def where(source: Source, filters: Filters) -> str:
    """Return the filters, but for time."""
    return " AND ".join(["1", *(each.indexed for each in _conditions(source, filters))])


def quick_where(view: View, source: Source, filters: Filters) -> str:
    """Return them so that SQLite sorts few rows or, where many pass, walks the time index.

    SQLite itself cannot know which is better: claude-mem keeps no statistics for it.
    """
    parts = ["1"]
    for each in _conditions(source, filters):
        some = f"SELECT 1 FROM {source.table} t WHERE {each.near} LIMIT {_MANY}"
        many = each.near and number(view, some, filters) == _MANY
        parts.append(each.walked if many else each.indexed)
    return " AND ".join(parts)


def number(view: View, select: str, filters: Filters) -> int:
    """Return how many rows a select has."""
    rows = view.connection.execute(f"SELECT count(*) FROM ({select})", values(filters))
    return int(rows.fetchone()[0])


@dataclass(frozen=True, slots=True)
class _Condition:
    """One filter as SQL: for an index, closed to indexes, and roughly, to count by an index."""

    indexed: str
    walked: str
    near: str = ""  # none where no index helps


def _conditions(source: Source, filters: Filters) -> Iterator[_Condition]:
    if filters.project is not None:
        walked = f"(+{source.project} = :project OR +{source.merged} = :project)"
        yield _Condition(source.in_project, walked, source.near_project)
    of_projects, of_types = (source.project, source.merged), (source.type,)
    of_sources = (f"ifnull({source.platform}, '{PLATFORM}')",)
    observation = source.kind is Kind.OBSERVATION
    for named, key, sign, columns in (
        (filters.projects, "projects", "", of_projects),
        (filters.not_projects, "not_projects", "NOT ", of_projects),
        (filters.sources, "sources", "", of_sources),
        (filters.not_sources, "not_sources", "NOT ", of_sources),
        (filters.not_types if observation else (), "not_types", "NOT ", of_types),
    ):
        if named:
            among = f"IN (SELECT value FROM json_each(:{key}))"
            either = " OR ".join(f"ifnull(+{column} {among}, 0)" for column in columns)
            yield _Condition(f"{sign}({either})", f"{sign}({either})")
    if filters.types:
        among = f"{source.type} IN (SELECT value FROM json_each(:types))"
        yield _Condition(among, f"+{among}", among)
    for given, names, test in (
        (filters.concepts, {"concepts"}, "memtray_any_of(CAST(t.{} AS BLOB), :concepts)"),
        (filters.files, FILE_FIELDS, "memtray_any_file(CAST(t.{} AS BLOB), :files)"),
    ):
        if given:
            tests = [test.format(name) for name in source.fields if name in names]
            either = f"({' OR '.join([*tests, '0'])})"
            yield _Condition(either, either)
