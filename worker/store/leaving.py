"""Rows on their way out, in pages of bounded size, as the database was when the first was asked."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from worker.shared.portable import MAX_ROW, TABLES, Row
from worker.shared.refs import Kind
from worker.store.layout import TABLES as OF_KIND
from worker.store.layout import View, columns_of, named_column
from worker.store.values import as_text

PAGE_ROWS = 500
PAGE_BYTES = 1024 * 1024  # of JSON; the last row may go beyond

_NAMES = tuple(TABLES)
_KINDS = {table: kind for kind, table in OF_KIND.items()}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended; `str` gives it to the client, `read_place` takes it back."""

    table: int  # its number in the order in which they travel
    after: int  # the id of the last row
    through: tuple[int, ...]  # the last id of each table, as it was for the first page

    def __str__(self) -> str:
        return ".".join(map(str, (self.table, self.after, *self.through)))


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows, and the place that the next page begins at; None after the last."""

    rows: list[Row]
    left_out: list[str]  # the records that are too large to travel
    next: Place | None


def read_place(text: str) -> Place:
    """Return the place that a page gave; raise ValueError for any other text."""
    if not re.fullmatch(rf"[0-{len(TABLES) - 1}](\.\d{{1,18}}){{{len(TABLES) + 1}}}", text, re.A):
        raise ValueError("must be what `next` of the page before was")
    table, after, *through = map(int, text.split("."))
    return Place(table, after, tuple(through))


def page(view: View, place: Place | None, project: str | None) -> Page:
    """Return the rows after a place, of one project or of all."""
    place = place or Place(0, 0, _last_ids(view))
    rows: list[Row] = []
    left_out: list[str] = []
    size = 0
    after = place.after
    for id_, row in _rows(view, place, project):
        after = id_
        length = len(json.dumps(row, ensure_ascii=False).encode())
        if length > MAX_ROW:
            left_out.append(f"{row['table']} {id_}")
            continue
        rows.append(row)
        size += length
        if len(rows) == PAGE_ROWS or size >= PAGE_BYTES:
            return Page(rows, left_out, Place(place.table, after, place.through))
    more = place.table + 1 < len(TABLES)
    return Page(rows, left_out, Place(place.table + 1, 0, place.through) if more else None)


def _last_ids(view: View) -> tuple[int, ...]:
    present = (columns_of(view.connection, table) for table in TABLES)
    return tuple(
        view.connection.execute(f"SELECT max(id) FROM {table}").fetchone()[0] or 0 if "id" in names
        else 0
        for table, names in zip(TABLES, present, strict=True)
    )  # fmt: skip


def _rows(view: View, place: Place, project: str | None) -> Iterator[tuple[int, Row]]:
    table, last = _NAMES[place.table], place.through[place.table]
    if place.after >= last:
        return
    columns = columns_of(view.connection, table)
    selected = {name: named_column("t", name, columns) for name in TABLES[table]}
    near = "1"
    if kind := _KINDS.get(table):
        source = view.sources[kind]
        near = source.in_project
        if kind is Kind.PROMPT:
            selected |= {"project": source.project, "platform_source": source.platform}
    elif project is not None:
        near = _of_sessions(view, columns)
    sql = (
        f"SELECT t.id, {', '.join(selected.values())} FROM {table} t "
        f"WHERE t.id > :after AND t.id <= :last AND {near if project is not None else '1'} "
        "ORDER BY t.id"
    )
    bound = {"after": place.after, "last": last, "project": project}
    for id_, *values in view.connection.execute(sql, bound):
        named = {"table": table} | ({"id": id_} if kind else {})
        portable = zip(selected, map(_portable, values), strict=True)
        yield id_, named | {name: value for name, value in portable if value is not None}


def _of_sessions(view: View, columns: frozenset[str]) -> str:
    """Return the condition on sessions of a project, or with records of it."""
    memory = named_column("t", "memory_session_id", columns)
    ways = [f"{named_column('t', 'project', columns)} = :project"]
    for kind in (Kind.OBSERVATION, Kind.SESSION):
        if source := view.sources.get(kind):
            session = source.session.replace("t.", "r.")
            near = source.near_project.replace("t.", "r.")
            ways.append(f"{memory} IN (SELECT {session} FROM {source.table} r WHERE {near})")
    return f"({' OR '.join(ways)})"


def _portable(value: Any) -> str | int | float | None:  # noqa: ANN401 - whatever SQLite holds
    if isinstance(value, bytes):
        return as_text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value  # type: ignore[no-any-return]
