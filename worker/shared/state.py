"""How the worker is, seen from outside: for the command line and for the tray."""

import os
import time
from collections.abc import Mapping
from enum import StrEnum

import psutil
from pydantic import BaseModel, ValidationError

from worker.shared.client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.identity import expected_port
from worker.shared.paths import Paths
from worker.shared.ports import (
    claimed_ports,
    is_held,
    is_reserved,
    is_taken,
    port_owner,
    user_number,
)
from worker.shared.processes import is_locked, worker_process
from worker.shared.readiness import Health, PartState, Ready

_STARTING_SECONDS = 20.0  # for which a silent worker is taken to be starting


class State(StrEnum):
    """What a person wants to know first."""

    RUNNING = "running"
    DEGRADED = "degraded"
    STARTING = "starting"
    HANGING = "hanging"
    STOPPED = "stopped by the user"
    NOT_RUNNING = "not running"
    PORT_TAKEN = "port taken"

    @property
    def answers(self) -> bool:
        """True where a worker answers requests."""
        return self in (State.RUNNING, State.DEGRADED)


class WorkerState(BaseModel):
    """The state, why it is so, what helps, and all that is known of the worker."""

    state: State
    cause: str = ""
    remedy: str = ""
    data_dir: str
    pid: int | None = None
    port: int
    health: Health | None = None
    ready: Ready | None = None


def look(
    paths: Paths, environ: Mapping[str, str] = os.environ, *, name: str = "status"
) -> WorkerState:
    """Return how the worker of this folder is; changes nothing and raises nothing.

    `name` is how the one who looks names itself to the worker.
    """
    client = WorkerClient(paths, name, environ=environ, timeout=5.0)
    health = client.health()
    if health:
        return _answering(paths, client, health)
    port = expected_port(paths, environ)
    process = worker_process(paths, None)
    if process or is_locked(paths.worker_lock):
        return _silent(paths, process, port)
    return _absent(paths, port, environ)


def _answering(paths: Paths, client: WorkerClient, health: Health) -> WorkerState:
    seen = {"data_dir": str(paths.data_dir), "pid": health.pid, "port": health.port}
    try:
        ready = Ready.model_validate(client.get("/api/ready"))
    except (MemtrayError, ValidationError) as exc:
        return WorkerState(
            state=State.DEGRADED,
            cause=exc.detail if isinstance(exc, MemtrayError) else "its parts cannot be read",
            remedy="memtray-worker restart",
            health=health,
            **seen,
        )
    return WorkerState(state=_state_of(ready), health=health, ready=ready, **seen)


def _state_of(ready: Ready) -> State:
    if PartState.BUILDING in [part.state for part in ready.parts if part.part == "search"]:
        return State.STARTING
    ill = ready.state in (PartState.DOWN, PartState.DEGRADED)
    return State.DEGRADED if ill else State.RUNNING


def _silent(paths: Paths, process: psutil.Process | None, port: int) -> WorkerState:
    young = process is not None and _age(process) < _STARTING_SECONDS
    return WorkerState(
        state=State.STARTING if young else State.HANGING,
        cause="" if young else "a worker runs, but does not answer",
        remedy="" if young else "memtray-worker restart",
        data_dir=str(paths.data_dir),
        pid=process.pid if process else None,
        port=port,
    )


def _age(process: psutil.Process) -> float:
    """Return for how many seconds a process lives; 0 for one that has just ended."""
    try:
        return time.time() - process.create_time()
    except psutil.NoSuchProcess:
        return 0.0


def _absent(paths: Paths, port: int, environ: Mapping[str, str]) -> WorkerState:
    state, cause, remedy = State.NOT_RUNNING, "", "memtray-worker start"
    if paths.stopped_mark.exists():
        state = State.STOPPED
    elif port in claimed_ports(paths.data_dir, environ, user_number()):
        pass  # the worker takes the next one
    elif is_taken(port):
        state = State.PORT_TAKEN
        cause = f"{port_owner(port) or 'another program'} has port {port}"
        remedy = "stop that program, or memtray-worker start --port P"
    elif is_reserved(port):
        state, cause = State.PORT_TAKEN, f"the system keeps port {port} for itself"
        remedy = "memtray-worker start --port P"
    elif is_held(port):
        state, cause = State.PORT_TAKEN, f"a connection of another program holds port {port}"
        remedy = "wait a minute, or memtray-worker start --port P"
    return WorkerState(
        state=state, cause=cause, remedy=remedy, data_dir=str(paths.data_dir), port=port
    )
