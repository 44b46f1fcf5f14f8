"""A small blocking client of the worker's HTTP API, which talks to our own worker only."""

import http.client
import json
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from typing import Any
from urllib.parse import urlencode

from worker.shared.answers import Reply, absent, answer_in, broken_off, late, proved, stranger
from worker.shared.contract import MAX_QUERY
from worker.shared.errors import BadRequestError, WorkerUnavailableError
from worker.shared.identity import WorkerRecord, expected_port, read_record
from worker.shared.paths import Paths
from worker.shared.processes import lives
from worker.shared.readiness import Health

_HOST = "127.0.0.1"
_REFUSES_LATE = sys.platform == "win32"  # it tries a port without a listener for two seconds
_CONNECT_SECONDS = 3.0
_HEALTH_SECONDS = 2.0
_MAX_ADDRESS = 200_000  # characters of path and parameters
_MAX_REPLY = 64 * 1024 * 1024  # bytes; only a stranger sends more


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
        if _REFUSES_LATE and not lives(self._paths):
            return None
        try:
            return self.prove()
        except WorkerUnavailableError:
            return None

    def prove(self) -> Health:
        """Return the health of our worker; raise WorkerUnavailableError saying what is instead."""
        return self._prove(*self._address())

    def _prove(self, port: int, record: WorkerRecord | None) -> Health:
        reply = self._call(port, record, "GET", "/health", timeout=_HEALTH_SECONDS)
        return proved(reply, port, record, self._paths)

    def get(self, path: str, params: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON answer to a GET; raise the MemtrayError that the worker answered.

        Raises WorkerUnavailableError where there is no answer, or none of our worker.
        """
        return self._ask("GET", target_of(path, params or {}), None)

    def post(self, path: str, body: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON answer to a POST; raises as `get` does."""
        return self._ask("POST", path, json.dumps(body).encode("ascii"))

    def delete(self, path: str) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON answer to a DELETE; raises as `get` does."""
        return self._ask("DELETE", path, b"{}")

    def _ask(self, method: str, address: str, body: bytes | None) -> Any:  # noqa: ANN401 - JSON
        port, record = self._address()
        self._prove(port, record)  # no stranger gets our token, no other folder is read
        reply = self._call(port, record, method, address, body=body, timeout=self._timeout)
        return answer_in(reply, port)

    def _address(self) -> tuple[int, WorkerRecord | None]:
        record = read_record(self._paths.worker_json)
        return (record.port if record else expected_port(self._paths, self._environ)), record

    def _call(
        self,
        port: int,
        record: WorkerRecord | None,
        method: str,
        address: str,
        *,
        timeout: float,
        body: bytes | None = None,
    ) -> Reply:
        headers = {"X-Memtray-Client": self._name}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if record and address != "/health":  # not before it is proved ours
            headers["Authorization"] = f"Bearer {record.token}"
        began = time.monotonic()
        try:
            return _exchange(port, method, address, headers=headers, body=body, timeout=timeout)
        except (OSError, http.client.HTTPException, ValueError) as exc:
            too_late = isinstance(exc, TimeoutError) or time.monotonic() - began >= timeout
            raise _no_answer(port, timeout if too_late else None, exc) from exc


def target_of(path: str, params: Mapping[str, object]) -> str:
    """Return path and parameters as they stand in a request; None is left out, lists are JSON.

    Raises BadRequestError for what no server would take.
    """
    given = {key: _as_text(key, value) for key, value in params.items() if value is not None}
    target = f"{path}?{urlencode(given, errors='replace')}" if given else path
    if len(target) > _MAX_ADDRESS:
        raise BadRequestError(f"The parameters of {path} are too long; ask for less at once")
    return target


def _exchange(
    port: int,
    method: str,
    address: str,
    *,
    headers: Mapping[str, str],
    body: bytes | None,
    timeout: float,
) -> Reply:
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
            return Reply(response.headers.get_content_type(), content)
        finally:
            alarm.cancel()


def _cut(sock: socket.socket) -> None:
    with suppress(OSError):  # closed in the meantime
        sock.shutdown(socket.SHUT_RDWR)


def _as_text(key: str, value: object) -> str:
    """Write one value as a query parameter; lists become JSON, which keeps commas in names."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[: MAX_QUERY + 1] if key == "query" else text


def _no_answer(port: int, seconds: float | None, exc: Exception) -> WorkerUnavailableError:
    if isinstance(exc, ConnectionRefusedError):
        return absent(port)
    if seconds is not None:
        return late(port, seconds)
    if not isinstance(exc, OSError | http.client.IncompleteRead):
        return stranger(port)  # what it speaks is not HTTP
    return broken_off(port, type(exc).__name__)
