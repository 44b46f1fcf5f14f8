"""The life of the HTTP server, which finishes what it began before it ends."""

import re
import socket
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import create_server
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from worker.web.problems import PROBLEM_TYPE, problem_body

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_THREADS = 8
_CONNECTIONS = 480  # at once; more wait to be let in. select() of Windows takes 512
_ALIVE = {"/health", "/api/health"}
_MAX_HEADER = 1024 * 1024  # bytes: a query of 100 kB, percent-encoded, fits
_MAX_BODY = 64 * 1024 * 1024  # bytes: read whole, so that our own 413 can be read by the sender
_TICK = 1.0  # seconds
_NOT_ASCII = re.compile(rb"[\x80-\xff]")  # curl sends `?query=死锁` as it is typed


class _ProblemTask(ErrorTask):  # type: ignore[misc]
    """Answers what Waitress itself refuses in the shape that all our errors have."""

    def execute(self) -> None:
        error = self.request.error
        code = error.reason.lower().replace(" ", "_")
        body = problem_body(error.code, error.reason, error.body, code).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", PROBLEM_TYPE))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    def parse_header(self, header_plus: bytes) -> None:
        line, end, rest = header_plus.partition(b"\r\n")
        line = _NOT_ASCII.sub(lambda found: b"%%%02X" % found[0][0], line)
        try:
            super().parse_header(line + end + rest)
        except ValueError as exc:  # `GET http://[::1/` ends the connection without an answer else
            raise ParsingError("the address cannot be read") from exc


class _Channel(HTTPChannel):  # type: ignore[misc]
    parser_class = _Parser
    error_task_class = _ProblemTask


class _Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Has a thread for /health alone: whatever the others wait for, it is answered at once."""

    def __init__(self) -> None:
        super().__init__()
        self._alive = ThreadedTaskDispatcher()
        self._alive.set_thread_count(1)
        self.set_thread_count(_THREADS)

    def add_task(self, task: HTTPChannel) -> None:
        path = getattr(task.requests[0], "path", "")  # none where the request cannot be read
        if path in _ALIVE:
            self._alive.add_task(task)
        else:
            super().add_task(task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        self._alive.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))


class Server:
    """One run of Waitress on a listening socket; `stop` may be called from any thread or signal."""

    def __init__(
        self,
        app: "WSGIApplication",
        listener: socket.socket,
        *,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_over` is asked about once a second, and then ends it."""
        self._waitress: Any = create_server(
            app,
            sockets=[listener],
            _dispatcher=_Dispatcher(),
            connection_limit=_CONNECTIONS,
            ident=None,
            max_request_header_size=_MAX_HEADER,
            max_request_body_size=_MAX_BODY,
            clear_untrusted_proxy_headers=True,
            log_socket_errors=False,
        )
        self._waitress.channel_class = _Channel
        self._is_over = is_over
        self._stopping = False
        self.stopping_since = 0.0  # monotonic
        self._trigger_closed = False
        self._trigger_lock = threading.RLock()  # a signal may interrupt its own thread inside it

    def adopt(self, connection: socket.socket) -> None:
        """Serve a connection that somebody else has accepted; only before `run`."""
        try:
            address = connection.getpeername()
        except OSError:  # the client has gone
            connection.close()
            return
        server = self._waitress
        server.channel_class(server, connection, address, server.adj, map=server._map)

    def stop(self) -> None:
        """Ask the loop to end; returns at once, and may be called again at any time."""
        if not self._stopping:
            self.stopping_since = time.monotonic()
        self._stopping = True
        with self._trigger_lock:
            if not self._trigger_closed:
                self._waitress.pull_trigger()

    def run(self, *, drain: float = 5.0) -> None:
        """Serve until `stop`, then take nothing new and finish what is in flight.

        What takes longer than `drain` seconds is cut.
        """
        while not self._stopping:
            self._turn(_TICK)
            if self._is_over():
                self.stop()
        wasyncore.dispatcher.close(self._waitress)  # the listening socket; not the trigger yet
        deadline = time.monotonic() + drain
        while self._busy() and time.monotonic() < deadline:
            self._turn(0.1)
        dispatcher = self._waitress.task_dispatcher
        dispatcher.shutdown(timeout=1)
        for channel in self._channels():
            channel.handle_close()
        if not dispatcher.threads:  # a late thread would write into what has its number by then
            with self._trigger_lock:
                self._trigger_closed = True
                self._waitress.trigger.close()

    def _turn(self, seconds: float) -> None:
        wasyncore.loop(timeout=seconds, map=self._waitress._map, use_poll=True, count=1)

    def _busy(self) -> bool:
        return any(c.request or c.requests or c.total_outbufs_len for c in self._channels())

    def _channels(self) -> list[Any]:
        return list(self._waitress.active_channels.values())
