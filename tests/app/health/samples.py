"""Workers and parts as the supervisor tells of them."""

from collections.abc import Iterable
from pathlib import Path

from app.status import AppStatus, Look
from worker import __version__
from worker.shared.readiness import Health, PartReport, PartState, Ready
from worker.shared.recalls_contract import Recall
from worker.shared.state import State, WorkerState

OK = PartState.OK
PARTS = (
    PartReport(part="store", state=OK, done=812, total=812, age_seconds=0.2),
    PartReport(part="keyword", state=OK, done=812, total=812),
    PartReport(part="canary", state=OK, cause="A known memory is found.", age_seconds=71.0),
)
BROKEN = PartReport(
    part="keyword",
    state=PartState.DEGRADED,
    cause="It holds rows that no memory has.",
    remedy="Build it anew: memtray-worker reindex keyword",
)
BUILDING = PartReport(part="vectors", state=PartState.BUILDING, done=30, total=120)


def with_parts(*parts: PartReport) -> tuple[PartReport, ...]:
    """Return the parts of a worker that is well, with these in place of theirs."""
    named = {part.part: part for part in (*PARTS, *parts)}
    return tuple(named.values())


def running(
    parts: Iterable[PartReport] = PARTS, *, folder: Path = Path("/d"), version: str = __version__
) -> AppStatus:
    """Return the status of a worker that answers."""
    health = Health(
        version=version,
        instance="i",
        pid=4711,
        port=37777,
        uptime_seconds=9.0,
        observations=812,
        data_dir=str(folder),
    )
    seen = WorkerState(
        state=State.RUNNING,
        data_dir=str(folder),
        pid=4711,
        port=37777,
        health=health,
        ready=Ready(state=OK, parts=list(parts)),
    )
    return AppStatus(Look.RUNNING, "Running", worker=seen)


def recall(problem: str = "") -> Recall:
    """Return what Claude asked last."""
    return Recall(
        id=1,
        at="2026-05-28T12:00:00+02:00",
        at_epoch=1_779_962_400_000,
        client="claude-ai",
        tool="search",
        asked="port",
        filters="",
        seen=[],
        tokens=700,
        ms=12,
        outcome="failed" if problem else "hits",
        problem=problem,
    )


def absent(state: State = State.NOT_RUNNING, cause: str = "") -> AppStatus:
    """Return the status while none answers."""
    seen = WorkerState(
        state=state, cause=cause, remedy="memtray-worker start", data_dir="/d", port=37777
    )
    return AppStatus(Look.STOPPED, "Not running", can_start=True, worker=seen)
