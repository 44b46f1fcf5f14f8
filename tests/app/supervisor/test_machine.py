"""What the supervisor does about what happens to the worker, without any worker."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.supervisor import machine
from app.supervisor.backoff import WINDOW
from app.supervisor.events import (
    Event,
    Looked,
    LookFailed,
    Restart,
    RestartAsked,
    Start,
    StartAsked,
    Started,
    StartFailed,
    StopAsked,
    StopFailed,
    Stopped,
    TellGaveUp,
    TellPortTaken,
    Ticked,
    Vanished,
)
from app.supervisor.machine import Phase, Supervised, quit_stops, wait
from tests.app.supervisor.lives import GONE, PID, RUNNING, Life, health, running, seen
from worker.shared.state import State, WorkerState

SILENT = seen(State.HANGING, pid=PID)


# ---------------------------------------------------------------------- beginning


def test_without_a_worker_one_is_started() -> None:
    life = Life()
    assert life.looks(GONE) == [Start()]
    assert life.is_in(Phase.STARTING)
    life.happens(Started(health(), by_us=True))
    life.looks(RUNNING)
    assert life.is_in(Phase.UP)
    assert quit_stops(life.state)


def test_a_worker_that_runs_is_adopted_and_outlives_the_app() -> None:
    life = Life()
    assert life.looks(RUNNING) == []
    assert life.is_in(Phase.UP)
    assert not quit_stops(life.state)


def test_a_worker_that_somebody_else_started_first_is_not_ours() -> None:
    life = Life()
    life.looks(GONE)
    life.happens(Started(health(), by_us=False))
    life.looks(RUNNING)
    assert not quit_stops(life.state)


def test_a_worker_that_nobody_wants_yet_is_not_started() -> None:
    life = Life(Supervised(wanted=False))
    assert life.looks(GONE) == []
    assert life.is_in(Phase.DOWN)
    assert life.happens(StartAsked()) == [Start(explicit=True)]


def test_an_older_worker_is_replaced_once_a_launch() -> None:
    life = Life()
    older = seen(State.RUNNING, version="0.0.1")
    assert life.looks(older) == [Start(replace=True)]
    life.happens(Started(health(version="0.0.1"), by_us=True))
    assert life.looks(older) == []
    assert life.looks(older) == []
    assert life.is_in(Phase.UP)


def test_a_newer_worker_is_left_alone() -> None:
    assert Life().looks(seen(State.RUNNING, version="999.0")) == []


def test_loading_is_starting_until_the_search_is_there() -> None:
    life = running()
    life.happens(RestartAsked())
    life.happens(Started(health(), by_us=True))
    life.looks(seen(State.STARTING))
    assert life.is_in(Phase.STARTING)
    life.looks(RUNNING)
    assert life.is_in(Phase.UP)


# ---------------------------------------------------------------------- crashing


def test_a_crash_is_answered_with_growing_pauses_and_after_five_no_more() -> None:
    life = running()
    pauses = []
    for _ in range(4):
        life.happens(Vanished())
        assert life.looks(GONE, code=-9) == []
        assert life.is_in(Phase.WAITING)
        pauses.append(life.waits_for_a_start())
        life.happens(Started(health(), by_us=True))
        life.looks(RUNNING)
    assert pauses == [1, 2, 4, 8]

    life.happens(Vanished())
    assert life.looks(GONE, code=-9) == [TellGaveUp(-9, "")]
    assert life.is_in(Phase.GAVE_UP)
    for _ in range(100):
        assert life.looks(GONE) == []
    assert life.starts == 5


def test_the_exit_code_of_an_earlier_worker_is_not_taken_for_that_of_an_adopted_one() -> None:
    life = running(by_us=False)
    life.looks(GONE, code=3)
    assert life.state.crash == StartFailed("", None)


def test_a_worker_that_never_comes_up_gives_up_with_code_and_words() -> None:
    life = Life()
    life.looks(GONE)
    for _ in range(4):
        life.happens(StartFailed("it said so", 3))
        assert life.looks(GONE) == []
        life.waits_for_a_start()
    life.happens(StartFailed("it said so", 3))
    assert life.looks(GONE) == [TellGaveUp(3, "it said so")]
    assert life.starts == 5


@pytest.mark.parametrize("wish", [StartAsked(), RestartAsked()])
def test_after_giving_up_a_person_can_begin_anew(wish: Event) -> None:
    life = Life()
    life.looks(GONE)
    for _ in range(5):
        life.happens(StartFailed("", 3))
        life.looks(GONE)
        if life.is_in(Phase.WAITING):
            life.waits_for_a_start()
    assert life.is_in(Phase.GAVE_UP)
    assert len(life.happens(wish)) == 1
    life.happens(StartFailed("", 3))
    life.looks(GONE)
    assert life.is_in(Phase.WAITING)


def test_ten_healthy_minutes_wipe_the_slate() -> None:
    life = running()
    for _ in range(3):
        life.looks(GONE)
        life.waits_for_a_start()
        life.happens(Started(health(), by_us=True))
        life.looks(RUNNING)
    until = life.now + WINDOW
    while life.now <= until:
        life.looks(RUNNING)
    life.looks(GONE)
    assert life.waits_for_a_start() == 1


def test_a_worker_that_somebody_else_restarts_ends_the_pause() -> None:
    life = running()
    life.looks(GONE)
    life.waits_for_a_start()
    life.happens(StartFailed("", 1))
    life.looks(GONE)
    life.looks(seen(State.RUNNING, pid=99))
    assert life.is_in(Phase.UP)
    assert life.starts == 2


# ---------------------------------------------------------------------- silence


def test_a_frozen_worker_shows_within_fifteen_seconds_and_is_not_touched() -> None:
    life = running()
    frozen = life.now
    while life.is_in(Phase.UP):
        assert life.looks(SILENT) == []
        life.now += 2.5  # which a look at it takes
    assert life.is_in(Phase.HANGING)
    assert life.now - frozen < 15
    assert life.starts == 1
    life.looks(RUNNING)
    assert life.is_in(Phase.UP)


def test_one_slow_answer_changes_nothing() -> None:
    life = running()
    life.looks(SILENT)
    assert life.is_in(Phase.UP)
    life.looks(RUNNING)
    life.looks(SILENT)
    assert life.is_in(Phase.UP)


def test_a_hanging_worker_that_is_young_is_no_starting_one() -> None:
    life = running()
    for _ in range(machine.MISSES):
        life.looks(seen(State.STARTING, pid=PID))
    assert life.is_in(Phase.HANGING)


def test_a_slow_start_is_a_start_for_a_minute() -> None:
    life = Life()
    life.looks(GONE)
    began = life.now
    life.happens(StartFailed("it does not answer yet"))
    while life.now < began + 55:
        life.looks(seen(State.HANGING, pid=PID))
        assert life.is_in(Phase.STARTING)
    while life.now < began + 70:
        life.looks(seen(State.HANGING, pid=PID))
    assert life.is_in(Phase.HANGING)
    assert life.starts == 1


def test_a_hanging_worker_that_was_found_is_told() -> None:
    life = Life()
    assert life.looks(SILENT) == []
    assert life.is_in(Phase.HANGING)
    assert life.happens(RestartAsked()) == [Restart()]


def test_after_sleep_a_slow_worker_is_no_fault() -> None:
    life = running()
    life.now += 3 * 3600
    life.happens(Ticked())
    for _ in range(3):
        assert life.looks(SILENT) == []
        assert life.is_in(Phase.UP)
    life.looks(RUNNING)
    assert life.is_in(Phase.UP)
    assert life.starts == 1


def test_after_sleep_a_worker_that_stays_silent_is_told_in_the_end() -> None:
    life = running()
    life.now += 3 * 3600
    for _ in range(20):
        life.looks(SILENT)
    assert life.is_in(Phase.HANGING)


# ---------------------------------------------------------------------- the port


def test_a_taken_port_is_told_once_and_nothing_is_started_meanwhile() -> None:
    life = Life()
    assert life.looks(seen(State.PORT_TAKEN)) == [TellPortTaken(1)]
    for _ in range(20):
        assert life.looks(seen(State.PORT_TAKEN)) == []
    assert life.is_in(Phase.PORT_TAKEN)
    assert life.starts == 0


def test_once_the_port_is_free_the_worker_is_started() -> None:
    life = Life()
    life.looks(seen(State.PORT_TAKEN))
    assert life.looks(GONE) == [Start()]


def test_another_port_is_used_when_a_person_says_so() -> None:
    life = Life()
    life.looks(seen(State.PORT_TAKEN))
    assert life.happens(StartAsked(port=37778)) == [Start(explicit=True, port=37778)]


def test_trying_again_tells_again_who_has_the_port() -> None:
    life = Life()
    life.looks(seen(State.PORT_TAKEN))
    assert life.happens(StartAsked()) == []
    assert life.looks(seen(State.PORT_TAKEN)) == [TellPortTaken(1)]
    assert life.starts == 0


def test_a_start_that_meets_a_stranger_is_no_crash() -> None:
    life = Life(Supervised(wanted=False))
    life.looks(seen(State.PORT_TAKEN))
    assert life.is_in(Phase.DOWN)
    life.happens(StartAsked())
    life.happens(StartFailed("the port is taken", 1))
    assert life.looks(seen(State.PORT_TAKEN)) == [TellPortTaken(1)]
    assert life.state.crashes.in_a_row == 0


# ---------------------------------------------------------------------- whatever happens


def test_a_look_that_goes_wrong_is_repeated() -> None:
    life = running()
    while not life.state.looking:
        life.passes()
    life.happens(LookFailed())
    life.passes()
    assert life.state.looking


events = st.one_of(
    st.sampled_from(
        [
            Vanished(),
            LookFailed(),
            StartAsked(),
            StartAsked(5),
            StopAsked(),
            RestartAsked(),
            Stopped(),
            StopFailed("no"),
            Started(health(), by_us=True),
            Started(health(7), by_us=False),
            StartFailed("no", 1),
            StartFailed("no"),
        ]
    ),
    st.sampled_from(
        [RUNNING, GONE, SILENT, *(seen(state) for state in State), seen(State.STARTING, pid=8)]
    ),
)


@given(st.lists(st.tuples(events, st.floats(min_value=0, max_value=100)), max_size=60))
def test_whatever_happens_it_keeps_looking_and_never_starts_what_was_stopped(
    story: list[tuple[Event | WorkerState, float]],
) -> None:
    life = Life()
    for event, pause in story:
        life.now += pause
        stopped = not life.state.wanted
        if isinstance(event, WorkerState):
            actions = life.happens(Looked(life.state.sight, event))
            running_again = event.health is not None
            assert not (stopped and not running_again and life.state.doing is machine.Doing.START)
            assert not any(isinstance(a, Start | Restart) for a in actions) or life.state.wanted
        else:
            life.happens(event)
        life.happens(Ticked())
        assert life.state.looking or wait(life.state, life.now) is not None
