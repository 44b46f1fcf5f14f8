"""A worker's life as the machine sees it, second by second, with a clock of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.supervisor.events import (
    Action,
    Event,
    LookAt,
    Looked,
    Restart,
    Start,
    Started,
    Ticked,
)
from app.supervisor.machine import Phase, Supervised, step, wait
from worker import __version__
from worker.shared.readiness import Health
from worker.shared.state import State, WorkerState

PID = 4711


def health(pid: int = PID, version: str = __version__) -> Health:
    return Health(
        version=version,
        instance=f"of {pid}",
        pid=pid,
        port=1,
        uptime_seconds=1,
        observations=3,
        data_dir="/data",
    )


def seen(state: State, *, pid: int | None = None, version: str = __version__) -> WorkerState:
    answers = state.answers or (state is State.STARTING and pid is None)
    pid = PID if pid is None and answers else pid
    told = health(pid, version) if answers and pid else None
    return WorkerState(state=state, data_dir="/data", port=1, pid=pid, health=told)


RUNNING = seen(State.RUNNING)


GONE = seen(State.NOT_RUNNING)


@dataclass
class Life:
    """A supervisor whose clock and outcomes are ours."""

    state: Supervised = field(default_factory=Supervised)
    now: float = 1000.0
    done: list[Action] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = replace(self.state, look_due=self.now)
        self.happens(Ticked())

    def happens(self, event: Event) -> Sequence[Action]:
        """Let something happen; return what is done about it, looks left out."""
        self.state, actions = step(self.state, event, self.now)
        self.done += actions
        return [action for action in actions if not isinstance(action, LookAt)]

    def looks(self, found: WorkerState, *, code: int | None = None) -> Sequence[Action]:
        """Wait until a look is due, and let it find something."""
        while not self.state.looking:
            self.passes()
        return self.happens(Looked(self.state.sight, found, code))

    def passes(self) -> Sequence[Action]:
        """Let the time pass until the next tick."""
        seconds = wait(self.state, self.now)
        assert seconds is not None
        self.now += seconds
        return self.happens(Ticked())

    def waits_for_a_start(self) -> float:
        """Return the seconds after which a start is tried on its own."""
        began = self.now
        while not any(isinstance(action, Start) for action in self.passes()):
            if self.state.looking:
                self.happens(Looked(self.state.sight, GONE))
        return self.now - began

    def is_in(self, *phases: Phase) -> bool:
        return self.state.phase in phases

    @property
    def starts(self) -> int:
        return sum(isinstance(action, Start | Restart) for action in self.done)


def running(*, by_us: bool = True) -> Life:
    """Return the life of a worker that this app has started, or has found."""
    life = Life()
    if by_us:
        life.looks(GONE)
        life.happens(Started(health(), by_us=True))
    life.looks(RUNNING)
    assert life.is_in(Phase.UP)
    return life
