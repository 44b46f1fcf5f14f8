"""What was read stays readable, whatever becomes of the worker."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.search.preview.copying import Form
from app.search.preview.page import Page
from app.search.preview.preview import Preview
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.search.conftest import hit
from tests.app.search_preview.records import record
from tests.app.search_preview.test_preview import clipboard, notices, rows
from tests.shared.stub import Answer, Asked, Stub, problem
from worker.shared.contract import TimelineReply
from worker.shared.paths import Paths


def answer(asked: Asked) -> Answer | None:
    """Know any observation, but be silent about #13 and broken about #14."""
    if asked.path == "/api/timeline":
        reply = TimelineReply(anchor=asked.params["anchor"], project=None, items=[])
        return Answer(reply.model_dump_json().encode())
    number = int(asked.path.rpartition("/")[2])
    if number == 13:
        return None
    if number == 14:
        return Answer(b'{"ref": 14}')
    title = f"Pool {number}"
    memory = json.loads(record({"title": title}, number=number).model_dump_json())
    del memory["marks"]  # as an older worker answers
    return Answer(json.dumps(memory).encode())


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[Stub]:
    with Stub(Paths(tmp_path), answer).serving() as serving:
        serving.announce()
        yield serving


@pytest.fixture
def reading(qtbot: QtBot, stub: Stub, theme: Theme) -> Preview:
    client = WorkerClient(stub.paths, environ={})
    shown = Preview(client, theme)
    client.setParent(shown)
    qtbot.addWidget(shown)
    shown.show()
    shown.show_memory("#12", "pool")
    qtbot.waitUntil(lambda: shown.shown == "#12")
    return shown


def shows(preview: Preview, ref: str) -> bool:
    return preview.shown == ref


def text(preview: Preview) -> str:
    found = preview.findChild(Page)
    assert isinstance(found, Page)
    return found.toPlainText()


def test_the_text_stays_when_the_worker_has_gone(
    qtbot: QtBot, reading: Preview, stub: Stub
) -> None:
    stub.healthy = False
    stub.paths.worker_json.unlink()

    reading.show_memory("#15")
    qtbot.waitUntil(lambda: bool(notices(reading)), timeout=10_000)

    assert "worker" in notices(reading)[0]
    assert text(reading) == "Pool 12"
    assert reading.shown == "#12"
    reading.copy_text()
    assert clipboard().startswith("Pool 12")


def test_what_was_cleared_does_not_come_back(qtbot: QtBot, reading: Preview, stub: Stub) -> None:
    stub.paths.worker_json.unlink()
    reading.clear()

    reading.show_memory("#15")
    qtbot.waitUntil(lambda: bool(notices(reading)), timeout=10_000)

    assert text(reading) == ""


def test_it_is_read_once_the_worker_is_back(qtbot: QtBot, reading: Preview, stub: Stub) -> None:
    stub.paths.worker_json.unlink()
    reading.show_memory("#15")
    qtbot.waitUntil(lambda: bool(notices(reading)), timeout=10_000)
    stub.announce()

    (again,) = (b for b in reading.findChildren(QPushButton) if b.text() == "Try again")
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: text(reading) == "Pool 15")

    assert not notices(reading)


def test_a_timeline_that_did_not_come_is_asked_for_again(
    qtbot: QtBot, reading: Preview, stub: Stub
) -> None:
    reading.show_memory("#18")
    qtbot.waitUntil(lambda: text(reading) == "Pool 18")
    qtbot.waitUntil(lambda: stub.asked[-1].path == "/api/timeline")
    stub.answer = lambda asked: (
        problem(503, "x", "y") if "timeline" in asked.path else answer(asked)
    )
    reading.show_memory("#15")
    qtbot.waitUntil(lambda: stub.asked[-1].params.get("anchor") == "#15")
    qtbot.waitUntil(lambda: rows(reading) == [])

    stub.answer = with_neighbours
    qtbot.waitUntil(lambda: bool(ask_again(reading)))

    assert text(reading) == "Pool 15"


def ask_again(reading: Preview) -> list[str]:
    reading.ask_again()
    return rows(reading)


def with_neighbours(asked: Asked) -> Answer | None:
    if asked.path != "/api/timeline":
        return answer(asked)
    reply = TimelineReply(anchor=asked.params["anchor"], project=None, items=[hit(15)])
    return Answer(reply.model_dump_json().encode())


def test_an_answer_that_is_waited_for_no_more_does_no_harm(
    qtbot: QtBot, reading: Preview, stub: Stub
) -> None:
    reading.show_memory("#13")
    qtbot.waitUntil(lambda: any(asked.path.endswith("/13") for asked in stub.asked))

    reading.show_memory("#16")
    qtbot.waitUntil(lambda: text(reading) == "Pool 16")

    reading.show_memory("#13")
    reading.clear()
    assert not reading.shown


def test_an_answer_that_is_none_is_told(qtbot: QtBot, reading: Preview) -> None:
    reading.show_memory("#14")
    qtbot.waitUntil(lambda: bool(notices(reading)))

    assert text(reading) == "Pool 12"
    assert rows(reading) == []


def test_the_way_back_leads_past_a_memory_that_was_deleted(
    qtbot: QtBot, reading: Preview, stub: Stub
) -> None:
    for ref in ("#17", "#18"):
        reading.show_memory(ref)
        qtbot.waitUntil(partial(shows, reading, ref))
    stub.answer = deleted_17

    reading.back()
    qtbot.waitUntil(lambda: bool(notices(reading)))
    assert reading.can_go_back
    reading.back()
    qtbot.waitUntil(lambda: reading.shown == "#12")

    assert not reading.can_go_back
    assert reading.can_go_forward


def deleted_17(asked: Asked) -> Answer | None:
    gone = asked.path.endswith("/17")
    return problem(404, "not_found", "There is no observation #17.") if gone else answer(asked)


def test_copying_several_says_that_the_worker_is_away(
    qtbot: QtBot, reading: Preview, stub: Stub
) -> None:
    stub.paths.worker_json.unlink()

    reading.copy_refs(["#1", "#2"], Form.PROMPT)
    qtbot.waitUntil(lambda: bool(notices(reading)), timeout=10_000)

    assert notices(reading)[0].startswith("Nothing was copied: ")
