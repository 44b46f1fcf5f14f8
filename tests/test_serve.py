"""The server ends only when what it began is finished."""

import http.client
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from worker.ports import bind
from worker.serve import Server

Start = Callable[[str, list[tuple[str, str]]], Any]
App = Callable[[dict[str, Any], Start], Iterable[bytes]]


class SlowApp:
    """Answers once it is let go."""

    def __init__(self) -> None:
        self.entered = threading.Semaphore(0)
        self.go_on = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        self.entered.release()
        if environ["PATH_INFO"] == "/slow":
            self.go_on.wait(30)
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "4")])
        return [b"done"]


@contextmanager
def running(app: App, *, drain: float = 5.0) -> Iterator[tuple[Server, threading.Thread, int]]:
    listener = bind(0)
    port: int = listener.getsockname()[1]
    server = Server(app, listener)
    thread = threading.Thread(target=lambda: server.run(drain=drain))
    thread.start()
    try:
        yield server, thread, port
    finally:
        if isinstance(app, SlowApp):
            app.go_on.set()
        server.stop()
        thread.join()


def begin(port: int, path: str) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    return connection


def refuses_soon(port: int) -> bool:
    """Connect until the loop has turned and nothing listens any more."""
    for _ in range(100_000):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            return True
        except ConnectionResetError:
            continue  # it was in the queue as the door was shut
    return False


def test_a_request_in_flight_is_finished_before_the_end() -> None:
    app = SlowApp()
    with running(app) as (server, thread, port):
        connection = begin(port, "/slow")
        app.entered.acquire()

        server.stop()
        app.go_on.set()

        assert connection.getresponse().read() == b"done"
        connection.close()
        thread.join(10)
        assert not thread.is_alive()


def test_nothing_new_is_taken_while_it_ends() -> None:
    app = SlowApp()
    with running(app) as (server, thread, port):
        connection = begin(port, "/slow")
        app.entered.acquire()
        server.stop()

        assert refuses_soon(port)
        assert thread.is_alive()
        app.go_on.set()
        assert connection.getresponse().read() == b"done"
        connection.close()


def test_a_request_that_never_ends_is_cut_in_bounded_time() -> None:
    app = SlowApp()
    with running(app, drain=0.2) as (server, thread, port):
        connection = begin(port, "/slow")
        app.entered.acquire()

        server.stop()
        thread.join(8)

        assert not thread.is_alive()
        connection.close()
    server._waitress.task_dispatcher.shutdown(timeout=30)
    server._waitress.trigger.close()  # left open for the late thread, which is gone now


def test_an_idle_connection_does_not_delay_the_end() -> None:
    app = SlowApp()
    with running(app, drain=60) as (server, thread, port):
        connection = begin(port, "/quick")
        assert connection.getresponse().read() == b"done"

        server.stop()
        thread.join(8)

        assert not thread.is_alive()
        connection.close()


def test_quick_requests_are_served_beside_seven_slow_ones() -> None:
    app = SlowApp()
    with running(app) as (_, _, port):
        slow = [begin(port, "/slow") for _ in range(7)]
        for _ in slow:
            app.entered.acquire()

        quick = begin(port, "/quick")
        assert quick.getresponse().read() == b"done"

        app.go_on.set()
        for connection in [*slow, quick]:
            connection.close()


def test_stop_before_the_first_turn_ends_at_once() -> None:
    server = Server(SlowApp(), bind(0))
    server.stop()

    server.run()


def test_an_address_in_raw_utf8_is_read_as_curl_sends_it() -> None:
    asked = []

    def echo(environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        asked.append(environ["QUERY_STRING"])
        start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "4")])
        return [b"done"]

    with running(echo) as (_, _, port), socket.create_connection(("127.0.0.1", port)) as raw:
        raw.sendall("GET /?query=死锁 HTTP/1.0\r\n\r\n".encode())
        assert raw.recv(100).startswith(b"HTTP/1.0 200")
    assert asked == ["query=%E6%AD%BB%E9%94%81"]
