"""Every control is reached by the keyboard, and longer words than ours fit."""

from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from app.importing.state import Question
from tests.app.importing.conftest import Scene
from tests.app.importing.test_wording import job
from worker.shared.jobs import FailedLine, JobState

FAILED = FailedLine(file="/p/a.jsonl", line=7, why="it is cut off")
ENDED = job(state=JobState.DONE, failed=[FAILED], failures=1)


def show(scene: Scene, question: Question, running: bool) -> None:
    jobs = (job(id="runs"), ENDED) if running else (ENDED,)
    scene.jobs.look = lambda: None  # type: ignore[method-assign]  # what is shown stays
    scene.window.open()
    scene.jobs.state = replace(scene.jobs.state, jobs=jobs, question=question)
    scene.jobs.changed.emit()


STATES = [
    (Question.NONE, False),
    (Question.NONE, True),
    (Question.CONSENT, False),
    (Question.UNDO, False),
]


def buttons(scene: Scene) -> list[QAbstractButton]:
    found = scene.window.findChildren(QAbstractButton)
    return [each for each in found if each.isVisible() and each.text()]


@pytest.mark.parametrize(("question", "running"), STATES)
def test_each_button_has_a_letter_of_its_own(
    scene: Scene, question: Question, running: bool
) -> None:
    show(scene, question, running)

    letters = Counter(each.text().partition("&")[2][:1].lower() for each in buttons(scene))

    assert "" not in letters
    assert [letter for letter, count in letters.items() if count > 1] == []


def test_tab_reaches_every_button(qtbot: QtBot, scene: Scene) -> None:
    show(scene, Question.UNDO, running=False)
    qtbot.waitUntil(scene.window.isActiveWindow)
    reached = set()

    for _ in range(20):
        QTest.keyClick(QApplication.focusWidget() or scene.window, Qt.Key.Key_Tab)
        reached.add(QApplication.focusWidget())

    assert {each for each in buttons(scene) if each.isEnabled()} <= reached


class Longer(QTranslator):
    """A language whose words are 40 % longer."""

    def translate(self, _context: str, text: str, _about: str | None = None, _n: int = -1) -> str:
        return text + " more" * (1 + len(text) * 2 // 25)

    def isEmpty(self) -> bool:
        return False


@pytest.mark.parametrize(("question", "running"), STATES)
def test_longer_words_fit(
    qapp: QApplication, request: pytest.FixtureRequest, question: Question, running: bool
) -> None:
    longer = Longer()
    qapp.installTranslator(longer)
    try:
        scene: Scene = request.getfixturevalue("scene")
        show(scene, question, running)
        area = scene.window.findChild(QScrollArea)
        assert area is not None
        qapp.processEvents()
        assert area.horizontalScrollBar().maximum() == 0
        for each in scene.window.findChildren(QPushButton):
            assert not each.isVisible() or each.width() >= each.sizeHint().width()
    finally:
        qapp.removeTranslator(longer)
