"""Runs a real worker on a data folder, from its start until every part is ready."""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from tests.bench.api import Api
from tests.bench.material import ROOT
from worker.shared.readiness import PartState, Ready

_SETTLED = {PartState.OK, PartState.OFF}
_POLL_SECONDS = 0.1
_KNOCK_SECONDS = 0.005
_STOP_SECONDS = 20


class WorkerFailedError(RuntimeError):
    """A worker ended by itself or was not ready in time."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that is ready."""

    port: int
    pid: int
    healthy_seconds: float  # from spawn until it answered /health
    ready_seconds: float  # from spawn until every part was ok

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def running(data_dir: Path, *, within: float = 120) -> Iterator[Worker]:
    """Start a worker on `data_dir`, yield it when ready, stop it.

    Raises WorkerFailedError when it ends, or makes no progress for `within` seconds.
    """
    port = free_port()
    command = [sys.executable, "-m", "worker", "run"]
    command += ["--data-dir", str(data_dir), "--port", str(port)]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=private_environ(Path(home)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            healthy = _seconds_until_healthy(process, port, within)
            reason = _wait_until_ready(process, port, within)
            if reason:
                output.seek(0)
                said = output.read()[-2000:].decode("utf-8", "replace")
                raise WorkerFailedError(f"{' '.join(command)}: {reason}\n{said}")
            yield Worker(port, process.pid, healthy, time.perf_counter() - started)
        finally:
            _stop(process)


def private_environ(home: Path, **more: str) -> Mapping[str, str]:
    """Return an environment with a home of its own, none of the caller's settings, one thread."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE_MEM_", "MEMTRAY_"))}
    return kept | {"HOME": str(home), "USERPROFILE": str(home), "OPENBLAS_NUM_THREADS": "1"} | more


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _seconds_until_healthy(process: subprocess.Popen[bytes], port: int, within: float) -> float:
    """Wait until /health is answered, the process ended, or the time is up; return how long."""
    began = time.perf_counter()
    while time.perf_counter() < began + within:
        try:
            process.wait(_KNOCK_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(OSError, http.client.HTTPException), Api(port, timeout=10) as api:
                api.get("/health")
                break
        else:
            break
    return time.perf_counter() - began


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, within: float) -> str:
    """Return "" once all parts are ok, else what went wrong; progress extends the time."""
    deadline = time.perf_counter() + within
    unsettled = "it answers nothing"
    while time.perf_counter() < deadline:
        try:
            process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            before, unsettled = unsettled, _unsettled(port)
            if not unsettled:
                return ""
            if unsettled != before:
                deadline = time.perf_counter() + within
        else:
            return f"ended with {process.returncode} before it was ready"
    return f"not ready and no progress for {within:.0f} s: {unsettled}"


def _unsettled(port: int) -> str:
    """Return the parts that are not ok yet, as one line; "" when there is none."""
    try:
        with Api(port, timeout=10) as api:
            ready = Ready.model_validate_json(api.get("/api/ready").body)
    except (OSError, http.client.HTTPException) as exc:
        return f"it does not answer ({exc})"
    except ValidationError as exc:
        return f"/api/ready answers what is no report ({exc.error_count()} errors)"
    waiting = [part for part in ready.parts if part.state not in _SETTLED]
    return "; ".join(f"{p.part} {p.state} {p.done}/{p.total} {p.cause}" for p in waiting)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
