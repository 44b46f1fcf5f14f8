"""The icon stays still, while what can be done follows at once."""

from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.status import AppStatus, Look
from app.supervisor.flicker import STILL_SECONDS, WORK_SECONDS, Shown

RUNNING = AppStatus(Look.RUNNING, "Running", "3 memories", can_stop=True)
BUSY = AppStatus(Look.BUSY, "Indexing", "1 of 9")
STOPPED = AppStatus(Look.STOPPED, "Stopped", can_start=True)
ERROR = AppStatus(Look.ERROR, "Crashed")


@dataclass
class Screen:
    """What a person sees while the status changes at certain times."""

    shown: Shown

    def at(self, now: float, wanted: AppStatus) -> AppStatus:
        self.shown = self.shown.settled(wanted, now)
        return self.shown.status


def test_the_first_change_is_shown_at_once() -> None:
    assert Screen(Shown(BUSY)).at(0.1, RUNNING) == RUNNING


def test_short_work_is_never_shown() -> None:
    screen = Screen(Shown(RUNNING))
    assert screen.at(10, BUSY).look is Look.RUNNING
    assert screen.at(11.9, BUSY).look is Look.RUNNING
    assert screen.at(11.95, RUNNING) == RUNNING
    assert screen.at(12.5, BUSY).look is Look.RUNNING


def test_longer_work_is() -> None:
    screen = Screen(Shown(RUNNING))
    screen.at(10, BUSY)
    assert screen.shown.wait(BUSY, 10.5) == 1.5
    assert screen.at(12, BUSY) == BUSY
    assert screen.shown.wait(BUSY, 12) is None


def test_a_second_change_waits_two_seconds() -> None:
    screen = Screen(Shown(RUNNING))
    assert screen.at(10, ERROR) == ERROR
    assert screen.at(11, STOPPED).look is Look.ERROR
    assert screen.at(12, STOPPED) == STOPPED


def test_what_can_be_done_follows_at_once() -> None:
    screen = Screen(Shown(RUNNING))
    screen.at(10, ERROR)
    shown = screen.at(10.5, STOPPED)
    assert (shown.look, shown.can_start, shown.can_stop) == (Look.ERROR, True, False)


def test_new_figures_of_the_same_look_follow_at_once() -> None:
    screen = Screen(Shown(RUNNING, changed=10))
    more = AppStatus(Look.RUNNING, "Running", "4 memories")
    assert screen.at(10.1, more) == more


@given(
    st.lists(
        st.tuples(
            st.floats(min_value=0.01, max_value=5), st.sampled_from([RUNNING, BUSY, STOPPED, ERROR])
        )
    )
)
def test_whatever_happens_there_is_one_visible_change_in_two_seconds(
    steps: list[tuple[float, AppStatus]],
) -> None:
    now, changes, screen = 0.0, [], Screen(Shown(RUNNING))
    for pause, wanted in steps:
        now += pause
        before = screen.shown.status.look
        if screen.at(now, wanted).look is not before:
            changes.append(now)
        wait = screen.shown.wait(wanted, now)
        assert wait is None or 0 <= wait <= WORK_SECONDS + STILL_SECONDS
    assert all(b - a >= STILL_SECONDS for a, b in pairwise(changes))
