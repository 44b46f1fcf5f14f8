"""The two messages that need a person: what they show, and what their buttons tell."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QPushButton
from pytestqt.qtbot import QtBot

from app.supervisor.events import GaveUp, PortTaken
from app.supervisor.gave_up_dialog import GaveUpDialog
from app.supervisor.port_dialog import PortDialog


def click(dialog: QDialog, text: str) -> None:
    """Click the button that is called so."""
    named = {b.text().replace("&", ""): b for b in dialog.findChildren(QPushButton)}
    assert named[text].isVisible()
    QTest.mouseClick(named[text], Qt.MouseButton.LeftButton)


@pytest.fixture
def gave_up(qtbot: QtBot) -> GaveUpDialog:
    dialog = GaveUpDialog()
    qtbot.addWidget(dialog)
    dialog.present(GaveUp(3, ("first", "the disk is <b>full</b>")))
    return dialog


@pytest.fixture
def taken(qtbot: QtBot) -> PortDialog:
    dialog = PortDialog()
    qtbot.addWidget(dialog)
    return dialog


def test_giving_up_shows_code_and_last_lines(gave_up: GaveUpDialog) -> None:
    assert "exit code was 3" in gave_up.cause.text()
    assert gave_up.lines.toPlainText() == "first\nthe disk is <b>full</b>"
    assert not gave_up.isModal()
    assert gave_up.restart.isDefault()


def test_an_unknown_end_is_not_made_up(gave_up: GaveUpDialog) -> None:
    gave_up.present(GaveUp(None, ()))
    assert "code" not in gave_up.cause.text()
    assert "nothing" in gave_up.lines.toPlainText()


def test_restart_tells_and_goes(qtbot: QtBot, gave_up: GaveUpDialog) -> None:
    with qtbot.waitSignal(gave_up.restart_requested):
        click(gave_up, "Restart worker")
    assert not gave_up.isVisible()


def test_diagnostics_and_logs_tell_and_stay(qtbot: QtBot, gave_up: GaveUpDialog) -> None:
    with qtbot.waitSignal(gave_up.diagnostics_requested):
        click(gave_up, "Copy diagnostics")
    with qtbot.waitSignal(gave_up.logs_requested):
        click(gave_up, "Open logs")
    assert gave_up.isVisible()


def test_escape_closes_and_asks_for_nothing(qtbot: QtBot, gave_up: GaveUpDialog) -> None:
    with qtbot.assertNotEmitted(gave_up.restart_requested):
        QTest.keyClick(gave_up, Qt.Key.Key_Escape)
    assert not gave_up.isVisible()


def test_a_taken_port_names_who_has_it_and_offers_another(qtbot: QtBot, taken: PortDialog) -> None:
    taken.present(PortTaken(37777, "python3", 12, next_free_port=37778))
    assert "37777" in taken.title.text()
    assert "python3 (process 12)" in taken.cause.text()
    with qtbot.waitSignal(taken.port_chosen) as chosen:
        click(taken, "Use port 37778")
    assert chosen.args == [37778]
    assert not taken.isVisible()


def test_trying_again_is_a_choice(qtbot: QtBot, taken: PortDialog) -> None:
    taken.present(PortTaken(37777, "python3", 12, next_free_port=37778))
    with qtbot.waitSignal(taken.retry_requested):
        click(taken, "Try again")
    assert not taken.isVisible()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (PortTaken(1, "bun", 12, is_claude_mem=True), "claude-mem's own worker"),
        (PortTaken(1, is_reserved=True), "The system keeps this port"),
        (PortTaken(1), "the system does not tell which"),
        (PortTaken(1, "<b>evil</b>\n", 12), "<b>evil</b>"),
    ],
)
def test_each_case_is_told(taken: PortDialog, what: PortTaken, said: str) -> None:
    taken.present(what)
    assert said in taken.cause.text()
    assert taken.windowTitle().count("Memtray") == 1
    assert taken.windowTitle().endswith("– Memtray")  # else Qt adds it a second time
    assert taken.cause.textFormat() is Qt.TextFormat.PlainText


def test_without_a_free_port_none_is_offered(taken: PortDialog) -> None:
    taken.present(PortTaken(1, "python3", 12))
    assert not taken.move_to.isVisible()


def test_a_longer_language_is_not_cut(qtbot: QtBot, taken: PortDialog) -> None:
    taken.present(PortTaken(1, "python3 " * 30, 12, is_claude_mem=True, next_free_port=2))
    taken.resize(QSize(300, 100))
    qtbot.waitUntil(lambda: taken.cause.height() >= taken.cause.heightForWidth(taken.cause.width()))
