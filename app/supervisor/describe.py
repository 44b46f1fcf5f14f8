"""The supervisor's knowledge in words that a person reads."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, QLocale

from app.parts import part_name
from app.spoken import said
from app.status import AppStatus, Impairment, Look
from app.supervisor.machine import Doing, Phase, Supervised, quit_stops
from worker import __version__
from worker.shared.readiness import PartReport, PartState
from worker.shared.restart import is_older
from worker.shared.state import WorkerState

translate = QCoreApplication.translate

_FAULTY = (PartState.DEGRADED, PartState.DOWN)
_COUNTED = ("keyword", "vectors", "chroma")  # whose building is work that a person waits for
_STARTABLE = (Phase.STOPPED, Phase.DOWN, Phase.PORT_TAKEN, Phase.GAVE_UP)
_STOPPABLE = (Phase.STARTING, Phase.UP, Phase.HANGING, Phase.WAITING)


def describe(state: Supervised) -> AppStatus:
    """Return what to show, before any flicker is taken out of it."""
    look, headline, detail = _said(state)
    impairments = _impairments(state)
    if look in (Look.RUNNING, Look.BUSY) and state.phase is Phase.UP and impairments:
        look = Look.DEGRADED
    return AppStatus(
        look=look,
        headline=_limited() if look is Look.DEGRADED else headline,
        detail=detail,
        impairments=impairments,
        can_start=state.phase in _STARTABLE and state.doing is None,
        can_stop=state.phase in _STOPPABLE,
        quit_stops_worker=quit_stops(state) or state.phase is Phase.WAITING,  # then none runs
        worker=state.seen,
    )


def exit_text(code: int | None) -> str:
    """Return how a process ended, in words; "" where nobody knows."""
    if code is None:
        return ""
    if code < 0:
        return translate("Supervisor", "It was ended by signal {number}.").format(number=-code)
    return translate("Supervisor", "Its exit code was {code}.").format(code=code)


def _said(state: Supervised) -> tuple[Look, str, str]:
    """Return look, headline and detail of a phase."""
    match state.phase:
        case Phase.WAITING | Phase.STARTING if state.crash:
            soon = translate("Supervisor", "It is being started again.")
            return Look.ERROR, translate("Supervisor", "Crashed"), soon
        case Phase.LOOKING | Phase.STARTING | Phase.WAITING:
            anew = state.doing is Doing.RESTART
            headlines = translate("Supervisor", "Starting"), translate("Supervisor", "Restarting")
            return Look.BUSY, headlines[anew], ""
        case Phase.UP:
            return _up(state.seen)
        case Phase.STOPPING:
            return Look.BUSY, translate("Supervisor", "Stopping"), ""
        case Phase.STOPPED:
            return Look.STOPPED, translate("Supervisor", "Stopped by the user"), ""
        case Phase.DOWN:
            return Look.STOPPED, translate("Supervisor", "Not running"), ""
        case Phase.HANGING:
            return Look.ERROR, translate("Supervisor", "Not answering"), _process(state.seen)
        case Phase.GAVE_UP:
            no_more = translate("Supervisor", "It is not started again on its own.")
            return Look.ERROR, translate("Supervisor", "Crashed too often"), no_more
        case Phase.PORT_TAKEN:
            who = said(state.seen.cause) if state.seen else ""
            return Look.ERROR, translate("Supervisor", "The port is taken"), who


def _limited() -> str:
    return translate("Supervisor", "Running with limits")


def _up(seen: WorkerState | None) -> tuple[Look, str, str]:
    if building := _building(seen):
        progress = translate("Supervisor", "{done} of {total} memories").format(
            done=_number(building.done or 0), total=_number(building.total or 0)
        )
        return Look.BUSY, translate("Supervisor", "Indexing"), progress
    return Look.RUNNING, translate("Supervisor", "Running"), _figures(seen)


def _building(seen: WorkerState | None) -> PartReport | None:
    """Return the index that has most left to do."""
    parts = seen.ready.parts if seen and seen.ready else []
    behind = [
        part
        for part in parts
        if part.part in _COUNTED and part.state is PartState.BUILDING and part.total
    ]
    return max(behind, key=lambda part: (part.total or 0) - (part.done or 0), default=None)


def _figures(seen: WorkerState | None) -> str:
    if seen is None or seen.health is None:
        return ""
    port = translate("Supervisor", "port {port}").format(port=seen.port)
    count = _stored(seen)
    if count is None:
        return port
    memories = _memories(count)
    return translate("Supervisor", "{memories}, {port}").format(memories=memories, port=port)


def _stored(seen: WorkerState) -> int | None:
    """Return how many memories there are of all kinds, as the search window counts them."""
    parts = seen.ready.parts if seen.ready else []
    return next((part.total for part in parts if part.part == "store"), None)


def _memories(count: int) -> str:
    if count == 1:
        return translate("Supervisor", "1 memory")
    return translate("Supervisor", "%Ln memories", "", count)


def _process(seen: WorkerState | None) -> str:
    if seen is None or seen.pid is None:
        return ""
    return translate("Supervisor", "process {pid}, port {port}").format(
        pid=seen.pid, port=seen.port
    )


# ---------------------------------------------------------------------- impairments


def _impairments(state: Supervised) -> tuple[Impairment, ...]:
    """Return what is wrong, the worst first."""
    found = [Impairment("worker", cause, remedy) for cause, remedy in _worker_faults(state)]
    seen = state.seen
    if state.phase is Phase.UP and seen:
        if seen.ready is None:
            found.append(Impairment("worker", seen.cause, _restart()))
        else:
            ill = (part for part in seen.ready.parts if part.state in _FAULTY)
            found += [Impairment(part.part, part.cause, part.remedy) for part in ill]
    return tuple(
        Impairment(one.part, said(one.cause), said(one.remedy), part_name(one.part))
        for one in found
    )


def _worker_faults(state: Supervised) -> Iterator[tuple[str, str]]:
    """Yield cause and remedy of what is wrong with the worker as a whole."""
    if state.problem:
        yield state.problem, translate("Supervisor", "Try again, or end it by hand.")
    match state.phase:
        case Phase.UP:
            yield from _version_fault(state.seen)
        case Phase.HANGING:
            yield translate("Supervisor", "It runs, but does not answer."), _restart()
        case Phase.WAITING | Phase.STARTING if state.crash:
            soon = translate("Supervisor", "It is started again on its own; the log tells more.")
            yield _crashed(state), soon
        case Phase.GAVE_UP:
            log = translate("Supervisor", "Look into the log, then start it again.")
            yield _crashed(state), log
        case Phase.PORT_TAKEN:
            other = translate("Supervisor", "End that program, or start on another port.")
            yield (state.seen.cause if state.seen else ""), other


def _version_fault(seen: WorkerState | None) -> Iterator[tuple[str, str]]:
    version = seen.health.version if seen and seen.health else __version__
    if version == __version__:
        return
    cause = translate("Supervisor", "It is of version {worker}, this app of {app}.")
    newer = translate("Supervisor", "Quit Memtray and start it again.")
    remedy = newer if is_older(__version__, version) else _restart()
    yield cause.format(worker=version, app=__version__), remedy


def _crashed(state: Supervised) -> str:
    ended = translate("Supervisor", "It ended unexpectedly.")
    return f"{ended} {exit_text(state.crash.exit_code if state.crash else None)}".strip()


def _restart() -> str:
    return translate("Supervisor", "Restart the worker.")


def _number(number: int) -> str:
    return QLocale().toString(number)
