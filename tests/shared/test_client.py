"""The client talks to our own worker only, and says in words what else it met."""

import http.server
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.shared.stub import TOKEN, Answer, Answering, Stub, problem, said
from worker.shared import client as shared_client
from worker.shared.client import WorkerClient
from worker.shared.contract import MAX_QUERY
from worker.shared.errors import (
    BadRequestError,
    MemtrayError,
    NotFoundError,
    StoreUnavailableError,
    WorkerUnavailableError,
)
from worker.shared.identity import expected_port, read_record
from worker.shared.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path)


@contextmanager
def worker(paths: Paths, answer: Answering = lambda _: said("hello")) -> Iterator[Stub]:
    with Stub(paths, answer).serving() as stub:
        stub.announce()
        yield stub


def client(paths: Paths, *, timeout: float = 5, **environ: str) -> WorkerClient:
    return WorkerClient(paths, "a test", environ=environ, timeout=timeout)


@contextmanager
def talking(reply: bytes) -> Iterator[int]:
    """Listen, and answer each connection with the same bytes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield int(listener.getsockname()[1])
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        return int(probe.getsockname()[1])


# who is there


def test_our_worker_is_known_by_its_instance(paths: Paths) -> None:
    with worker(paths) as stub:
        health = client(paths).health()
        assert health
        assert health.instance == stub.instance


def test_the_port_comes_from_worker_json_whatever_else_is_set(paths: Paths) -> None:
    with worker(paths):
        assert client(paths, MEMTRAY_PORT="1").health()


@pytest.mark.parametrize(
    ("environ", "setting", "port"),
    [
        ({}, None, 37777),
        ({}, 40_001, 40_001),
        ({"MEMTRAY_PORT": "40002"}, 40_001, 40_002),
        ({"MEMTRAY_PORT": "abc"}, 40_001, 40_001),
        ({"MEMTRAY_PORT": "0"}, None, 37777),
        ({"MEMTRAY_PORT": "99999"}, None, 37777),
    ],
)
def test_without_worker_json_the_port_is_looked_for_in_order(
    paths: Paths, environ: dict[str, str], setting: int | None, port: int
) -> None:
    if setting:
        paths.create()
        paths.settings.write_text(json.dumps({"port": setting}), encoding="utf-8")
    assert expected_port(paths, environ) == port


def test_without_worker_json_the_data_folder_proves_the_worker(paths: Paths) -> None:
    with Stub(paths, lambda _: said("hello")).serving() as stub:
        assert client(paths, MEMTRAY_PORT=str(stub.port)).health()


def test_a_worker_of_another_folder_is_not_ours(paths: Paths, tmp_path: Path) -> None:
    other = Paths(tmp_path / "other")
    with Stub(other, lambda _: said("foreign memories")).serving() as stub:
        asking = client(paths, MEMTRAY_PORT=str(stub.port))
        assert asking.health() is None
        with pytest.raises(WorkerUnavailableError, match="another folder"):
            asking.get("/api/search")
        assert [asked.path for asked in stub.asked] == ["/health", "/health"]


def test_another_instance_than_worker_json_says_is_not_ours(paths: Paths) -> None:
    with worker(paths) as stub:
        stub.instance = "the next one"
        assert client(paths).health() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', "\xff", "null"])
def test_a_broken_worker_json_counts_as_none(paths: Paths, text: str) -> None:
    paths.create()
    paths.worker_json.write_bytes(text.encode("latin-1"))
    assert read_record(paths.worker_json) is None


def test_the_token_is_not_told_before_the_worker_is_proved(paths: Paths) -> None:
    with worker(paths) as stub:
        client(paths).get("/api/search")
        first, second = stub.asked
    assert first.path == "/health"
    assert "authorization" not in first.headers
    assert second.headers["authorization"] == f"Bearer {TOKEN}"
    assert second.headers["x-memtray-client"] == "a-test"


# what is sent and what comes back


def test_parameters_arrive_as_text_and_absent_ones_not_at_all(paths: Paths) -> None:
    with worker(paths) as stub:
        client(paths).get(
            "/api/search",
            {"query": "悬空 & 🎉", "limit": 5, "project": None, "files": ["a,b", "c"], "x": True},
        )
        assert stub.asked[-1].params == {
            "query": "悬空 & 🎉",
            "limit": "5",
            "files": '["a,b", "c"]',
            "x": "true",
        }


def test_a_long_query_is_cut_one_past_the_limit(paths: Paths) -> None:
    with worker(paths) as stub:
        client(paths).get("/api/search", {"query": "猫" * 100_000})
        assert stub.asked[-1].params["query"] == "猫" * (MAX_QUERY + 1)


def test_more_than_an_address_can_hold_is_refused_here(paths: Paths) -> None:
    with worker(paths), pytest.raises(BadRequestError, match="too long"):
        client(paths).get("/api/search", {"files": ["x" * 1000] * 300})


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3))
def test_any_text_can_be_sent(paths: Paths, params: dict[str, str]) -> None:
    with worker(paths):
        assert client(paths).get("/api/search", params)
        assert client(paths).post("/api/observations/batch", params)


def test_a_body_is_json(paths: Paths) -> None:
    with worker(paths) as stub:
        reply = client(paths).post("/api/observations/batch", {"ids": [1, "S2"], "x": "\ud800"})
        assert reply == {"content": [{"type": "text", "text": "hello"}]}
        assert stub.asked[-1].headers["content-type"] == "application/json"
        assert json.loads(stub.asked[-1].body) == {"ids": [1, "S2"], "x": "\ud800"}


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (400, "bad_request", BadRequestError),
        (404, "not_found", NotFoundError),
        (503, "store_unavailable", StoreUnavailableError),
        (401, "unauthorized", MemtrayError),
    ],
)
def test_a_problem_comes_back_as_our_error(
    paths: Paths, status: int, code: str, error: type[MemtrayError]
) -> None:
    with (
        worker(paths, lambda _: problem(status, code, "what to do")),
        pytest.raises(error, match="what to do") as caught,
    ):
        client(paths).get("/api/timeline")
    assert caught.value.code == code
    assert caught.value.status == status
    assert caught.value.title == "Title"


def test_readiness_is_an_answer_even_with_503(paths: Paths) -> None:
    down = Answer(b'{"state": "down", "parts": []}', status=503)
    with worker(paths, lambda _: down):
        assert client(paths).get("/api/ready") == {"state": "down", "parts": []}


# what is there instead of a worker


def test_nobody_on_the_port_is_said_with_the_remedy(paths: Paths) -> None:
    port = free_port()
    with pytest.raises(WorkerUnavailableError, match=f"port {port}.*memtray-worker start"):
        client(paths, MEMTRAY_PORT=str(port)).get("/api/search")


@pytest.mark.parametrize(
    "reply",
    [
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\nnull",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p/>",
        b"HTTP/1.1 302 Found\r\nLocation: http://example.com/\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\x00\xff\xfe",
    ],
    ids=["{}", "null", "html", "redirect", "broken", "ssh", "bytes"],
)
def test_a_stranger_on_the_port_is_called_one(paths: Paths, reply: bytes) -> None:
    with talking(reply) as port:
        asking = client(paths, MEMTRAY_PORT=str(port))
        assert asking.health() is None
        with pytest.raises(WorkerUnavailableError, match=f"Another program.*port {port}"):
            asking.get("/api/search")


def test_a_directory_server_on_the_port_is_a_stranger(paths: Paths) -> None:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    with http.server.HTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        with pytest.raises(WorkerUnavailableError, match="Another program"):
            client(paths, MEMTRAY_PORT=str(server.server_address[1])).prove()
        thread.join()


def test_a_worker_that_never_answers_is_left_after_the_time(paths: Paths) -> None:
    with worker(paths, lambda _: None):
        began = time.monotonic()
        with pytest.raises(WorkerUnavailableError, match=r"did not answer within 0\.3 s"):
            client(paths, timeout=0.3).get("/api/search")
        assert time.monotonic() - began < 10


def test_an_answer_that_drips_is_cut_after_the_time(paths: Paths) -> None:
    drip = Answer(b"[", promised=1_000_000, drips=True)
    with worker(paths, lambda _: drip):
        began = time.monotonic()
        with pytest.raises(WorkerUnavailableError, match=r"did not answer within 0\.5 s"):
            client(paths, timeout=0.5).get("/api/search")
        assert time.monotonic() - began < 10


def test_a_worker_that_dies_midway_is_told_apart_from_a_stranger(paths: Paths) -> None:
    half = Answer(b'{"content": [', promised=1000)
    with worker(paths, lambda _: half), pytest.raises(WorkerUnavailableError, match="broke off"):
        client(paths).get("/api/search")


def test_no_proxy_is_ever_asked(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with worker(paths):
        assert client(paths).get("/api/search")


def test_many_threads_share_one_client(paths: Paths) -> None:
    with worker(paths) as stub:
        shared = client(paths)
        threads = [threading.Thread(target=shared.get, args=("/api/search",)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [a.path for a in stub.asked].count("/api/search") == 8


def test_windows_is_not_asked_for_a_port_where_no_worker_lives(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tries for two seconds, which a start would have to wait more than once."""
    monkeypatch.setattr(shared_client, "_REFUSES_LATE", True)
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.setblocking(False)

        assert client(paths, MEMTRAY_PORT=str(listener.getsockname()[1])).health() is None

        with pytest.raises(BlockingIOError):
            listener.accept()  # nobody has come


def test_windows_finds_a_worker_that_lives(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_client, "_REFUSES_LATE", True)
    with worker(paths):
        assert client(paths).health() is not None
