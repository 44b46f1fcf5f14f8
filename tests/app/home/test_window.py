"""The window where there is no tray."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QMessageBox,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from app.home.window import HomeWindow
from app.theme import Choice, Theme
from app.tray.actions import Actions
from tests.app.statuses import DEGRADED, OURS, RUNNING, STOPPED


@pytest.fixture
def home(qtbot: QtBot, qapp: QApplication, tmp_path: Path, actions: Actions) -> HomeWindow:
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    window = HomeWindow(actions, places, Theme(qapp, Choice.LIGHT))
    qtbot.addWidget(window, before_close_func=lambda widget: widget.hide())
    window.open()
    qtbot.waitExposed(window)
    return window


def button(home: HomeWindow, text: str) -> QPushButton:
    (found,) = (x for x in home.findChildren(QPushButton) if x.text() == text)
    return found


def question(home: HomeWindow) -> QMessageBox:
    (found,) = home.findChildren(QMessageBox)
    return found


def answer(home: HomeWindow, text: str) -> QPushButton:
    (found,) = (x for x in question(home).findChildren(QPushButton) if x.text() == text)
    return found


def test_it_shows_the_state_and_why_it_is_there(home: HomeWindow) -> None:
    home.show_status(RUNNING)

    shown = " ".join(label.text() for label in home.findChildren(QLabel))

    assert "Running" in shown
    assert "1,204 memories" in shown
    assert "no tray" in shown


def test_its_buttons_are_the_lines_of_the_menu(
    qtbot: QtBot, home: HomeWindow, actions: Actions
) -> None:
    home.show_status(STOPPED)
    actions.show_status(STOPPED)

    with qtbot.waitSignal(actions.start.triggered):
        QTest.mouseClick(button(home, actions.start.text()), Qt.MouseButton.LeftButton)

    assert not button(home, actions.stop.text()).isEnabled()


def test_a_cause_is_a_button_that_opens_its_remedy(
    qtbot: QtBot, home: HomeWindow, actions: Actions
) -> None:
    actions.show_status(DEGRADED)

    with qtbot.waitSignal(actions.cause_chosen):
        button(home, "model: its weights cannot be read").click()


def test_closing_asks_and_nothing_vanishes(qtbot: QtBot, home: HomeWindow) -> None:
    home.show_status(OURS)

    home.close()

    assert home.isVisible()
    assert question(home).isVisible()
    assert "The worker ends too" in question(home).informativeText()
    question(home).close()


def test_quitting_is_confirmed(qtbot: QtBot, home: HomeWindow) -> None:
    home.show_status(RUNNING)
    home.close()
    assert "keeps running" in question(home).informativeText()

    with qtbot.waitSignal(home.quit_confirmed):
        answer(home, "&Quit").click()


def test_it_gives_way_to_a_tray_without_a_question(home: HomeWindow) -> None:
    home.give_way()

    assert not home.isVisible()
    assert not home.findChildren(QMessageBox)


def test_every_button_is_reached_by_the_keyboard(home: HomeWindow) -> None:
    buttons = [x for x in home.findChildren(QAbstractButton) if x.isVisible()]

    assert len(buttons) > 10
    assert {x.focusPolicy() for x in buttons} == {Qt.FocusPolicy.StrongFocus}


def test_start_at_login_is_a_box_that_follows(
    qtbot: QtBot, home: HomeWindow, actions: Actions
) -> None:
    (box,) = home.findChildren(QCheckBox)

    actions.login.setChecked(True)
    assert box.isChecked()
    with qtbot.waitSignal(actions.login.triggered):
        box.click()

    assert not box.isChecked()
    assert not actions.login.isChecked()


def test_it_fits_a_small_screen_and_longer_words(home: HomeWindow, actions: Actions) -> None:
    for action in (actions.start, actions.settings, actions.about, actions.quit):
        action.setText(action.text() * 2)

    home.resize(460, 380)

    assert home.minimumSizeHint().height() <= 380
    for button in home.findChildren(QPushButton):
        assert button.width() >= button.minimumSizeHint().width() or not button.isVisible()
