"""Notices: few, each can be off, none twice in ten minutes, all kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.notices.board import Board
from app.notices.policy import KEPT, Kind, Notice, Notices, wanted
from app.notices.window import NoticesWindow
from worker.shared.settings import Settings

SWITCHED_OFF = {
    Kind.ERROR: Settings(notify_errors=False),
    Kind.GAVE_UP: Settings(notify_gave_up=False),
    Kind.IMPORT_DONE: Settings(notify_imports=False),
    Kind.CLIENT_VANISHED: Settings(notify_clients=False),
}


class Desk:
    """A board with a clock and settings that a test moves."""

    def __init__(self) -> None:
        self.now = 1_780_000_000.0
        self.settings = Settings()
        self.board = Board(lambda: self.settings, clock=lambda: self.now)
        self.shown: list[Notice] = []
        self.board.shown.connect(self._shown)

    def _shown(self, notice: Notice) -> None:
        self.shown.append(notice)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk()


@pytest.mark.parametrize("kind", Kind)
def test_each_kind_has_a_switch_of_its_own(kind: Kind) -> None:
    off = SWITCHED_OFF[kind]

    assert wanted(kind, Settings())
    assert [other for other in Kind if not wanted(other, off)] == [kind]


def test_the_same_text_comes_at_most_once_in_ten_minutes(desk: Desk) -> None:
    for seconds in (0, 1, 599, 601):
        desk.now = 1_780_000_000.0 + seconds
        desk.board.tell(Kind.ERROR, "Port taken", "python has port 37777")

    assert [notice.at - 1_780_000_000.0 for notice in desk.shown] == [0, 601]


def test_another_text_comes_at_once(desk: Desk) -> None:
    desk.board.tell(Kind.ERROR, "Port taken", "python has port 37777")
    desk.board.tell(Kind.ERROR, "Port taken", "node has port 37777")

    assert len(desk.shown) == 2


def test_what_is_switched_off_is_kept_all_the_same(desk: Desk) -> None:
    desk.settings = replace(desk.settings, notify_imports=False)

    desk.board.tell(Kind.IMPORT_DONE, "Imported", "120 memories")

    assert desk.shown == []
    assert [notice.text for notice in desk.board.kept] == ["120 memories"]


def test_a_click_opens_the_one_shown_last(qtbot: QtBot, desk: Desk) -> None:
    desk.board.tell(Kind.ERROR, "Port taken", "python has port 37777")
    desk.board.tell(Kind.CLIENT_VANISHED, "Claude Desktop", "the entry is gone")

    with qtbot.waitSignal(desk.board.opened) as opened:
        desk.board.open_last()

    assert opened.args[0].kind is Kind.CLIENT_VANISHED


def test_the_list_does_not_grow_for_ever() -> None:
    notices = Notices()
    for number in range(KEPT + 5):
        notices.take(Notice(Kind.ERROR, "Error", str(number), number))

    assert len(notices.kept) == KEPT
    assert notices.kept[0].text == str(KEPT + 4)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, desk: Desk) -> NoticesWindow:
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    window = NoticesWindow(desk.board, places)
    qtbot.addWidget(window)
    window.open()
    qtbot.waitExposed(window)
    return window


def test_the_window_lists_the_newest_first(desk: Desk, window: NoticesWindow) -> None:
    desk.board.tell(Kind.ERROR, "Port taken", "python has port 37777")
    desk.board.tell(Kind.GAVE_UP, "Gave up", "5 crashes in ten minutes")

    lines = [window.list.item(row).text() for row in range(window.list.count())]

    assert ["Gave up" in lines[0], "Port taken" in lines[1]] == [True, True]


def test_enter_opens_what_a_notice_is_about(
    qtbot: QtBot, desk: Desk, window: NoticesWindow
) -> None:
    desk.board.tell(Kind.ERROR, "Port taken", "python has port 37777")

    with qtbot.waitSignal(desk.board.opened):
        QTest.keyClick(window.list, Qt.Key.Key_Return)


def test_the_window_says_when_there_is_nothing(desk: Desk, window: NoticesWindow) -> None:
    assert not window.list.isVisible()

    desk.board.tell(Kind.ERROR, "Port taken", "python has port 37777")
    assert window.list.isVisible()
    desk.board.clear()

    assert not window.list.isVisible()
