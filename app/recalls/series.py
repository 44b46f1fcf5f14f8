"""Numbers over time, ready to be drawn or shown as a table."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.recalls.wording import day_text
from worker.shared.recalls_contract import DayTally

WEEKS = 26
MOST_TYPES = 6  # the rest is one


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart: a name and a number for each place of the axis."""

    name: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn: the labels of the axis, and the series that are stacked."""

    title: str
    axis: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    beside: tuple[Series, ...] = ()  # in the table alone

    @property
    def is_empty(self) -> bool:
        return not any(any(series.numbers) for series in self.series)


def recalls_by_day(days: Sequence[DayTally]) -> Chart:
    """Return the calls of each day; their tokens are in the table."""
    translate = QCoreApplication.translate
    return Chart(
        title=translate("Recalls", "Recalls by day"),
        axis=translate("Recalls", "Day"),
        labels=tuple(day_text(dt.date.fromisoformat(day.day)) for day in days),
        series=(Series(translate("Recalls", "Recalls"), tuple(day.recalls for day in days)),),
        beside=(Series(translate("Recalls", "Tokens"), tuple(day.tokens for day in days)),),
    )


def memories_by_week(weeks: Mapping[str, Mapping[str, int]]) -> Chart:
    """Return the observations of the newest weeks by type, the most frequent types first."""
    translate = QCoreApplication.translate
    mondays = _mondays(weeks)
    total: Counter[str] = Counter()
    for monday in mondays:
        total.update(weeks.get(monday, {}))
    named = [name for name, _ in total.most_common(MOST_TYPES)]
    series = [Series(name, tuple(weeks.get(m, {}).get(name, 0) for m in mondays)) for name in named]
    rest = tuple(
        sum(n for name, n in weeks.get(m, {}).items() if name not in named) for m in mondays
    )
    if any(rest):
        series.append(Series(translate("Recalls", "other"), rest))
    return Chart(
        title=translate("Recalls", "Memories by week and type"),
        axis=translate("Recalls", "Week of"),
        labels=tuple(day_text(dt.date.fromisoformat(monday)) for monday in mondays),
        series=tuple(series),
    )


def _mondays(weeks: Mapping[str, object]) -> list[str]:
    """Return the newest weeks up to the last that has any, those without any too."""
    if not weeks:
        return []
    last = dt.date.fromisoformat(max(weeks))
    first = max(dt.date.fromisoformat(min(weeks)), last - dt.timedelta(weeks=WEEKS - 1))
    count = (last - first).days // 7 + 1
    return [str(first + dt.timedelta(weeks=number)) for number in range(count)]
