"""Work in threads comes back to the GUI thread, each outcome once."""

import threading
from functools import partial

import pytest
import shiboken6
from PySide6.QtCore import QObject, Slot
from pytestqt.qtbot import QtBot

from app.background import Background


class Waiting(QObject):
    """Somebody who waits for outcomes."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[object] = []

    @Slot(object)
    def take(self, what: object) -> None:
        self.got.append(what)


def test_an_outcome_that_is_there_at_once_is_not_missed(qtbot: QtBot) -> None:
    background, waiting = Background(), Waiting()

    for number in range(500):
        background.run("quick", partial(int, number)).done.connect(waiting.take)

    qtbot.waitUntil(lambda: len(waiting.got) == 500)
    assert waiting.got == list(range(500))
    background.stop()


def test_a_failure_is_told_and_the_thread_goes_on(qtbot: QtBot) -> None:
    background, waiting = Background(), Waiting()

    background.run("work", lambda: 1 // 0).failed.connect(waiting.take)
    background.run("work", lambda: 2).done.connect(waiting.take)

    qtbot.waitUntil(lambda: len(waiting.got) == 2)
    assert [type(each) for each in waiting.got] == [ZeroDivisionError, int]
    background.stop()


def test_what_was_dropped_says_nothing(qtbot: QtBot) -> None:
    background, waiting = Background(), Waiting()

    dropped = background.run("work", lambda: "dropped")
    dropped.done.connect(waiting.take)
    dropped.drop()
    background.run("work", lambda: "kept").done.connect(waiting.take)

    qtbot.waitUntil(lambda: bool(waiting.got))
    assert waiting.got == ["kept"]
    background.stop()


def test_a_thread_whose_outcome_nobody_can_take_any_more_ends_in_peace(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    background = Background()
    begun, go = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go.wait(20)

    background.run("slow", work)
    qtbot.waitUntil(begun.is_set)
    (thread,) = (each for each in threading.enumerate() if each.name == "slow")
    shiboken6.delete(background)
    go.set()

    thread.join(20)
    assert not thread.is_alive()
    assert not raised


class Chain(Waiting):
    """Somebody who begins the next when the one before is done."""

    def __init__(self, background: Background) -> None:
        super().__init__()
        self._background = background

    @Slot(object)
    def take(self, what: object) -> None:
        super().take(what)
        self.begin()

    def begin(self) -> None:
        self._background.run("chain", partial(int, len(self.got))).done.connect(self.take)


def test_each_outcome_comes_also_while_the_job_before_is_deleted(qtbot: QtBot) -> None:
    background = Background()
    chain = Chain(background)

    chain.begin()

    qtbot.waitUntil(lambda: len(chain.got) > 500)
    background.stop()
