"""What follows from what the worker tells of its imports."""

from app.importing.state import Imports
from tests.app.importing.test_wording import job
from worker.shared.jobs import JobState

DONE = job(id="done", state=JobState.DONE)
EMPTY = job(id="empty", state=JobState.DONE, added={})
RUNS = job(id="runs")


def test_the_newest_import_that_added_something_can_be_undone_once() -> None:
    state = Imports((EMPTY, DONE))

    assert state.undoable == DONE
    assert Imports((EMPTY, DONE), undone=("done",)).undoable is None


def test_nothing_is_undone_while_one_runs() -> None:
    assert Imports((RUNS, DONE)).undoable is None


def test_what_was_undone_is_not_shown_any_more() -> None:
    assert Imports((DONE,)).latest == DONE
    assert Imports((DONE,), undone=("done",)).latest is None


def test_an_import_that_ran_and_has_ended_is_told_once() -> None:
    before, after = Imports((RUNS, DONE)), Imports((job(id="runs", state=JobState.DONE), DONE))

    assert [each.id for each in after.ended_since(before)] == ["runs"]
    assert after.ended_since(after) == []


def test_a_worker_that_was_started_anew_has_lost_what_ran() -> None:
    assert Imports((RUNS,)).has_lost([])
    assert not Imports((RUNS,)).has_lost([RUNS])
    assert not Imports((DONE,)).has_lost([])


def test_a_job_takes_its_place_or_the_first() -> None:
    later = job(id="runs", files_done=61)

    assert Imports((RUNS, DONE)).with_job(later).jobs == (later, DONE)
    assert Imports((DONE,)).with_job(RUNS).jobs == (RUNS, DONE)


def test_a_paused_one_is_under_way_as_long_as_it_is_the_newest() -> None:
    paused = job(id="rests", state=JobState.PAUSED)

    assert Imports((paused, DONE)).under_way == paused
    assert Imports((DONE, paused)).under_way is None
    assert Imports((paused,)).ended_since(Imports((job(id="rests"),))) == []


def test_what_the_worker_says_is_undone_cannot_be_undone_again() -> None:
    state = Imports((job(state=JobState.UNDONE),))

    assert state.latest is None
    assert state.undoable is None
