"""A small blocking client of the worker's HTTP API, which talks to our own worker only."""

import http.client
import json
import os
import re
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from pydantic import ValidationError

from worker.shared.contract import MAX_QUERY, Health, Problem
from worker.shared.errors import (
    BadRequestError,
    MemtrayError,
    NotFoundError,
    StoreUnavailableError,
    WorkerUnavailableError,
)
from worker.shared.identity import SERVICE, WorkerRecord, expected_port, read_record
from worker.shared.paths import Paths

_HOST = "127.0.0.1"
_CONNECT_SECONDS = 2.0
_HEALTH_SECONDS = 2.0
_MAX_ADDRESS = 200_000  # characters of path and parameters
_MAX_REPLY = 64 * 1024 * 1024  # bytes; only a stranger sends more
_PROBLEM = "application/problem+json"
_ERRORS = {e.code: e for e in (BadRequestError, NotFoundError, StoreUnavailableError)}


@dataclass(frozen=True, slots=True)
class _Reply:
    kind: str  # media type
    body: bytes


class WorkerClient:
    """Calls of one named client; safe to use from several threads, a connection for each call."""

    def __init__(
        self,
        paths: Paths,
        name: str,
        *,
        environ: Mapping[str, str] = os.environ,
        timeout: float = 30.0,
    ) -> None:
        """`timeout` is for a whole call, in seconds."""
        self._paths = paths
        self._name = re.sub(r"[^!-~]+", "-", name)[:80]
        self._environ = environ
        self._timeout = timeout

    def health(self) -> Health | None:
        """Return who answers, if it is our worker on our data folder; None for all else."""
        try:
            return self.prove()
        except WorkerUnavailableError:
            return None

    def prove(self) -> Health:
        """Return the health of our worker; raise WorkerUnavailableError saying what is instead."""
        return self._prove(*self._address())

    def _prove(self, port: int, record: WorkerRecord | None) -> Health:
        reply = self._call(port, record, "GET", "/health", timeout=_HEALTH_SECONDS)
        answer = _json(reply, port)
        if not isinstance(answer, dict) or answer.get("service") != SERVICE:
            raise _stranger(port)
        try:
            health = Health.model_validate(answer)
        except ValidationError:
            raise WorkerUnavailableError(
                f"A worker of another version ({str(answer.get('version'))[:20]}) answers on port "
                f"{port}. Replace it by this one: memtray-worker restart"
            ) from None
        if not self._is_ours(health, record):
            raise WorkerUnavailableError(
                f"The worker on port {port} serves another folder ({health.data_dir}), not "
                f"{self._paths.data_dir}. Start one for this folder on another port: "
                "memtray-worker start --port P"
            )
        return health

    def get(self, path: str, params: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON answer to a GET; raise the MemtrayError that the worker answered.

        Raises WorkerUnavailableError where there is no answer, or none of our worker.
        """
        given = {key: _as_text(key, v) for key, v in (params or {}).items() if v is not None}
        address = f"{path}?{urlencode(given, errors='replace')}" if given else path
        if len(address) > _MAX_ADDRESS:
            raise BadRequestError(f"The parameters of {path} are too long; ask for less at once")
        return self._ask("GET", address, None)

    def post(self, path: str, body: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON answer to a POST; raises as `get` does."""
        return self._ask("POST", path, json.dumps(body).encode("ascii"))

    def _ask(self, method: str, address: str, body: bytes | None) -> Any:  # noqa: ANN401 - JSON
        port, record = self._address()
        self._prove(port, record)  # no stranger gets our token, no other folder is read
        reply = self._call(port, record, method, address, body=body, timeout=self._timeout)
        answer = _json(reply, port)
        if reply.kind == _PROBLEM:
            raise _problem(answer, port)
        return answer

    def _address(self) -> tuple[int, WorkerRecord | None]:
        record = read_record(self._paths.worker_json)
        return (record.port if record else expected_port(self._paths, self._environ)), record

    def _is_ours(self, health: Health, record: WorkerRecord | None) -> bool:
        if record:
            return health.instance == record.instance
        return Path(health.data_dir).resolve() == self._paths.data_dir.resolve()

    def _call(
        self,
        port: int,
        record: WorkerRecord | None,
        method: str,
        address: str,
        *,
        timeout: float,
        body: bytes | None = None,
    ) -> _Reply:
        headers = {"X-Memtray-Client": self._name}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if record and address != "/health":  # not before it is proved ours
            headers["Authorization"] = f"Bearer {record.token}"
        began = time.monotonic()
        try:
            return _exchange(port, method, address, headers=headers, body=body, timeout=timeout)
        except (OSError, http.client.HTTPException, ValueError) as exc:
            late = isinstance(exc, TimeoutError) or time.monotonic() - began >= timeout
            raise _no_answer(port, timeout if late else None, exc) from exc


def _exchange(
    port: int,
    method: str,
    address: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout: float,
) -> _Reply:
    """Do one request; no proxy is ever asked, and after `timeout` seconds all is cut."""
    with closing(http.client.HTTPConnection(_HOST, port, timeout=_CONNECT_SECONDS)) as connection:
        connection.connect()
        connection.sock.settimeout(timeout)  # this alone would let a slow drip go on for ever
        alarm = threading.Timer(timeout, _cut, (connection.sock,))
        alarm.daemon = True
        alarm.start()
        try:
            connection.request(method, address, body, dict(headers))
            response = connection.getresponse()
            content = response.read(_MAX_REPLY)
            if response.length:  # what was promised and did not come
                raise http.client.IncompleteRead(content, response.length)
            return _Reply(response.headers.get_content_type(), content)
        finally:
            alarm.cancel()


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):  # closed in the meantime
        sock.shutdown(socket.SHUT_RDWR)


def _as_text(key: str, value: object) -> str:
    """Write one value as a query parameter; lists become JSON, which keeps commas in names."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[: MAX_QUERY + 1] if key == "query" else text


def _json(reply: _Reply, port: int) -> Any:  # noqa: ANN401 - JSON
    if reply.kind not in ("application/json", _PROBLEM):
        raise _stranger(port)
    try:
        return json.loads(reply.body)
    except (ValueError, RecursionError):
        raise _stranger(port) from None


def _problem(answer: object, port: int) -> MemtrayError:
    try:
        problem = Problem.model_validate(answer)
    except ValidationError:
        return _stranger(port)
    error = _ERRORS.get(problem.code, MemtrayError)(problem.detail, field=problem.field)
    error.title, error.code, error.status = problem.title, problem.code, problem.status
    return error


def _no_answer(port: int, late: float | None, exc: Exception) -> WorkerUnavailableError:
    if late is not None:
        return WorkerUnavailableError(
            f"The worker on port {port} did not answer within {late:g} s. "
            "If that goes on: memtray-worker restart"
        )
    if isinstance(exc, ConnectionRefusedError):
        return WorkerUnavailableError(
            f"No Memtray worker runs on port {port}. Start it: memtray-worker start"
        )
    if not isinstance(exc, OSError | http.client.IncompleteRead):
        return _stranger(port)  # what it speaks is not HTTP
    return WorkerUnavailableError(
        f"The worker on port {port} broke off ({type(exc).__name__}). Ask again; if that does not "
        "help: memtray-worker restart"
    )


def _stranger(port: int) -> WorkerUnavailableError:
    return WorkerUnavailableError(
        f"Another program answers on port {port}, not Memtray. Stop that program, or start the "
        "worker on another port: memtray-worker start --port P"
    )
