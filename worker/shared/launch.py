"""The one way to start the worker, for the app, the command line and the MCP server."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from worker.shared.client import WorkerClient
from worker.shared.errors import WorkerUnavailableError, refusal
from worker.shared.paths import Paths
from worker.shared.processes import lives
from worker.shared.readiness import Health

ROOT = Path(__file__).parents[2]  # the folder that holds our packages
_POLL_SECONDS = 0.05
_IDLE_SECONDS = 3600  # without use, after which a worker in the background leaves
_GRACE_SECONDS = 1.0  # for a worker that somebody else started, which our child made way for
_TAIL_LINES = 20
_TAIL_BYTES = 16_384
_CREATE_NO_WINDOW = 0x08000000
_CREATE_NEW_PROCESS_GROUP = 0x00000200


Child = subprocess.Popen[bytes]
OnChild = Callable[[Child], object]  # told of the process that a start has made


def ensure_running(
    paths: Paths,
    *,
    port: int | None = None,
    wait_seconds: float = 20.0,
    explicit: bool = False,
    on_child: OnChild = lambda _: None,
) -> Health:
    """Return the health of our worker, which is started if there is none.

    `explicit` is a start that the user asked for; any other respects that the user stopped the
    worker. Raises WorkerUnavailableError when there is no healthy worker after `wait_seconds`.
    """
    client = WorkerClient(paths, "launch")
    if explicit:
        with _telling_what_refuses():
            paths.stopped_mark.unlink(missing_ok=True)
    healthy = client.health()
    if healthy:
        return healthy
    _respect_stop(paths)
    deadline = time.monotonic() + wait_seconds
    with only_starter(paths, wait_seconds):
        healthy = client.health()
        if healthy:
            return healthy
        _respect_stop(paths)  # it may have been stopped while we waited
        return start(paths, client, port=port, deadline=deadline, on_child=on_child)


@contextmanager
def only_starter(paths: Paths, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of those who start workers; raise WorkerUnavailableError where that fails."""
    try:
        with _telling_what_refuses():
            paths.create()
            with FileLock(paths.start_lock, timeout=wait_seconds, mode=0o600):
                yield
    except Timeout:
        raise WorkerUnavailableError(
            f"Another program has been starting the worker for {wait_seconds:g} s. "
            "Try again in a while; memtray-worker status tells more"
        ) from None


@contextmanager
def _telling_what_refuses() -> Iterator[None]:
    try:
        yield
    except Timeout:  # is an OSError, and no refusal
        raise
    except OSError as exc:
        raise WorkerUnavailableError(f"The worker cannot be started: {refusal(exc)}") from exc


def _respect_stop(paths: Paths) -> None:
    if paths.stopped_mark.exists():
        raise WorkerUnavailableError(
            "The Memtray worker was stopped by the user and is not started on its own. "
            "Start it: memtray-worker start"
        )


def worker_program(*, executable: Path, frozen: bool) -> list[str]:
    """Return how the worker is called: the script beside `executable`, else the module."""
    suffix = ".exe" if executable.suffix.lower() == ".exe" else ""  # `python3.11` has one, too
    script = executable.with_name(f"memtray-worker{suffix}")
    return [str(script)] if frozen or script.exists() else [str(executable), "-m", "worker"]


def worker_command(paths: Paths, port: int | None, *, executable: Path, frozen: bool) -> list[str]:
    """Return the command that runs the worker of a folder until nobody needs it."""
    program = worker_program(executable=executable, frozen=frozen)
    chosen = [] if port is None else ["--port", str(port)]
    leaving = ["--leave-when-idle", str(_IDLE_SECONDS)]
    return [*program, "run", "--data-dir", str(paths.data_dir), *chosen, *leaving]


def detached(platform: str) -> dict[str, Any]:
    """Return the Popen arguments by which a child outlives its parent, on `sys.platform`."""
    if platform == "win32":  # with DETACHED_PROCESS each child of the worker would open a window
        return {"creationflags": _CREATE_NO_WINDOW | _CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def start(
    paths: Paths,
    client: WorkerClient,
    *,
    port: int | None,
    deadline: float,
    on_child: OnChild = lambda _: None,
) -> Health:
    """Start a worker, unless one is starting or hangs, and wait until it is healthy.

    Only for who holds the lock of the starters; raises as `ensure_running` does.
    """
    output = paths.logs / "worker-output.log"
    child: Child | None = None
    ended: float | None = None
    while time.monotonic() < deadline:
        if child is None and not lives(paths):  # not before one that is just ending has gone
            child = _spawn(paths, port, output)
            on_child(child)
        healthy = client.health()
        if healthy and paths.worker_json.exists():
            return healthy
        if ended is None and child and child.poll() is not None:
            ended = time.monotonic()
        if child and ended and time.monotonic() > ended + _GRACE_SECONDS and not lives(paths):
            raise WorkerUnavailableError(
                f"The worker ended with code {child.returncode} before it answered. "
                f"Its last lines, from {output}:\n{_tail(output)}"
            )
        time.sleep(_POLL_SECONDS)
    if child:
        raise WorkerUnavailableError(
            "The worker has been started but does not answer yet. Try again in a while; "
            f"memtray-worker status tells how it is, and {output} may say more"
        )
    raise WorkerUnavailableError(
        "A worker is running but does not answer. If that goes on: memtray-worker restart"
    )


def _spawn(paths: Paths, port: int | None, output: Path) -> Child:
    """Start the worker, where no `worker` of the user's shadows ours."""
    command = worker_command(
        paths, port, executable=Path(sys.executable), frozen=hasattr(sys, "frozen")
    )
    environ = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as log_file:
        return spawn(command, environ=environ, output=log_file)


def spawn(
    command: Sequence[str],
    *,
    environ: Mapping[str, str],
    output: IO[bytes] | None = None,
    user: Mapping[str, Any] | None = None,
) -> Child:
    """Start a program of ours that outlives us; `user` is the Popen arguments that name another."""
    child = subprocess.Popen(  # noqa: S603 - our own program
        command,
        cwd=ROOT,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=output or subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        **(user or {}),
        **detached(sys.platform),
    )
    threading.Thread(target=child.wait, name="reaper", daemon=True).start()  # no zombie is left
    return child


def _tail(path: Path) -> str:
    text = path.read_bytes()[-_TAIL_BYTES:].decode("utf-8", "replace")
    return "\n".join(text.splitlines()[-_TAIL_LINES:]) or "(none)"
