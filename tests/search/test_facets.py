"""Facets count what matched, by the values that filters take."""

import datetime as dt
import random
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.records import HOUR, MARCH
from tests.search.conftest import few_examples
from worker.index.catalog import Catalog, Line
from worker.index.keys import CODE
from worker.search.facets import facets_of


@pytest.fixture(autouse=True)
def far_from_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zone whose midnight is no whole hour of UTC."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


LINES = st.lists(
    st.builds(
        Line,
        key=st.integers(1, 400).filter(lambda key: key & 3 < len(CODE)),
        project=st.sampled_from(["p", "q", "r"]),
        merged=st.none() | st.just("q"),
        type=st.sampled_from(["bugfix", "decision"]),
        epoch=st.integers(0, 24 * 70).map(lambda hours: MARCH + hours * HOUR),
        length=st.just(1),
    ),
    max_size=20,
    unique_by=lambda line: line.key,
)


@few_examples
@given(LINES, st.randoms(use_true_random=False))
def test_facets_are_the_counts_of_what_matched(lines: list[Line], chance: random.Random) -> None:
    catalog = Catalog()
    catalog.put(lines)
    matched = np.array([chance.random() < 0.7 for _ in lines], dtype=np.bool_)

    facets = facets_of(catalog.snapshot, matched)

    chosen = [line for line, there in zip(lines, matched, strict=True) if there]
    kinds = {code: kind for kind, code in CODE.items()}
    zone = dt.timezone(dt.timedelta(hours=5, minutes=30))
    assert facets.project == Counter(line.project for line in chosen)
    assert facets.kind == Counter(str(kinds[line.key & 3]) for line in chosen)
    assert facets.type == Counter(line.type for line in chosen if line.key & 3 == 0)
    assert facets.month == Counter(
        dt.datetime.fromtimestamp(line.epoch / 1000, zone).strftime("%Y-%m") for line in chosen
    )
    assert list(facets.project.values()) == sorted(facets.project.values(), reverse=True)
    assert list(facets.month) == sorted(facets.month, reverse=True)


def test_a_month_begins_at_local_midnight() -> None:
    midnight = int(dt.datetime(2026, 4, 1).astimezone().timestamp() * 1000)
    catalog = Catalog()
    catalog.put([Line(4 * i, "p", None, "bugfix", midnight - i, 1) for i in range(3)])

    facets = facets_of(catalog.snapshot, np.ones(3, dtype=np.bool_))

    assert facets.month == {"2026-04": 1, "2026-03": 2}


def test_times_that_no_calendar_holds_do_not_break_the_months() -> None:
    catalog = Catalog()
    catalog.put([Line(4, "p", None, "bugfix", 10**17, 1), Line(8, "p", None, "bugfix", 0, 1)])

    facets = facets_of(catalog.snapshot, np.ones(2, dtype=np.bool_))

    assert sum(facets.month.values()) == 2
