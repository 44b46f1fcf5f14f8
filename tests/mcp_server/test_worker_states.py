"""Whatever state the worker is in, a call ends in time, says what helps, and the next recovers."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psutil

from tests.mcp_server.conftest import Pair, hello
from tests.mcp_server.program import Program, running
from tests.shared.stub import Answer, Stub
from worker.shared.identity import read_record
from worker.shared.paths import Paths

CALL_SECONDS = 10


@contextmanager
def in_time() -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began <= CALL_SECONDS


@contextmanager
def opened(data_dir: Path, *, port: int) -> Iterator[Program]:
    with running(data_dir, MEMTRAY_PORT=str(port)) as program:
        program.open()
        yield program


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def ended(paths: Paths) -> Iterator[None]:
    """End the worker that worker.json names, if one was started."""
    try:
        yield
    finally:
        record = read_record(paths.worker_json)
        if record:
            worker = psutil.Process(record.pid)
            worker.terminate()
            worker.wait(20)


def test_without_a_worker_one_is_started_that_outlives_us(data_dir: Path) -> None:
    paths = Paths(data_dir)
    port = free_port()
    with ended(paths):
        with opened(data_dir, port=port) as program:
            text, failed = program.call("search", {"query": "anything"})
            assert not failed, text
            record = read_record(paths.worker_json)
            assert record
            assert record.port == port
            assert program.call("timeline", {"anchor": 999})[1]
            assert program.close() == 0
        assert psutil.Process(record.pid).is_running()


def test_a_worker_that_the_user_stopped_stays_so_until_he_starts_it(data_dir: Path) -> None:
    paths = Paths(data_dir)
    paths.create()
    paths.stopped_mark.touch()
    with opened(data_dir, port=free_port()) as program:
        with in_time():
            text, failed = program.call("search")
        assert failed
        assert "stopped by the user" in text
        assert "memtray-worker start" in text
        assert not paths.worker_json.exists()

        with Stub(paths, hello).serving() as stub:
            stub.announce()
            assert program.call("search") == ("hello", False)
        with in_time():
            assert program.call("search")[1]
        with Stub(paths, hello, instance="the next").serving() as stub:
            stub.announce()
            assert program.call("search") == ("hello", False)


def test_a_worker_that_breaks_off_is_named_and_the_next_call_works(pair: Pair) -> None:
    pair.answering(lambda _: Answer(b'{"content": [', promised=1000))
    text, failed = pair.program.call("search")
    assert failed
    assert "broke off" in text
    pair.answering(hello)
    assert pair.program.call("search") == ("hello", False)


def test_a_search_that_hangs_ends_in_time_and_holds_up_nothing(pair: Pair) -> None:
    pair.answering(lambda asked: None if asked.params else hello(asked))
    call = {"name": "search", "arguments": {"query": "x"}}
    with in_time():
        pair.program.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call})
        assert pair.program.call("search") == ("hello", False)
        answer = pair.program.receive()
    assert answer["id"] == "slow"
    assert answer["result"]["isError"] is True
    assert "memtray-worker restart" in answer["result"]["content"][0]["text"]
    assert pair.program.call("search") == ("hello", False)


def test_a_worker_that_answers_nothing_ends_in_time_and_recovers(pair: Pair) -> None:
    pair.worker.healthy = False
    with in_time():
        text, failed = pair.program.call("search")
    assert failed
    assert "does not answer" in text
    pair.worker.healthy = True
    assert pair.program.call("search") == ("hello", False)


def test_a_stranger_on_the_port_is_named(data_dir: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as stranger:
        port = stranger.getsockname()[1]
        with opened(data_dir, port=port) as program, in_time():
            text, failed = program.call("search")
    assert failed
    assert f"port {port}" in text


def test_a_data_folder_that_cannot_be_made_is_named(data_dir: Path) -> None:
    data_dir.touch()
    with opened(data_dir, port=free_port()) as program:
        text, failed = program.call("search")
    assert failed
    assert str(data_dir) in text
