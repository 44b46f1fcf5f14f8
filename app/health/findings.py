"""What was found out about all parts together, and what it means for a person."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from app.health.remedies import FAULTY
from app.spoken import said
from app.status import AppStatus
from worker import __version__
from worker.shared.readiness import PartReport, PartState
from worker.shared.state import State, WorkerState

_ORDER = (
    "worker", "search", "store", "keyword", "vectors", "chroma", "model", "canary",
    "port", "clients", "mcp", "recalls", "transcripts", "paths", "settings", "backup",
)  # fmt: skip


class Verdict(Enum):
    """What to say first."""

    UNKNOWN = auto()
    ABSENT = auto()  # no worker runs, and nothing else is wrong
    FAULTY = auto()
    BUILDING = auto()
    UNPROVED = auto()  # no fault is known, but the canary has not been asked
    WORKS = auto()  # it was seen to work


@dataclass(frozen=True, slots=True)
class Findings:
    """How each part is, in the order in which they are shown, and when that was."""

    parts: tuple[PartReport, ...]
    at: float  # seconds on the monotonic clock

    @property
    def faulty(self) -> tuple[PartReport, ...]:
        return tuple(part for part in self.parts if part.state in FAULTY)

    @property
    def verdict(self) -> Verdict:
        """Return what all of them together mean."""
        states = {part.part: part.state for part in self.parts}
        if not states:
            return Verdict.UNKNOWN
        if self.faulty:
            return Verdict.FAULTY
        if PartState.BUILDING in states.values():
            return Verdict.BUILDING
        if states.get("worker") is PartState.OFF:
            return Verdict.ABSENT
        return Verdict.WORKS if states.get("canary") is PartState.OK else Verdict.UNPROVED


def findings(status: AppStatus, parts: Iterable[PartReport], at: float) -> Findings:
    """Return the parts with the worker itself before them, sorted."""
    listed = [part for part in parts if part.part != "worker"]
    if status.worker is not None:
        listed.append(worker_report(status.worker))
    return Findings(tuple(map(_spoken, sorted(listed, key=_place))), at)


def worker_report(seen: WorkerState) -> PartReport:
    """Return how the worker's process is."""
    if seen.health is not None:
        cause = f"Process {seen.pid}, port {seen.port}, version {seen.health.version}."
        if seen.health.version == __version__:
            return PartReport(part="worker", state=PartState.OK, cause=cause)
        return PartReport(
            part="worker",
            state=PartState.DEGRADED,
            cause=f"{cause} This app has version {__version__}.",
            remedy="memtray-worker restart",
        )
    state = {
        State.STARTING: PartState.BUILDING,
        State.HANGING: PartState.DOWN,
        State.PORT_TAKEN: PartState.DOWN,
    }.get(seen.state, PartState.OFF)
    cause = seen.cause or f"It is {seen.state}."
    return PartReport(part="worker", state=state, cause=cause, remedy=seen.remedy)


def _spoken(report: PartReport) -> PartReport:
    """Return a report whose texts are said in the language of the app."""
    texts = {"cause": said(report.cause), "remedy": said(report.remedy)}
    return report.model_copy(update=texts)


def _place(report: PartReport) -> tuple[int, str]:
    known = report.part in _ORDER
    return (_ORDER.index(report.part) if known else len(_ORDER)), report.part
