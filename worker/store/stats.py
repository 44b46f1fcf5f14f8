"""How much there is, by kind, project, type, month and week."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypedDict

from worker.shared.refs import Kind
from worker.shared.values import parse_when
from worker.store.filters import Filters
from worker.store.layout import View
from worker.store.listing import count, select
from worker.store.reading import ordered_heads
from worker.store.values import as_text


class Stats(TypedDict):
    """Projects and types most first, months in order; months and times in the local zone."""

    observations: int
    sessions: int
    prompts: int
    projects: dict[str, int]
    types: dict[str, int]
    months: dict[str, int]
    weeks: dict[str, dict[str, int]]  # the Monday -> type -> observations
    oldest: str | None
    newest: str | None


def stats(view: View) -> Stats:
    """Return all counts. A record without a time has no month and is neither oldest nor newest."""
    number = counts(view)
    oldest, newest = ends(view)
    return {
        "observations": number[Kind.OBSERVATION],
        "sessions": number[Kind.SESSION],
        "prompts": number[Kind.PROMPT],
        "projects": dict(projects(view)),
        "types": dict(_types(view).most_common()),
        "months": dict(_months(view)),
        "weeks": _weeks(view),
        "oldest": oldest,
        "newest": newest,
    }


def ends(view: View) -> tuple[str | None, str | None]:
    """Return the times of the oldest and the newest record, in the local zone."""
    oldest, newest = (_end(view, Filters(start_ms=1), ascending=up) for up in (True, False))
    return (
        oldest.isoformat(timespec="seconds") if oldest else None,
        newest.isoformat(timespec="seconds") if newest else None,
    )


def counts(view: View) -> dict[Kind, int]:
    """Return the number of records of each kind."""
    number = dict.fromkeys(Kind, 0)
    for kind, source in view.sources.items():
        (number[kind],) = view.connection.execute(f"SELECT count(*) FROM {source.table}").fetchone()
    return number


def projects(view: View) -> list[tuple[str, int]]:
    """Return each project with the number of records that a filter by its name finds, most first.

    A record that was merged into another project counts for both.
    """
    queries = []
    for source in view.sources.values():
        count = f"count(*) FROM {source.table} t"
        elsewhere = f"{source.merged} > '' AND {source.merged} IS NOT {source.project}"
        queries.append(f"SELECT {source.project}, {count} GROUP BY 1")
        queries.append(f"SELECT {source.merged}, {count} WHERE {elsewhere} GROUP BY 1")
    return _added_up(view, queries).most_common()


def _types(view: View) -> Counter[str]:
    source = view.sources[Kind.OBSERVATION]
    return _added_up(view, [f"SELECT {source.type}, count(*) FROM {source.table} t GROUP BY 1"])


def _months(view: View) -> Iterator[tuple[str, int]]:
    """Yield the months that have records, by the time indexes: from each to the next with any."""
    start = 1
    while first := _end(view, Filters(start_ms=start), ascending=True):
        month = f"{first:%Y-%m}"
        within = Filters(start_ms=start, end_ms=parse_when(month, end=True))
        yield month, count(view, within)
        start = parse_when(month, end=True) + 1


def _weeks(view: View) -> dict[str, dict[str, int]]:
    source = view.sources[Kind.OBSERVATION]
    monday = f"date({source.ms} / 1000, 'unixepoch', 'localtime', 'weekday 0', '-6 days')"
    weeks: dict[str, dict[str, int]] = {}
    for week, name, number in view.connection.execute(
        f"SELECT {monday}, {source.type}, count(*) FROM {source.table} t"
        f" WHERE {source.ms} > 0 GROUP BY 1, 2 ORDER BY 1, 3 DESC"
    ):
        if week and (text := as_text(name)):  # no calendar has a week for the year 12000
            weeks.setdefault(week, {})[text] = number
    return weeks


def _end(view: View, filters: Filters, *, ascending: bool) -> dt.datetime | None:
    """Return the local time of the first or the last record that passes."""
    first = select(view, filters, ascending=ascending, limit=1)
    for head in ordered_heads(view, first):
        return dt.datetime.fromtimestamp(head.created_at_epoch / 1000, dt.UTC).astimezone()
    return None


def _added_up(view: View, queries: Iterable[str]) -> Counter[str]:
    """Return the sums of the (name, number) rows of all queries, but those without a name."""
    total: Counter[str] = Counter()
    for query in queries:
        for name, number in view.connection.execute(query):
            if text := as_text(name):
                total[text] += number
    return total
