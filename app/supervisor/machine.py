"""The life of the worker as the app sees it: a state and an event give a state and actions.

Pure: time is passed in as monotonic seconds, and everything that blocks is an action, whose
outcome comes back as an event.
"""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from app.supervisor.backoff import WINDOW, Crashes
from app.supervisor.events import (
    Action,
    Event,
    LookAt,
    Looked,
    LookFailed,
    Restart,
    RestartAsked,
    Start,
    StartAsked,
    Started,
    StartFailed,
    Stop,
    StopAsked,
    StopFailed,
    Stopped,
    TellGaveUp,
    TellPortTaken,
    Ticked,
    Vanished,
)
from worker import __version__
from worker.shared.restart import is_older
from worker.shared.state import State, WorkerState

QUICK = 0.5  # seconds between two looks while something changes
DOUBT = 1.0  # after a look that found a worker silent which had answered, or none
CALM = 4.0  # else
MISSES = 2  # silent looks in a row that make a worker that does not answer
PATIENCE = 60.0  # seconds for which a worker that we start may stay silent
GAP = 20.0  # seconds without a tick: this process slept, or the whole machine did
GRACE = 15.0  # seconds after such a gap in which silence means nothing


class Phase(StrEnum):
    """Where the worker is in its life."""

    LOOKING = "looking"  # nothing is known yet
    STARTING = "starting"
    UP = "up"
    HANGING = "hanging"  # it lives and does not answer
    STOPPING = "stopping"
    STOPPED = "stopped"  # by the user, here or elsewhere
    DOWN = "down"  # and nobody has asked for it yet
    WAITING = "waiting"  # it crashed, and is started again in a while
    PORT_TAKEN = "port taken"
    GAVE_UP = "gave up"


class Doing(StrEnum):
    """What is under way, until its outcome comes."""

    START = "start"
    STOP = "stop"
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class Supervised:
    """All that the supervisor knows; times are monotonic seconds."""

    phase: Phase = Phase.LOOKING
    wanted: bool = True  # a worker shall run: it is started when there is none
    doing: Doing | None = None
    seen: WorkerState | None = None
    ours: int | None = None  # pid of the worker that this app has started
    answered: int | None = None  # pid of the worker that answered last
    misses: int = 0
    crashes: Crashes = field(default_factory=Crashes)
    healthy_since: float | None = None
    failure: StartFailed | None = None  # of the last start, until it is known what it means
    crash: StartFailed | None = None  # the last one, until a worker is up again
    problem: str = ""  # what was asked for and could not be done
    replaced: bool = False  # an older worker, once a launch
    asked: bool = False  # by the user, who then wants to know
    sight: int = 0
    looking: bool = False
    look_due: float = 0.0
    start_due: float | None = None  # after a crash
    patience_until: float = 0.0
    grace_until: float = 0.0


Step = tuple[Supervised, tuple[Action, ...]]


def step(state: Supervised, event: Event, now: float) -> Step:
    """Return what is known after `event`, and what is to be done."""
    match event:
        case Ticked():
            return _ticked(state, now)
        case Looked():
            return _looked(state, event, now)
        case LookFailed():
            return replace(state, looking=False, look_due=now + CALM), ()
        case Vanished():
            return (state, ()) if state.doing else _look(state)
        case StartAsked():
            return _start_asked(state, event, now)
        case StopAsked():
            return _stop(state)
        case RestartAsked():
            return _restart_asked(state, now)
        case Started():
            return _started(state, event)
        case StartFailed():
            return _start_failed(state, event)
        case Stopped():
            return _stopped(state, now)
        case StopFailed():
            return _look(replace(state, doing=None, problem=event.why))


def quit_stops(state: Supervised) -> bool:
    """Say whether the worker is one that this app has started, or is just starting."""
    if state.doing in (Doing.START, Doing.RESTART):
        return True
    return state.ours is not None and state.ours == state.answered


