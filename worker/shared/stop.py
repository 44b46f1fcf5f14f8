"""The one way to stop the worker: ask, then TERM, then KILL; never a process not proved ours."""

import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum

import psutil
from filelock import FileLock, Timeout

from worker.shared.client import WorkerClient
from worker.shared.contract import Health
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.processes import is_locked, worker_process

SHUTDOWN = "/api/admin/shutdown"

_ORDERLY_SECONDS = 10.0  # a worker ends itself a second earlier
_TERM_SECONDS = 2.5  # for one that hangs
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
    lock = FileLock(paths.start_lock, timeout=_STARTER_SECONDS, mode=0o600)
    with suppress(Timeout):  # a starter that waits for its worker holds it, and may go on waiting
        lock.acquire()
    try:
        how = end_worker(paths)
    finally:
        lock.release()
    paths.stopped_mark.touch(mode=0o600)  # a worker that was just starting has taken it away
    return how


def end_worker(paths: Paths) -> Stopped:
    """Stop the worker without a mark, for one who starts it anew and holds the start lock."""
    client = WorkerClient(paths, "stop", timeout=2.0)
    health = client.health()
    process = worker_process(paths, health)
    if process is None and not is_locked(paths.worker_lock):
        paths.worker_json.unlink(missing_ok=True)
        return Stopped.NOT_RUNNING
    how = _end(paths, client, health, process)
    paths.worker_json.unlink(missing_ok=True)
    return how


def _end(
    paths: Paths, client: WorkerClient, health: Health | None, process: psutil.Process | None
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
        (process.terminate, _ORDERLY_SECONDS if orderly else _TERM_SECONDS, Stopped.TERMINATED),
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
            if not is_locked(paths.worker_lock) and (process is None or _has_ended(process)):
                return True
            time.sleep(_POLL_SECONDS)
        return False

    return gone


def _has_ended(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _send(signal: Callable[[], None], process: psutil.Process) -> None:
    try:
        signal()  # psutil looks again whether the number is still the same process's
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as exc:
        raise CannotStopError(
            f"the worker (pid {process.pid}) is another user's; let that user stop it"
        ) from exc
