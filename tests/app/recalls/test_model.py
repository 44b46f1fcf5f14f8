"""The model of the calls, without a window; and how numbers are told."""

import datetime as dt
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.modeltest import ModelTester

from app.recalls.model import Column, RecallsModel
from app.recalls.series import MOST_TYPES, WEEKS, memories_by_week, recalls_by_day
from app.recalls.wording import headline, short
from tests.app.recalls.samples import days, recall
from worker.shared.recalls_contract import RecallsReply, Tally


def reply(*ids: int, following: int | None = None) -> RecallsReply:
    return RecallsReply(
        recalls=[recall(number) for number in ids],
        next=following,
        today=Tally(),
        days=days(),
        clients=[],
        recording=True,
    )


def ids(model: RecallsModel) -> list[int]:
    return [model.recall(row).id for row in range(model.rowCount())]


def test_it_is_a_sound_model(qtmodeltester: ModelTester) -> None:
    model = RecallsModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.show(reply(5, 4, 3, following=3))
    model.extend(reply(2, 1))
    model.show(reply(7, 6, 5, following=3))
    assert ids(model) == [7, 6, 5, 4, 3, 2, 1]
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(
    ("newest", "expected"),
    [
        ((5, 4, 3), [5, 4, 3, 2]),  # nothing new
        ((7, 6, 5), [7, 6, 5, 4, 3, 2]),
        ((20, 19, 18), [20, 19, 18]),  # others came between
        ((3, 2), [3, 2]),  # some went
        ((), []),  # all were cleared
    ],
)
def test_a_newer_page_keeps_what_still_holds(newest: tuple[int, ...], expected: list[int]) -> None:
    model = RecallsModel()
    model.show(reply(5, 4, 3, following=3))
    model.extend(reply(2))
    model.show(reply(*newest))
    assert ids(model) == expected


def test_older_rows_are_asked_for_once() -> None:
    model = RecallsModel()
    asked: list[int] = []
    model.more_wanted.connect(asked.append)
    model.show(reply(5, 4, following=4))
    root = model.index(-1, -1)

    model.fetchMore(root)
    model.fetchMore(root)
    assert asked == [4]
    model.give_up()
    model.fetchMore(root)
    assert asked == [4, 4]
    model.extend(reply(3))
    assert not model.canFetchMore(root)


def test_a_tip_shows_markup_as_it_was_written() -> None:
    model = RecallsModel()
    shown = reply(1)
    shown.recalls[0] = recall(1, asked="<img src=x> & more")
    model.show(shown)
    tip = model.index(0, Column.ASKED).data(3)  # the role of tips
    assert "&lt;img src=x> &amp; more" in tip


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (950, "950"), (2100, "2.1k"), (99_940, "99.9k"), (99_960, "100k")],
)
def test_numbers_are_short(number: int, text: str) -> None:
    assert short(number) == text
    assert short(999_999) == "1.0M"


@given(st.integers(0, 10**9))
def test_a_short_number_is_short(number: int) -> None:
    assert len(short(number)) <= 6


def test_the_sum_of_today_is_a_sentence() -> None:
    assert headline(Tally()) == "No recalls today"
    assert headline(Tally(recalls=1, tokens=90)) == "1 recall today, about 90 tokens"
    assert headline(Tally(recalls=3, tokens=2100)) == "3 recalls today, about 2.1k tokens"


def test_days_are_drawn_in_order_with_their_tokens_in_the_table() -> None:
    chart = recalls_by_day(days(2, 0, 3))
    assert chart.series[0].numbers[-3:] == (2, 0, 3)
    assert chart.beside[0].numbers[-1] == 2100
    assert recalls_by_day(days()).is_empty


TYPES = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 50), max_size=10)
MONDAYS = st.integers(0, 120).map(lambda n: str(dt.date(2024, 1, 1) + dt.timedelta(weeks=n)))


@given(st.dictionaries(MONDAYS, TYPES, max_size=60))
def test_the_bars_of_a_week_are_all_that_was_counted(weeks: dict[str, dict[str, int]]) -> None:
    chart = memories_by_week(weeks)

    assert len(chart.labels) <= WEEKS
    assert len(chart.series) <= MOST_TYPES + 1
    shown = sum(sum(series.numbers) for series in chart.series)
    newest = sorted(weeks)[-1:]
    first = str(dt.date.fromisoformat(newest[0]) - dt.timedelta(weeks=WEEKS - 1)) if newest else ""
    assert shown == sum(Counter(w).total() for monday, w in weeks.items() if monday >= first)