def wait(state: Supervised, now: float) -> float | None:
    """Return the seconds to the next tick; None while only an outcome can change anything."""
    due = [] if state.looking else [state.look_due]
    if state.start_due is not None and state.doing is None:
        due.append(state.start_due)
    return max(0.0, min(due) - now) if due else None


# ---------------------------------------------------------------------- time


def _ticked(state: Supervised, now: float) -> Step:
    if not state.looking and now - state.look_due > GAP:
        state = replace(state, grace_until=now + GRACE)
    if state.start_due is not None and now >= state.start_due and state.doing is None:
        return _begin(state, Doing.START, Start(), now)
    return _look(state) if not state.looking and now >= state.look_due else (state, ())


def _look(state: Supervised) -> Step:
    """Look; what an earlier look finds does not count any more."""
    sight = state.sight + 1
    return replace(state, sight=sight, looking=True), (LookAt(sight),)


# ---------------------------------------------------------------------- what the user asks for


def _start_asked(state: Supervised, event: StartAsked, now: float) -> Step:
    if state.doing:
        return _while_busy(state)
    state = replace(_forgiven(state), asked=True)
    if state.phase is Phase.PORT_TAKEN and event.port is None:
        return _look(state)
    return _begin(state, Doing.START, Start(explicit=True, port=event.port), now)


def _restart_asked(state: Supervised, now: float) -> Step:
    if state.doing:
        return _while_busy(state)
    return _begin(_forgiven(state), Doing.RESTART, Restart(), now)


def _while_busy(state: Supervised) -> Step:
    """A worker is wanted while one is coming up already, or while one is being stopped."""
    return (_forgiven(state) if state.doing is Doing.STOP else state), ()


def _forgiven(state: Supervised) -> Supervised:
    """A person has looked at it: all begins anew."""
    return replace(state, wanted=True, crashes=Crashes(), failure=None, crash=None, problem="")


def _stop(state: Supervised) -> Step:
    if state.doing is Doing.STOP:
        return replace(state, wanted=False), ()
    state = replace(
        state,
        phase=Phase.STOPPING,
        doing=Doing.STOP,
        wanted=False,
        start_due=None,
        problem="",
        looking=False,
        sight=state.sight + 1,
    )
    return state, (Stop(),)


def _begin(state: Supervised, doing: Doing, action: Start | Restart, now: float) -> Step:
    state = replace(
        state,
        phase=Phase.STARTING,
        doing=doing,
        start_due=None,
        failure=None,
        misses=0,
        patience_until=now + PATIENCE,
        look_due=now + QUICK,
        looking=False,
        sight=state.sight + 1,
    )
    return state, (action,)


# ---------------------------------------------------------------------- outcomes


def _started(state: Supervised, event: Started) -> Step:
    if state.doing not in (Doing.START, Doing.RESTART):  # a stop was asked for meanwhile
        return (state, ()) if state.wanted else _stop(replace(state, doing=None))
    pid = event.health.pid
    ours = pid if event.by_us or state.ours == pid else None
    return _look(replace(state, doing=None, ours=ours, answered=pid, phase=Phase.STARTING))


def _start_failed(state: Supervised, event: StartFailed) -> Step:
    if state.doing not in (Doing.START, Doing.RESTART):
        return state, ()
    return _look(replace(state, doing=None, failure=event))


def _stopped(state: Supervised, now: float) -> Step:
    state = replace(state, phase=Phase.STOPPED, doing=None, ours=None, answered=None)
    if state.wanted:  # again, since the stop was asked for
        return _begin(state, Doing.START, Start(explicit=True), now)
    return _look(state)


# ---------------------------------------------------------------------- what is seen


def _looked(state: Supervised, event: Looked, now: float) -> Step:
    if event.sight != state.sight:
        return state, ()
    state = replace(state, looking=False)
    if state.doing is None:
        state, actions = _judged(state, event, now)
    else:  # its outcome says more than what is seen on the way there
        state, actions = replace(state, seen=event.found), ()
    return (state if state.looking else replace(state, look_due=now + _pause(state))), actions


