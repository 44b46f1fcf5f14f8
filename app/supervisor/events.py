"""What happens to the supervisor, and what it then has done: the words of its state machine."""

from dataclasses import dataclass

from worker.shared.readiness import Health
from worker.shared.state import WorkerState


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The worker crashed too often and is not started again on its own."""

    exit_code: int | None  # negative: the signal that ended it; None: not known
    lines: tuple[str, ...]  # what it said last


@dataclass(frozen=True, slots=True)
class PortTaken:
    """The worker's port belongs to another program, or to the system."""

    port: int
    name: str = ""  # of the program; "" where the system does not tell
    pid: int | None = None
    is_claude_mem: bool = False  # it is claude-mem's own worker
    is_reserved: bool = False  # no program has it: the system keeps it from users
    next_free_port: int | None = None


# ---------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The worker was looked at; `sight` is the number of the Look that asked for it."""

    sight: int
    found: WorkerState
    exit_code: int | None = None  # of the worker that this app started, once it has ended


@dataclass(frozen=True, slots=True)
class LookFailed:
    """The look itself went wrong, which tells nothing about the worker."""


@dataclass(frozen=True, slots=True)
class Vanished:
    """The process that answered before is no more."""


@dataclass(frozen=True, slots=True)
class StartAsked:
    """The user wants it to run, on this port if one is given."""

    port: int | None = None


@dataclass(frozen=True, slots=True)
class StopAsked:
    """The user wants it stopped until somebody starts it."""


@dataclass(frozen=True, slots=True)
class RestartAsked:
    """The user wants a new one."""


@dataclass(frozen=True, slots=True)
class Started:
    """A start or restart has come to a worker that answers."""

    health: Health
    by_us: bool  # else it ran already, or somebody else was faster


@dataclass(frozen=True, slots=True)
class StartFailed:
    """A start or restart has not."""

    why: str
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """A stop has come to its end."""


@dataclass(frozen=True, slots=True)
class StopFailed:
    """A worker runs on that could not be stopped."""

    why: str


Event = (
    Ticked
    | Looked
    | LookFailed
    | Vanished
    | StartAsked
    | StopAsked
    | RestartAsked
    | Started
    | StartFailed
    | Stopped
    | StopFailed
)

# ---------------------------------------------------------------------- actions


@dataclass(frozen=True, slots=True)
class LookAt:
    """Look how the worker is; comes back as Looked."""

    sight: int


@dataclass(frozen=True, slots=True)
class Start:
    """Start a worker unless one runs; comes back as Started or StartFailed."""

    explicit: bool = False  # the user asks for it
    port: int | None = None
    replace: bool = False  # one that is older than this app


@dataclass(frozen=True, slots=True)
class Stop:
    """Stop the worker for good; comes back as Stopped or StopFailed."""


@dataclass(frozen=True, slots=True)
class Restart:
    """End the worker and start another; comes back as Started or StartFailed."""


@dataclass(frozen=True, slots=True)
class TellGaveUp:
    """Tell the user, with the exit code and the last words."""

    exit_code: int | None
    why: str


@dataclass(frozen=True, slots=True)
class TellPortTaken:
    """Tell the user who has the port."""

    port: int


Action = LookAt | Start | Stop | Restart | TellGaveUp | TellPortTaken
