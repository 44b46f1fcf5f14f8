"""Patterns are tried, added and taken away, over a real worker."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from app.excludes import wording
from app.excludes.panel import ExcludesPanel
from app.worker_client import WorkerClient
from worker.shared.capture import KnownPlace, TestReply

WAIT = 20_000


@pytest.fixture
def panel(qtbot: QtBot, client: WorkerClient) -> Iterator[ExcludesPanel]:
    panel = ExcludesPanel(client)
    qtbot.addWidget(panel)
    panel.show()
    yield panel
    panel.close()


def box(panel: ExcludesPanel) -> QLineEdit:
    return panel.findChildren(QLineEdit)[0]


def patterns(panel: ExcludesPanel) -> list[str]:
    (shown,) = panel.findChildren(QListWidget)
    return [shown.item(row).text() for row in range(shown.count())]


def shown(panel: ExcludesPanel) -> str:
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def button(panel: ExcludesPanel, text: str) -> QPushButton:
    return next(each for each in panel.findChildren(QPushButton) if each.text() == text)


def test_a_pattern_tells_what_it_means_before_it_holds(qtbot: QtBot, panel: ExcludesPanel) -> None:
    QTest.keyClicks(box(panel), "no-such-project")

    qtbot.waitUntil(lambda: "matches none of the" in shown(panel), timeout=WAIT)

    box(panel).clear()
    QTest.keyClicks(box(panel), "*")
    qtbot.waitUntil(lambda: "It matches 1 of 1" in shown(panel), timeout=WAIT)
    assert patterns(panel) == []


def test_an_added_pattern_is_listed_and_can_be_taken_away(
    qtbot: QtBot, panel: ExcludesPanel
) -> None:
    QTest.keyClicks(box(panel), "*")
    QTest.keyClick(box(panel), Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: patterns(panel) == ["*"], timeout=WAIT)
    qtbot.waitUntil(lambda: "They stay and are found." in shown(panel), timeout=WAIT)
    assert box(panel).text() == ""

    QTest.mouseClick(button(panel, "Remo&ve"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: patterns(panel) == [], timeout=WAIT)
    assert not button(panel, "Remo&ve").isEnabled()


def test_a_pattern_that_is_none_is_refused_with_a_reason(
    qtbot: QtBot, panel: ExcludesPanel
) -> None:
    QTest.keyClicks(box(panel), "!")
    QTest.keyClick(box(panel), Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: "✕" in shown(panel), timeout=WAIT)
    assert patterns(panel) == []


def test_long_lists_are_cut_and_nothing_stored_is_not_told() -> None:
    many = [KnownPlace(project=f"p{n}", folder="", memories=0) for n in range(wording.NAMED + 2)]

    assert wording.places(many)[-1] == "… and 2 more"
    assert wording.stored_line(many) == ""
    assert "No project is known yet" in wording.tested_line(
        TestReply(pattern="x", matches=[], known=0)
    )
