"""While the server loads, /health is answered and all else waits, unread."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from tests.shared.stub import TOKEN
from worker.doorman import Doorman
from worker.ports import bind
from worker.serve import Server
from worker.shared.identity import Identity
from worker.shared.readiness import Health

IDENTITY = Identity(version="1", instance="i", pid=1, port=2, started=0, token=TOKEN, data_dir="d")


def health() -> dict[str, object]:
    return {**IDENTITY.health(None), "uptime_seconds": 1.5}


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with bind(0) as listening:
        yield listening


def connect(listener: socket.socket) -> socket.socket:
    return socket.create_connection(listener.getsockname(), timeout=10)


def asked(listener: socket.socket, path: str = "/health", *lines: str) -> bytes:
    port = listener.getsockname()[1]
    head = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *lines, "", ""]
    return "\r\n".join(head).encode()


def until_answered(listener: socket.socket) -> None:
    """Come last and be answered, so that all who came before have been seen."""
    answered = False
    while not answered:
        with connect(listener) as last:
            last.settimeout(1)
            last.sendall(asked(listener))
            with suppress(TimeoutError):  # too slow for the doorman, on a busy machine
                answered = last.recv(20).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("path", ["/health", "/api/health"])
def test_health_is_answered_at_once(listener: socket.socket, path: str) -> None:
    with Doorman(listener, health), connect(listener) as client:
        client.sendall(asked(listener, path, "X-Memtray-Client: a test"))
        answer = b"".join(iter(lambda: client.recv(65_536), b""))

    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"Content-Type: application/json" in head
    assert Health.model_validate_json(body).model_dump() == health()
    assert IDENTITY.token.encode() not in answer


def test_all_else_is_handed_on_and_then_served(listener: socket.socket) -> None:
    others = [
        asked(listener, "/api/search?query=x", "Connection: close"),
        asked(listener, "/health", "Origin: http://evil.example"),
        asked(listener, "/health").replace(b"127.0.0.1", b"evil.example"),
        asked(listener, "/health").replace(b"GET", b"POST"),
        b"GET /health HTTP/1.1\r\nHost: 127.",
        b"",
        b"\0" * 5000,
    ]
    with Doorman(listener, health) as doorman:
        clients = [connect(listener) for _ in others]
        for client, text in zip(clients, others, strict=True):
            client.sendall(text)
        until_answered(listener)
        kept = doorman.relieve()
        assert len(kept) >= len(others)
        server = Server(echo, listener)
        for connection in kept:
            server.adopt(connection)
    serving = threading.Thread(target=server.run)
    serving.start()
    served = b"".join(iter(lambda: clients[0].recv(65_536), b""))
    server.stop()
    serving.join()
    assert b"/api/search" in served
    for client in clients:
        client.close()


def echo(environ, start):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 - as WSGI has it
    body = json.dumps(environ["PATH_INFO"]).encode()
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]


def test_connections_that_nobody_takes_over_are_closed(listener: socket.socket) -> None:
    with closing(connect(listener)) as client:
        with Doorman(listener, health):
            client.sendall(b"GET / HTTP/1.1\r\n\r\n")
            until_answered(listener)
        with suppress(ConnectionError):  # cut, as it left something unread
            assert client.recv(100) == b""
