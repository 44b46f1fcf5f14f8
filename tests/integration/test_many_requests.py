"""Hundreds of slow requests at once: each is answered, and /health answers all the while."""

import http.client
import json
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.integration.answers import BY_WORDS, search, until_part
from tests.integration.memories import Memory, new_database, some, without_meaning
from tests.integration.processes import Worker, running
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

MANY = 300
QUICK = 2.0  # seconds, for 98 of 100 answers of /health


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    long = Memory("A heron", "wades through shallow water " * 15_000)
    new_database(Paths(tmp_path).database, [long, *some()])
    without_meaning(tmp_path)
    with running(tmp_path) as started:
        until_part(started, "keyword", PartState.OK)
        yield started


def connect(worker: Worker) -> socket.socket:
    return socket.create_connection(("127.0.0.1", worker.port), timeout=60)


def request(worker: Worker, path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{worker.port}\r\n\r\n".encode()


def health_seconds(worker: Worker, times: int) -> list[float]:
    """Return how long each of so many answers of /health took."""
    took = []
    for _ in range(times):
        began = time.monotonic()
        assert worker.get("/health")[0] == 200
        took.append(time.monotonic() - began)
    return took


def usual(took: Sequence[float]) -> float:
    """Return what 98 of 100 stay below."""
    return sorted(took)[len(took) * 98 // 100 - 1]


def answer(connection: socket.socket) -> tuple[int, bytes]:
    with closing(http.client.HTTPResponse(connection)) as response:
        response.begin()
        return response.status, response.read()


def test_health_answers_beside_300_requests_that_never_come_to_an_end(worker: Worker) -> None:
    whole = request(worker, f"/api/search?{urlencode({'query': BY_WORDS})}")
    with ExitStack() as open_ones:
        slow = [open_ones.enter_context(connect(worker)) for _ in range(MANY)]
        for connection in slow:
            connection.sendall(whole[:40])
        took = health_seconds(worker, 100)
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        for connection in slow:
            connection.sendall(whole[40:])
        answers = [answer(connection) for connection in slow]

    assert usual(took) < QUICK
    assert {status for status, _ in answers} == {200}


def test_health_answers_beside_300_searches_at_once(worker: Worker) -> None:
    paths = [f"/api/search?{urlencode({'query': f'payment OR disk{n}'})}" for n in range(MANY)]
    with ThreadPoolExecutor(MANY) as clients:
        asked = [clients.submit(worker.get, path) for path in paths]
        took = health_seconds(worker, 100)
        answers = [each.result(60) for each in asked]

    assert usual(took) < QUICK * 2  # clients share the two cores, too
    assert {status for status, _ in answers} == {200}
    assert all("payment" in json.dumps(body) for _, body in answers)


def test_health_answers_beside_300_readers_that_do_not_read(worker: Worker) -> None:
    whole = request(worker, "/api/observation/1")
    with ExitStack() as open_ones:
        slow = [open_ones.enter_context(connect(worker)) for _ in range(MANY)]
        for connection in slow:
            connection.sendall(whole)
        took = health_seconds(worker, 100)
        answers = [answer(connection) for connection in slow]

    assert usual(took) < QUICK * 2
    assert {status for status, _ in answers} == {200}
    assert all(len(body) > 400_000 for _, body in answers)
