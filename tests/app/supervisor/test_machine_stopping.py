"""What a person stops stays stopped, and his last wish counts."""

import pytest

from app.supervisor.events import (
    Event,
    Looked,
    Restart,
    RestartAsked,
    Start,
    StartAsked,
    Started,
    Stop,
    StopAsked,
    StopFailed,
    Stopped,
    Vanished,
)
from app.supervisor.machine import Phase, quit_stops
from tests.app.supervisor.lives import GONE, RUNNING, Life, health, running, seen
from worker.shared.state import State

# ---------------------------------------------------------------------- stopping


def test_a_stop_stays_whatever_is_seen_afterwards() -> None:
    life = running()
    assert life.happens(StopAsked()) == [Stop()]
    assert life.is_in(Phase.STOPPING)
    life.happens(Stopped())
    for found in (seen(State.STOPPED), seen(State.STOPPED), GONE):
        assert life.looks(found) == []
    assert life.is_in(Phase.STOPPED, Phase.DOWN)
    assert life.starts == 1


def test_a_stop_elsewhere_stays_too() -> None:
    life = running()
    life.happens(Vanished())
    assert life.looks(seen(State.STOPPED)) == []
    assert life.is_in(Phase.STOPPED)
    assert life.looks(seen(State.STOPPED)) == []


def test_a_stop_ends_the_pause_before_a_restart() -> None:
    life = running()
    life.looks(GONE)
    assert life.is_in(Phase.WAITING)
    life.happens(StopAsked())
    life.happens(Stopped())
    for _ in range(50):
        life.looks(seen(State.STOPPED))
    assert life.starts == 1


def test_a_start_that_ends_after_the_stop_was_asked_for_is_stopped_again() -> None:
    life = Life()
    life.looks(GONE)
    assert life.happens(StopAsked()) == [Stop()]
    life.happens(Stopped())
    assert life.happens(Started(health(), by_us=True)) == [Stop()]


def test_what_was_seen_before_a_stop_says_nothing_after_it() -> None:
    life = running()
    while not life.state.looking:
        life.passes()
    sight = life.state.sight
    life.happens(StopAsked())
    life.happens(Stopped())
    life.happens(Looked(sight, RUNNING))
    assert life.is_in(Phase.STOPPED)


def test_a_worker_that_somebody_starts_again_is_adopted() -> None:
    life = running()
    life.happens(StopAsked())
    life.happens(Stopped())
    life.looks(seen(State.STOPPED))
    life.looks(seen(State.RUNNING, pid=99))
    assert life.is_in(Phase.UP)
    assert not quit_stops(life.state)


def test_a_stop_that_fails_is_told() -> None:
    life = running()
    life.happens(StopAsked())
    life.happens(StopFailed("it is another user's"))
    life.looks(RUNNING)
    assert life.is_in(Phase.UP)
    assert life.state.problem == "it is another user's"


def test_a_second_click_does_nothing_more() -> None:
    life = running()
    assert life.happens(StopAsked()) == [Stop()]
    assert life.happens(StopAsked()) == []
    life.happens(Stopped())
    assert life.happens(StartAsked()) == [Start(explicit=True)]
    assert life.happens(StartAsked()) == []


@pytest.mark.parametrize("wish", [StartAsked(), RestartAsked()])
def test_a_worker_that_is_wanted_while_it_is_stopped_comes_back_after_it(wish: Event) -> None:
    life = running()
    life.happens(StopAsked())
    assert life.happens(wish) == []
    assert life.happens(Stopped()) == [Start(explicit=True)]


def test_the_last_wish_counts_while_it_is_stopped() -> None:
    life = running()
    for wish in (StopAsked(), StartAsked(), StopAsked()):
        life.happens(wish)
    assert life.happens(Stopped()) == []
    assert life.is_in(Phase.STOPPED)


def test_a_restart_while_one_is_coming_up_is_that_one() -> None:
    life = running()
    assert life.happens(RestartAsked()) == [Restart()]
    assert life.happens(RestartAsked()) == []
    assert life.happens(StartAsked()) == []
