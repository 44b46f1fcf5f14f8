"""What windows are told when the worker answers, does not, or is another program."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.worker_client import Call, WorkerClient
from tests.shared.stub import TOKEN, Answer, Asked, Stub, problem, said
from worker.shared.contract import TextReply
from worker.shared.errors import BadRequestError, MemtrayError
from worker.shared.paths import Paths


def answering(asked: Asked) -> Answer | None:
    """Answer by the path."""
    return {
        "/text": said("hello"),
        "/bad": problem(400, "bad_request", "limit must be at least 1"),
        "/html": Answer(b"<html>", "text/html"),
        "/other": Answer(b'{"hits": 3}'),
        "/half": Answer(b'{"content"', promised=100),
    }.get(asked.path)


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[Stub]:
    paths = Paths(tmp_path)
    paths.create()
    with Stub(paths, answering).serving() as serving:
        serving.announce()
        yield serving


@pytest.fixture
def owner() -> QObject:
    return QObject()


def client_of(stub: Stub, owner: QObject) -> WorkerClient:
    return WorkerClient(stub.paths, owner, environ={})


def failure(call: Call, qtbot: QtBot) -> MemtrayError:
    with qtbot.waitSignal(call.failed) as failed:
        pass
    error = failed.args[0]
    assert isinstance(error, MemtrayError)
    return error


def test_an_answer_comes_as_its_model_with_our_token(
    stub: Stub, owner: QObject, qtbot: QtBot
) -> None:
    call = client_of(stub, owner).get("/text", {"query": "a b"}, TextReply)

    with qtbot.waitSignal(call.done) as done:
        pass

    assert done.args[0].content[0].text == "hello"
    assert stub.asked[-1].params == {"query": "a b"}
    assert stub.asked[-1].headers["authorization"] == f"Bearer {TOKEN}"
    assert "authorization" not in stub.asked[0].headers  # /health, before it is proved


def test_a_refusal_is_told_in_the_workers_words(stub: Stub, owner: QObject, qtbot: QtBot) -> None:
    error = failure(client_of(stub, owner).get("/bad", {}, TextReply), qtbot)

    assert isinstance(error, BadRequestError)
    assert error.detail == "limit must be at least 1"


@pytest.mark.parametrize("path", ["/html", "/other"])
def test_another_program_is_called_one(stub: Stub, owner: QObject, qtbot: QtBot, path: str) -> None:
    error = failure(client_of(stub, owner).get(path, {}, TextReply), qtbot)

    assert "Another program answers" in error.detail


def test_what_takes_too_long_is_late(stub: Stub, owner: QObject, qtbot: QtBot) -> None:
    call = client_of(stub, owner).get("/silence", {}, TextReply, seconds=0.3)

    assert "did not answer within 0.3 s" in failure(call, qtbot).detail


def test_an_answer_that_ends_in_the_middle_broke_off(
    stub: Stub, owner: QObject, qtbot: QtBot
) -> None:
    assert "broke off" in failure(client_of(stub, owner).get("/half", {}, TextReply), qtbot).detail


def test_nobody_there_is_told_with_what_to_do(stub: Stub, owner: QObject, qtbot: QtBot) -> None:
    client = client_of(stub, owner)
    record = stub.announce()
    stub.paths.worker_json.write_text(
        record.to_json().replace(str(stub.port), "1"), encoding="utf-8"
    )

    assert "memtray-worker start" in failure(client.get("/text", {}, TextReply), qtbot).detail


def test_what_nobody_waits_for_says_nothing(stub: Stub, owner: QObject, qtbot: QtBot) -> None:
    client = client_of(stub, owner)
    heard: list[object] = []
    dropped = client.get("/text", {}, TextReply)
    dropped.done.connect(heard.append)
    dropped.failed.connect(heard.append)
    waited = client.get("/text", {}, TextReply)

    dropped.abort()
    with qtbot.waitSignal(waited.done):
        pass

    assert heard == []
