"""One table of keys: shortcuts, the menu and the help say the same."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMenu, QScrollArea
from pytestqt.qtbot import QtBot

from app.search.keys import all_keys
from app.search.keys_dialog import KeysDialog
from app.search.result_list import ResultList
from tests.app.search.conftest import Scene
from tests.app.search.seen import child, texts_in
from tests.bench.material import ROOT


def test_each_key_that_does_something_is_a_shortcut_of_the_window(scene: Scene) -> None:
    shortcuts = {key.toString() for action in scene.window.actions() for key in action.shortcuts()}

    for key in all_keys():
        if key.act:
            assert {
                QKeySequence(each).toString() for each in (key.keys, *key.more_keys)
            } <= shortcuts


def test_no_key_has_two_meanings() -> None:
    keys = [
        QKeySequence(each).toString() for key in all_keys() for each in (key.keys, *key.more_keys)
    ]

    assert all(keys)
    assert len(set(keys)) == len(keys)


def test_f1_lists_all_of_them(scene: Scene, qtbot: QtBot) -> None:
    scene.window.open()
    qtbot.waitUntil(scene.window.isActiveWindow)

    QTest.keyClick(scene.window, Qt.Key.Key_F1)

    dialog = child(scene.window, KeysDialog)
    qtbot.waitUntil(dialog.isVisible)
    shown = texts_in(dialog).splitlines()
    assert shown == [text for key in all_keys() for text in (key.shown, key.text)]
    dialog.reject()


@pytest.mark.parametrize(("points", "scrolls"), [(9, False), (30, True)])
def test_the_keys_fit_the_screen_and_are_scrolled_where_they_are_large(
    scene: Scene, qtbot: QtBot, qapp: QApplication, points: int, *, scrolls: bool
) -> None:
    before = qapp.font()
    qapp.setFont(QFont(before.family(), points))
    dialog = KeysDialog(all_keys(), scene.window)
    qtbot.addWidget(dialog)
    dialog.show()
    bar = child(dialog, QScrollArea).verticalScrollBar()

    assert dialog.screen().availableGeometry().height() >= dialog.height()
    assert child(dialog, QDialogButtonBox).geometry().bottom() < dialog.height()
    qtbot.waitUntil(lambda: (bar.maximum() > 0) is scrolls)
    qapp.setFont(before)


def test_the_menu_of_a_hit_shows_the_same_keys(scene: Scene, qtbot: QtBot) -> None:
    scene.window.open()
    hits = child(scene.window, ResultList)
    qtbot.waitUntil(lambda: hits.model().rowCount() == 120)

    hits.customContextMenuRequested.emit(QPoint(20, 20))

    menu = next(m for m in scene.window.findChildren(QMenu) if m.isVisible())
    entries = {action.shortcut().toString(): action.text() for action in menu.actions()}
    wanted = {QKeySequence(k.keys).toString(): k.text for k in all_keys() if k.in_menu}
    assert wanted.items() <= entries.items()
    menu.close()


def test_the_id_of_what_is_read_is_copied(scene: Scene, qtbot: QtBot) -> None:
    scene.window.open()
    hits = child(scene.window, ResultList)
    qtbot.waitUntil(lambda: hits.model().rowCount() == 120)
    QGuiApplication.clipboard().clear()

    hits.select_row(2)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(scene.window, Qt.Key.Key_C, both)

    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == "#2")


def test_each_key_is_told_in_the_document() -> None:
    using = (ROOT / "docs" / "USING.md").read_text(encoding="utf-8")
    chapters = using[using.index("## Searching") :].split("\n## ")
    told = "".join(chapters[:2]).replace("Enter", "Return")

    assert [key.keys for key in all_keys() if key.keys not in told] == []
