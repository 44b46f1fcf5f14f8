"""What a person reads about the worker."""

import pytest

from app.status import AppStatus, Look
from app.supervisor.describe import describe, exit_text
from app.supervisor.events import StartFailed
from app.supervisor.machine import Doing, Phase, Supervised
from worker import __version__
from worker.shared.readiness import Health, PartReport, PartState, Ready
from worker.shared.state import State, WorkerState


def worker(
    *parts: PartReport, state: State = State.RUNNING, version: str = __version__
) -> WorkerState:
    health = Health(
        version=version,
        instance="i",
        pid=7,
        port=37777,
        uptime_seconds=1,
        observations=12_345,
        data_dir="/data",
    )
    ready = Ready(state=PartState.OK, parts=list(parts))
    return WorkerState(state=state, data_dir="/data", pid=7, port=37777, health=health, ready=ready)


def up(*parts: PartReport, version: str = __version__) -> AppStatus:
    return describe(Supervised(phase=Phase.UP, seen=worker(*parts, version=version)))


def part(
    name: str, state: PartState, done: int | None = None, total: int | None = None
) -> PartReport:
    return PartReport(part=name, state=state, cause="Why.", remedy="How.", done=done, total=total)


def test_a_running_worker_tells_memories_and_port() -> None:
    shown = up(part("store", PartState.OK, 12_346, 12_346))
    assert (shown.look, shown.headline) == (Look.RUNNING, "Running")
    assert "346 memories" in shown.detail
    assert "port 37777" in shown.detail
    assert shown.answers
    assert (shown.can_start, shown.can_stop) == (False, True)


def test_a_single_memory_is_not_several() -> None:
    seen = worker(part("store", PartState.OK, 1, 1))
    shown = describe(Supervised(phase=Phase.UP, seen=seen))
    assert shown.detail == "1 memory, port 37777"


def test_indexing_is_busy_with_its_progress() -> None:
    shown = up(
        part("keyword", PartState.BUILDING, 990, 1000), part("vectors", PartState.BUILDING, 12, 999)
    )
    assert (shown.look, shown.headline) == (Look.BUSY, "Indexing")
    assert shown.detail == "12 of 999 memories"
    assert shown.impairments == ()


@pytest.mark.parametrize("state", [PartState.DEGRADED, PartState.DOWN])
def test_each_ill_part_is_named_with_cause_and_remedy(state: PartState) -> None:
    shown = up(part("store", PartState.OK), part("chroma", state), part("vectors", PartState.OFF))
    assert shown.look is Look.DEGRADED
    (impairment,) = shown.impairments
    assert (impairment.part, impairment.label) == ("chroma", "Vector index")
    assert (impairment.cause, impairment.remedy) == ("Why.", "How.")


def test_a_part_that_is_new_keeps_its_own_name() -> None:
    assert up(part("flux", PartState.DOWN)).impairments[0].label == "flux"


@pytest.mark.parametrize(
    ("version", "remedy"), [("0.0.1", "Restart the worker"), ("999.0", "Quit Memtray")]
)
def test_a_worker_of_another_version_is_told_with_both(version: str, remedy: str) -> None:
    shown = up(version=version)
    assert shown.look is Look.DEGRADED
    assert version in shown.impairments[0].cause
    assert __version__ in shown.impairments[0].cause
    assert remedy in shown.impairments[0].remedy


def test_parts_that_cannot_be_read_are_a_fault() -> None:
    seen = worker().model_copy(update={"ready": None, "cause": "it did not answer in time"})
    shown = describe(Supervised(phase=Phase.UP, seen=seen))
    assert shown.look is Look.DEGRADED
    assert shown.impairments[0].cause == "it did not answer in time"


@pytest.mark.parametrize("code", [None, 3, -9])
def test_a_crash_is_told_with_what_is_known_of_it(code: int | None) -> None:
    state = Supervised(phase=Phase.WAITING, crash=StartFailed("", code))
    shown = describe(state)
    assert shown.look is Look.ERROR
    assert shown.impairments[0].cause.startswith("It ended unexpectedly.")
    assert exit_text(code) in shown.impairments[0].cause


def test_who_has_the_port_is_the_detail() -> None:
    cause = "python3 (pid 12) has port 37777"
    seen = WorkerState(state=State.PORT_TAKEN, cause=cause, data_dir="/data", port=37777)
    shown = describe(Supervised(phase=Phase.PORT_TAKEN, seen=seen))
    assert (shown.look, shown.detail) == (Look.ERROR, cause)
    assert shown.can_start


def test_what_could_not_be_done_is_told() -> None:
    shown = describe(Supervised(phase=Phase.UP, seen=worker(), problem="it is another user's"))
    assert shown.impairments[0].cause == "it is another user's"


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("doing", [None, *Doing])
@pytest.mark.parametrize("seen", [None, worker()])
def test_start_and_stop_are_never_both_possible(
    phase: Phase, doing: Doing | None, seen: WorkerState | None
) -> None:
    shown = describe(Supervised(phase=phase, doing=doing, seen=seen))
    assert not (shown.can_start and shown.can_stop)
    assert shown.headline


def test_each_state_has_its_look() -> None:
    looks = {phase: describe(Supervised(phase=phase, seen=worker())).look for phase in Phase}
    assert looks == {
        Phase.LOOKING: Look.BUSY,
        Phase.STARTING: Look.BUSY,
        Phase.UP: Look.RUNNING,
        Phase.HANGING: Look.ERROR,
        Phase.STOPPING: Look.BUSY,
        Phase.STOPPED: Look.STOPPED,
        Phase.DOWN: Look.STOPPED,
        Phase.WAITING: Look.BUSY,
        Phase.PORT_TAKEN: Look.ERROR,
        Phase.GAVE_UP: Look.ERROR,
    }


def test_nothing_keeps_running_while_a_crashed_worker_waits_for_its_start() -> None:
    theirs = Supervised(phase=Phase.UP, seen=worker())
    crashed = Supervised(phase=Phase.WAITING)

    assert not describe(theirs).quit_stops_worker
    assert describe(crashed).quit_stops_worker
