"""Ending a worker in order to start it anew."""

import re
import time

from worker import __version__
from worker.shared.client import WorkerClient
from worker.shared.errors import WorkerUnavailableError
from worker.shared.identity import read_record
from worker.shared.launch import OnChild, ensure_running, only_starter, start
from worker.shared.paths import Paths
from worker.shared.processes import lives
from worker.shared.readiness import Health
from worker.shared.settings import load_settings
from worker.shared.stop import ask_to_leave, end_worker

_VERSION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})*)(?:\.?(dev|a|b|rc)([0-9]{1,9}))?")
_STAGES = ("dev", "a", "b", "rc", "")
_START_SECONDS = 20.0
_LEAVE_SECONDS = 10.0
_POLL_SECONDS = 0.05


def restart(paths: Paths, *, port: int | None = None, on_child: OnChild = lambda _: None) -> Health:
    """Stop the worker if there is one, and start it on the same port unless another is given.

    A port that was set since that one started counts as given. Raises CannotStopError, and
    WorkerUnavailableError when the new one cannot be started.
    """
    client = WorkerClient(paths, "restart")
    with only_starter(paths, _START_SECONDS):
        port = port or _port_to_keep(client, paths)
        end_worker(paths)
        paths.stopped_mark.unlink(missing_ok=True)
        deadline = time.monotonic() + _START_SECONDS
        return start(paths, client, port=port, deadline=deadline, on_child=on_child)


def replace_older(
    paths: Paths, *, version: str = __version__, on_child: OnChild = lambda _: None
) -> Health:
    """Return the health of our worker; one that is older than `version` is replaced first, once.

    For the app, once a launch. An older one is asked to leave and never forced; a newer one stays.
    What cannot be replaced goes on: compare the version. Raises as `ensure_running` does.
    """
    health = ensure_running(paths, on_child=on_child)
    client = WorkerClient(paths, "replace")
    if not is_older(health.version, version) or not ask_to_leave(client):
        return health
    deadline = time.monotonic() + _LEAVE_SECONDS
    while lives(paths):
        if time.monotonic() > deadline:
            raise WorkerUnavailableError(
                f"The worker of version {health.version} is to be replaced by {version} and does "
                "not end: memtray-worker restart"
            )
        time.sleep(_POLL_SECONDS)
    return ensure_running(paths, port=health.port, on_child=on_child)


def is_older(version: str, than: str) -> bool:
    """Compare two versions, 1.0.0rc1 before 1.0.0; one that is none is older than nothing."""
    mine, other = _order(version), _order(than)
    return bool(mine and other) and mine < other


def _order(version: str) -> tuple[object, ...]:
    found = _VERSION.fullmatch(version)
    if not found:
        return ()
    numbers = tuple(map(int, found[1].split(".")))
    return numbers, _STAGES.index(found[2] or ""), int(found[3] or 0)


def _port_to_keep(client: WorkerClient, paths: Paths) -> int | None:
    record = read_record(paths.worker_json)
    setting = load_settings(paths.settings).port
    if record and record.port_setting not in (None, setting):
        return None
    if health := client.health():
        return health.port
    return record.port if record else None