def _pause(state: Supervised) -> float:
    if state.phase in (Phase.STARTING, Phase.STOPPING, Phase.LOOKING):
        return QUICK
    doubtful = state.phase is Phase.WAITING or (state.misses and state.phase is Phase.UP)
    return DOUBT if doubtful else CALM


def _judged(state: Supervised, event: Looked, now: float) -> Step:
    found = event.found
    if found.health is not None:
        return _answered(state, found, now)
    if found.state in (State.STARTING, State.HANGING):
        return _silent(state, found, now), ()
    state = replace(state, seen=found, misses=0, healthy_since=None)
    if found.state is State.STOPPED:
        return _forgotten(replace(state, phase=Phase.STOPPED, wanted=False)), ()
    if not state.wanted:
        return _forgotten(replace(state, phase=Phase.DOWN)), ()
    if found.state is State.PORT_TAKEN:
        return _port_taken(state, found.port)
    return _absent(state, event, now)


def _answered(state: Supervised, found: WorkerState, now: float) -> Step:
    pid = found.health.pid if found.health else None
    since = now if state.healthy_since is None or state.answered != pid else state.healthy_since
    starting = found.state is State.STARTING
    state = replace(
        state,
        phase=Phase.STARTING if starting else Phase.UP,
        wanted=True,
        seen=found,
        answered=pid,
        misses=0,
        healthy_since=since,
        crashes=Crashes() if now - since >= WINDOW else state.crashes,
        failure=None,
        crash=state.crash if starting else None,
        start_due=None,
        asked=False,
    )
    version = found.health.version if found.health else ""
    if not state.replaced and is_older(version, __version__):
        return _begin(replace(state, replaced=True), Doing.START, Start(replace=True), now)
    return state, ()


def _silent(state: Supervised, found: WorkerState, now: float) -> Supervised:
    """A process lives: it starts, or hangs, or was only slow once."""
    state = replace(state, failure=None, start_due=None)
    if found.pid != state.answered or found.pid is None:
        starts = found.state is State.STARTING or now < state.patience_until
        return replace(state, seen=found, phase=Phase.STARTING if starts else Phase.HANGING)
    if now < state.grace_until:
        return state
    misses = state.misses + 1
    if misses < MISSES:
        return replace(state, misses=misses)
    return replace(state, misses=misses, seen=found, phase=Phase.HANGING, healthy_since=None)


def _port_taken(state: Supervised, port: int) -> Step:
    news = state.phase is not Phase.PORT_TAKEN or state.asked
    state = replace(_forgotten(state), phase=Phase.PORT_TAKEN)
    return state, (TellPortTaken(port),) if news else ()


def _absent(state: Supervised, event: Looked, now: float) -> Step:
    """There is no worker, and there should be one."""
    if state.phase is Phase.GAVE_UP or state.start_due is not None:
        return state, ()
    if state.phase in (Phase.LOOKING, Phase.PORT_TAKEN) and state.failure is None:
        return _begin(state, Doing.START, Start(explicit=state.asked), now)
    code = event.exit_code if state.ours == state.answered else None  # else another worker's
    crash = state.failure or StartFailed("", code)
    crashes = state.crashes.and_one(now)
    state = replace(_forgotten(state), crashes=crashes, crash=crash)
    if crashes.are_too_many:
        return replace(state, phase=Phase.GAVE_UP), (TellGaveUp(crash.exit_code, crash.why),)
    return replace(state, phase=Phase.WAITING, start_due=now + crashes.pause), ()


def _forgotten(state: Supervised) -> Supervised:
    """No worker is there, nor any start that is still to come."""
    return replace(state, ours=None, answered=None, failure=None, start_due=None, asked=False)
