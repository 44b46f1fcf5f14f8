"""The worker's HTTP API for windows: nothing blocks, and only our own worker is asked."""

import json
import os
from collections.abc import Mapping

from pydantic import BaseModel, ValidationError
from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtNetwork import (
    QNetworkAccessManager,
    QNetworkProxy,
    QNetworkReply,
    QNetworkRequest,
)

from app.spoken import reply_told, told
from worker.shared.answers import Reply, absent, answer_in, broken_off, late, proved, stranger
from worker.shared.client import target_of
from worker.shared.errors import MemtrayError
from worker.shared.identity import WorkerRecord, expected_port, read_record
from worker.shared.paths import Paths

CLIENT = "app"  # how it names itself to the worker

_HEALTH_MS = 3_000  # Windows takes two seconds to refuse where nobody listens
_SECONDS = 10.0
_Error = QNetworkReply.NetworkError
_FIRST_OF_HTTP = _Error.ProxyConnectionRefusedError.value  # below are those of the connection


class Call(QObject):
    """One question to the worker: `done` with the answer, or `failed` with a MemtrayError."""

    done = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        client: "WorkerClient",
        target: str,
        body: bytes | None,
        model: type[BaseModel],
        seconds: float,
        *,
        removes: bool = False,
    ) -> None:
        super().__init__(client)
        self._client, self._removes = client, removes
        self._target, self._body, self._model, self._seconds = target, body, model, seconds
        self._port, self._record = client.address()
        self._reply: QNetworkReply | None = None
        self._ask_who()

    def abort(self) -> None:
        """Nobody waits for the answer any more: neither signal comes."""
        self.blockSignals(True)
        if self._reply is not None:
            self._reply.abort()
        self.deleteLater()

    def _ask_who(self) -> None:
        """No stranger gets our token, and no other folder is read."""
        self._reply = self._client.send(self._port, "/health", None, None, _HEALTH_MS)
        self._reply.finished.connect(self._proved)

    def _proved(self) -> None:
        try:
            proved(self._taken(_HEALTH_MS / 1000), self._port, self._record, self._client.paths)
        except MemtrayError as exc:
            self._end(self.failed, told(exc))
            return
        milliseconds = int(self._seconds * 1000)
        self._reply = self._client.send(
            self._port,
            self._target,
            self._body,
            self._record,
            milliseconds,
            removes=self._removes,
        )
        self._reply.finished.connect(self._answered)

    def _answered(self) -> None:
        try:
            answer = answer_in(self._taken(self._seconds), self._port)
            self._end(self.done, self._model.model_validate(reply_told(answer)))
        except ValidationError:
            self._end(self.failed, told(stranger(self._port)))
        except MemtrayError as exc:
            self._end(self.failed, told(exc))

    def _taken(self, seconds: float) -> Reply:
        """Return what came, and let go of the reply; raise WorkerUnavailableError for none."""
        reply = self._reply
        assert reply is not None  # noqa: S101 - set before its signal was connected
        self._reply = None
        reply.deleteLater()
        error = reply.error()
        kind = str(reply.header(QNetworkRequest.KnownHeaders.ContentTypeHeader) or "")
        on_the_way = 0 < error.value < _FIRST_OF_HTTP  # what came of a body is not whole
        if kind and not on_the_way:  # also an error that the worker tells has a body
            return Reply(kind.partition(";")[0].strip(), bytes(reply.readAll().data()))
        if error in (_Error.OperationCanceledError, _Error.TimeoutError):
            raise late(self._port, seconds)
        if error is _Error.ConnectionRefusedError:
            raise absent(self._port)
        if error is _Error.NoError:
            raise stranger(self._port)
        raise broken_off(self._port, error.name)

    def _end(self, signal: object, what: object) -> None:
        signal.emit(what)  # type: ignore[attr-defined]
        self.deleteLater()


class WorkerClient(QObject):
    """Asks the worker of one data folder."""

    def __init__(
        self,
        paths: Paths,
        parent: QObject | None = None,
        *,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        super().__init__(parent)
        self.paths = paths
        self._environ = environ
        self._network = QNetworkAccessManager(self)
        self._network.setProxy(QNetworkProxy(QNetworkProxy.ProxyType.NoProxy))

    def get(
        self,
        path: str,
        params: Mapping[str, object],
        model: type[BaseModel],
        *,
        seconds: float = _SECONDS,
    ) -> Call:
        """Ask, and validate the answer with `model`; connect to the call's signals at once.

        Raises BadRequestError for parameters that are too long.
        """
        return Call(self, target_of(path, params), None, model, seconds)

    def post(
        self,
        path: str,
        body: Mapping[str, object],
        model: type[BaseModel],
        *,
        seconds: float = _SECONDS,
    ) -> Call:
        """Change something, or read by a body; as `get`."""
        return Call(self, path, json.dumps(body).encode("ascii"), model, seconds)

    def delete(self, path: str, model: type[BaseModel], *, seconds: float = _SECONDS) -> Call:
        """Have something ended or removed; as `get`."""
        return Call(self, path, None, model, seconds, removes=True)

    def address(self) -> tuple[int, WorkerRecord | None]:
        """Return the port to ask at, and what a running worker has told of itself."""
        record = read_record(self.paths.worker_json)
        return (record.port if record else expected_port(self.paths, self._environ)), record

    def send(
        self,
        port: int,
        target: str,
        body: bytes | None,
        record: WorkerRecord | None,
        timeout: int,
        *,
        removes: bool = False,
    ) -> QNetworkReply:
        """Send one request; `record` only to who is proved ours, `timeout` in milliseconds."""
        request = QNetworkRequest(QUrl.fromEncoded(f"http://127.0.0.1:{port}{target}".encode()))
        request.setTransferTimeout(timeout)
        request.setRawHeader(b"X-Memtray-Client", CLIENT.encode())
        if record:
            request.setRawHeader(b"Authorization", f"Bearer {record.token}".encode())
        if removes:
            return self._network.deleteResource(request)
        if body is None:
            return self._network.get(request)
        request.setHeader(QNetworkRequest.KnownHeaders.ContentTypeHeader, "application/json")
        return self._network.post(request, body)
