"""The one way to stop the worker: ask, then TERM, then KILL; never a process not proved ours."""

import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

import psutil
from filelock import FileLock, Timeout

from worker.shared.client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths, remove
from worker.shared.processes import has_ended, is_locked, worker_process
from worker.shared.readiness import Health

SHUTDOWN = "/api/admin/shutdown"

_ORDERLY_SECONDS = 10.0  # a worker ends itself a second earlier
_HANG_SECONDS = 2.5  # for one that hangs: to answer, and then to end by TERM
_HURRY_SECONDS = 1.0  # the same for who leaves himself within five seconds
_KILL_SECONDS = 2.0
_POLL_SECONDS = 0.03
_STARTER_SECONDS = 0.5  # that a starter is waited for


class Stopped(StrEnum):
    """How a worker ended."""

    NOT_RUNNING = "not running"
    ASKED = "asked"
    TERMINATED = "terminated"
    KILLED = "killed"


class CannotStopError(MemtrayError):
    """A worker runs, and it is not ours to end."""

    title = "The worker cannot be stopped"
    code = "cannot_stop"


def stop_worker(paths: Paths) -> Stopped:
    """Stop the worker within 15 s; leave the mark that only an explicit start clears.

    Afterwards its port is free and `worker.json` gone. Raises CannotStopError.
    """
    paths.create()
    paths.stopped_mark.touch(mode=0o600)
    how = leave_worker(paths)
    paths.stopped_mark.touch(mode=0o600)  # a worker that was just starting has taken it away
    return how


def leave_worker(paths: Paths) -> Stopped:
    """Stop the worker within 5 s unless it is busy, and leave no mark: others may start it."""
    lock = FileLock(paths.start_lock, timeout=_STARTER_SECONDS, mode=0o600)
    with suppress(Timeout):  # a starter that waits for its worker holds it, and may go on waiting
        lock.acquire()
    try:
        return end_worker(paths, hang_seconds=_HURRY_SECONDS)
    finally:
        lock.release()


def end_worker(paths: Paths, *, hang_seconds: float = _HANG_SECONDS) -> Stopped:
    """Stop the worker without a mark, for one who starts it anew and holds the start lock."""
    client = WorkerClient(paths, "stop", timeout=hang_seconds)
    health = client.health()
    process = worker_process(paths, health)
    if process is None and not is_locked(paths.worker_lock):
        remove(paths.worker_json)
        return Stopped.NOT_RUNNING
    how = _end(paths, client, health, process, hang_seconds)
    remove(paths.worker_json)
    return how


def _end(
    paths: Paths,
    client: WorkerClient,
    health: Health | None,
    process: psutil.Process | None,
    hang_seconds: float,
) -> Stopped:
    gone = _watch(paths, process)
    asked = health is not None and ask_to_leave(client)
    if asked and gone(_ORDERLY_SECONDS):
        return Stopped.ASKED
    if process is None:
        raise CannotStopError(
            f"somebody holds {paths.worker_lock}, but the system does not show who: another user "
            "or a container, maybe. Stop the worker there"
        )
    orderly = health is not None and not asked
    for signal, seconds, how in (
        (process.terminate, _ORDERLY_SECONDS if orderly else hang_seconds, Stopped.TERMINATED),
        (process.kill, _KILL_SECONDS, Stopped.KILLED),
    ):
        _send(signal, process)
        if gone(seconds):
            return how
    raise CannotStopError(f"pid {process.pid} does not end, even when killed; restart the machine")


def ask_to_leave(client: WorkerClient) -> bool:
    """Ask by HTTP, which needs the token; say whether the worker agreed."""
    try:
        client.post(SHUTDOWN, {})
    except MemtrayError:
        return False  # hangs, is older than the route, or its token is lost
    return True


def _watch(paths: Paths, process: psutil.Process | None) -> Callable[[float], bool]:
    """Return what waits so many seconds for the end of a worker, and says whether it came."""

    def gone(seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not is_locked(paths.worker_lock) and (process is None or has_ended(process)):
                return True
            time.sleep(_POLL_SECONDS)
        return False

    return gone


def _send(signal: Callable[[], None], process: psutil.Process) -> None:
    try:
        signal()  # psutil looks again whether the number is still the same process's
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as exc:
        raise CannotStopError(
            f"the worker (pid {process.pid}) is another user's; let that user stop it"
        ) from exc
