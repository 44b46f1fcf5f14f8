"""Answers /health from the moment the port listens, while the server is still being loaded."""

import json
import re
import select
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Self

from worker.shared.ports import HOST

_HEAD_BYTES = 4096  # of a request, in which our clients' has long ended
_HEAD_SECONDS = 0.2  # for its first bytes


class Doorman:
    """Takes connections in a thread until `relieve`; what is no plain /health is kept unread."""

    def __init__(self, listener: socket.socket, health: Callable[[], Mapping[str, object]]) -> None:
        self._listener = listener
        self._health = health
        port = listener.getsockname()[1]
        self._plain = re.compile(
            rb"GET (?:/api)?/health HTTP/1\.1\r\n"
            rb"(?=(?:.*\r\n)?host: %b:%d\r\n)"
            rb"(?!.*\r\n(?:origin|content-length|expect):)"
            rb".*\r\n\r\n\Z" % (re.escape(HOST.encode()), port),
            re.IGNORECASE | re.DOTALL,
        )
        self._kept: list[socket.socket] = []
        self._bell, self._rope = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="doorman")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self.relieve():
            connection.close()

    def relieve(self) -> list[socket.socket]:
        """End; return the connections that are still to be served. May be called again."""
        self._rope.close()
        self._thread.join()
        self._bell.close()
        kept, self._kept = self._kept, []
        return kept

    def _serve(self) -> None:
        self._listener.setblocking(False)
        while self._bell not in select.select([self._listener, self._bell], [], [])[0]:
            with suppress(OSError):  # the client has gone, before or after it was let in
                self._receive(self._listener.accept()[0])

    def _receive(self, connection: socket.socket) -> None:
        connection.settimeout(_HEAD_SECONDS)
        try:
            head = connection.recv(_HEAD_BYTES, socket.MSG_PEEK)
        except TimeoutError:
            head = b""
        if not self._plain.match(head):
            self._kept.append(connection)
            return
        with connection:
            connection.recv(len(head))
            connection.sendall(_answer(self._health()))


def _answer(health: Mapping[str, object]) -> bytes:
    body = json.dumps(health).encode()
    return (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
        b"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        % len(body)
    ) + body
