"""What a reply of the worker means: ours, an error that it tells, or another program's."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from worker.shared.contract import Problem
from worker.shared.errors import (
    BadRequestError,
    MemtrayError,
    NotFoundError,
    StoreUnavailableError,
    WorkerUnavailableError,
)
from worker.shared.identity import SERVICE, WorkerRecord
from worker.shared.paths import Paths
from worker.shared.readiness import Health

_PROBLEM = "application/problem+json"
_ERRORS = {e.code: e for e in (BadRequestError, NotFoundError, StoreUnavailableError)}


@dataclass(frozen=True, slots=True)
class Reply:
    """What came over HTTP."""

    kind: str  # media type
    body: bytes


def proved(reply: Reply, port: int, record: WorkerRecord | None, paths: Paths) -> Health:
    """Return the health of our worker; raise WorkerUnavailableError saying what answered instead.

    `reply` is the one to /health, `record` what `worker.json` said before it was asked.
    """
    answer = _json(reply, port)
    if not isinstance(answer, dict) or answer.get("service") != SERVICE:
        raise stranger(port)
    try:
        health = Health.model_validate(answer)
    except ValidationError:
        raise WorkerUnavailableError(
            f"A worker of another version ({str(answer.get('version'))[:20]}) answers on port "
            f"{port}. Replace it by this one: memtray-worker restart"
        ) from None
    if not _is_ours(health, record, paths):
        raise WorkerUnavailableError(
            f"The worker on port {port} serves another folder ({health.data_dir}), not "
            f"{paths.data_dir}. Start one for this folder on another port: "
            "memtray-worker start --port P"
        )
    return health


def answer_in(reply: Reply, port: int) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON of a reply; raise the MemtrayError that it tells of."""
    answer = _json(reply, port)
    if reply.kind == _PROBLEM:
        raise _problem(answer, port)
    return answer


def late(port: int, seconds: float) -> WorkerUnavailableError:
    """Return what to say when there was no answer in time."""
    return WorkerUnavailableError(
        f"The worker on port {port} did not answer within {seconds:g} s. "
        "If that goes on: memtray-worker restart"
    )


def absent(port: int) -> WorkerUnavailableError:
    """Return what to say when nobody listens."""
    return WorkerUnavailableError(
        f"No Memtray worker runs on port {port}. Start it: memtray-worker start"
    )


def broken_off(port: int, how: str) -> WorkerUnavailableError:
    """Return what to say when an answer began and did not end."""
    return WorkerUnavailableError(
        f"The worker on port {port} broke off ({how}). Ask again; if that does not "
        "help: memtray-worker restart"
    )


def stranger(port: int) -> WorkerUnavailableError:
    """Return what to say when what answers is not ours."""
    return WorkerUnavailableError(
        f"Another program answers on port {port}, not Memtray. Stop that program, or start the "
        "worker on another port: memtray-worker start --port P"
    )


def _is_ours(health: Health, record: WorkerRecord | None, paths: Paths) -> bool:
    if record:
        return health.instance == record.instance
    return Path(health.data_dir).resolve() == paths.data_dir.resolve()


def _json(reply: Reply, port: int) -> Any:  # noqa: ANN401 - JSON
    if reply.kind not in ("application/json", _PROBLEM):
        raise stranger(port)
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise stranger(port) from None


def _problem(answer: object, port: int) -> MemtrayError:
    try:
        problem = Problem.model_validate(answer)
    except ValidationError:
        return stranger(port)
    error = _ERRORS.get(problem.code, MemtrayError)(problem.detail, field=problem.field)
    error.title, error.code, error.status = problem.title, problem.code, problem.status
    return error
