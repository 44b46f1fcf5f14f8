"""Crashes make the pauses longer, and too many of them end it."""

from hypothesis import given
from hypothesis import strategies as st

from app.supervisor.backoff import LONGEST_PAUSE, TOO_MANY, WINDOW, Crashes

pauses = st.lists(st.floats(min_value=0, max_value=1e6, allow_nan=False), max_size=300)


def after(*times: float) -> Crashes:
    crashes = Crashes()
    for time in times:
        crashes = crashes.and_one(time)
    return crashes


def test_the_pauses_double_up_to_a_minute() -> None:
    found = [after(*range(number)).pause for number in range(1, 10)]
    assert found == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_five_crashes_in_ten_minutes_are_too_many() -> None:
    assert not after(0, 10, 20, 30).are_too_many
    assert after(0, 10, 20, 30, 599).are_too_many


def test_crashes_that_are_far_apart_are_not() -> None:
    assert not after(0, 200, 400, 601, 801).are_too_many


@given(pauses)
def test_whatever_the_times_it_stays_in_bounds(between: list[float]) -> None:
    now, crashes = 0.0, Crashes()
    assert crashes.pause == 0
    for pause in between:
        now += pause
        before, crashes = crashes, crashes.and_one(now)
        assert 1 <= crashes.pause <= LONGEST_PAUSE
        assert crashes.pause >= before.pause
        assert all(now - time < WINDOW for time in crashes.recent)
        assert crashes.are_too_many == (len(crashes.recent) >= TOO_MANY)
