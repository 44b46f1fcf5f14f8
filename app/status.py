"""How Memtray is, as every part of the app shows it."""

from dataclasses import dataclass, field
from enum import StrEnum

from worker.shared.readiness import PartState
from worker.shared.state import WorkerState


class Look(StrEnum):
    """The five states of the icon."""

    RUNNING = "running"
    BUSY = "busy"
    DEGRADED = "degraded"
    STOPPED = "stopped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Impairment:
    """A part that does less than it should, why, and what helps."""

    part: str  # as /api/ready calls it
    cause: str
    remedy: str
    name: str = ""  # of the part, as a person calls it

    @property
    def label(self) -> str:
        """Return what to call the part on the screen."""
        return self.name or self.part


@dataclass(frozen=True, slots=True)
class AppStatus:
    """The state, told by a worker that was proved ours, never by a process that merely lives."""

    look: Look
    headline: str  # "Running", for a person
    detail: str = ""  # one figure: memories, progress, or who has the port
    impairments: tuple[Impairment, ...] = ()
    can_start: bool = False
    can_stop: bool = False
    quit_stops_worker: bool = False  # this app has started it
    worker: WorkerState | None = field(default=None, compare=False)

    @property
    def whole(self) -> frozenset[tuple[str, str]]:
        """Return the parts that do all they can, each with the start of the worker it is of."""
        if self.worker is None or self.worker.health is None or self.worker.ready is None:
            return frozenset()
        instance = self.worker.health.instance
        parts = self.worker.ready.parts
        return frozenset((instance, each.part) for each in parts if each.state is PartState.OK)

    @property
    def answers(self) -> bool:
        """True where a search would be answered."""
        return self.worker is not None and self.worker.state.answers
