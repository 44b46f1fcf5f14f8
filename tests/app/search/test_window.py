"""The search window, as a person uses it."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.heartbeat import Heartbeat
from app.importing.found import Found
from app.search.chip_bar import ChipBar
from app.search.empty_panel import StepButton
from app.search.facet_tree import FacetTree
from app.search.zoom import points_of
from app.theme import DARK, LIGHT, Choice, Theme
from tests.app.search.conftest import Made, Scene
from tests.app.search.seen import child, texts_in
from tests.app.search.window_parts import Key, banner_of, box_of, hits_of, opened, rows_in
from worker.shared.contract import Facets


# ---------------------------------------------------------------------- opening
def test_it_opens_with_the_newest_and_the_cursor_in_the_box(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)

    qtbot.waitUntil(lambda: QApplication.focusWidget() is box_of(window))
    assert scene.rows.queries() == [""]


def test_opened_again_the_last_query_is_selected_and_searched_anew(
    scene: Scene, qtbot: QtBot
) -> None:
    window = opened(scene, qtbot)
    QTest.keyClicks(box_of(window), "pool")
    qtbot.waitUntil(lambda: scene.rows.queries() == ["", "pool"])

    window.close()
    window.open()

    assert box_of(window).selectedText() == "pool"
    qtbot.waitUntil(lambda: scene.rows.queries() == ["", "pool", "pool"])


def test_it_opens_with_a_query_and_its_filters(scene: Scene, qtbot: QtBot) -> None:
    scene.window.open("project:web pool")

    qtbot.waitUntil(lambda: bool(scene.rows.asked))
    assert scene.rows.asked[0]["query"] == "pool"
    assert scene.rows.asked[0]["projects"] == '["web"]'
    assert box_of(scene.window).text() == "pool"


# ---------------------------------------------------------------------- typing
def test_typing_searches_once_when_it_pauses(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)

    QTest.keyClicks(box_of(window), "pool is empty")

    qtbot.waitUntil(lambda: len(scene.rows.queries()) > 1)
    assert scene.rows.queries() == ["", "pool is empty"]


def test_enter_searches_at_once_and_once(scene: Scene, qtbot: QtBot) -> None:
    box = box_of(opened(scene, qtbot))

    box.setText("pool")
    with qtbot.waitSignal(box.settled, timeout=100):
        QTest.keyClick(box, Key.Key_Return)

    with qtbot.assertNotEmitted(box.settled, wait=250):
        pass
    assert scene.rows.queries() == ["", "pool"]


def test_nothing_is_searched_while_a_word_is_composed(scene: Scene, qtbot: QtBot) -> None:
    box = box_of(opened(scene, qtbot))

    QTest.keyClicks(box, "a")
    with qtbot.assertNotEmitted(box.settled, wait=300):
        QApplication.sendEvent(box, QInputMethodEvent("lian", []))
        QApplication.sendEvent(box, QInputMethodEvent("lian jie", []))
    done = QInputMethodEvent("", [])
    done.setCommitString("连接池")
    QApplication.sendEvent(box, done)

    qtbot.waitUntil(lambda: scene.rows.queries() == ["", "a连接池"])


def test_an_answer_that_comes_too_late_is_not_shown(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    scene.rows.held["slow"] = threading.Event()
    scene.rows.found = {"slow": 7, "quick": 3}

    box_of(window).setText("slow")
    qtbot.waitUntil(lambda: "slow" in scene.rows.queries())
    box_of(window).setText("quick")
    qtbot.waitUntil(lambda: rows_in(window) == 3)
    scene.rows.held["slow"].set()

    with qtbot.assertNotEmitted(hits_of(window).model().modelReset, wait=200):
        pass
    assert rows_in(window) == 3


def test_what_is_shown_stays_until_the_next_answer(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    scene.rows.held["slow"] = threading.Event()

    box_of(window).setText("slow")
    qtbot.waitUntil(lambda: "slow" in scene.rows.queries())

    assert rows_in(window) == 120


# ---------------------------------------------------------------------- keys
def test_escape_clears_and_then_closes(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    QTest.keyClicks(box_of(window), "pool project:web ")

    QTest.keyClick(window, Key.Key_Escape)
    assert box_of(window).text() == ""
    assert child(window, ChipBar).labels() == []
    assert window.isVisible()
    QTest.keyClick(window, Key.Key_Escape)

    assert not window.isVisible()


def test_ctrl_l_goes_back_to_the_box(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    QTest.keyClick(box_of(window), Key.Key_Down)

    QTest.keyClick(window, Key.Key_L, Qt.KeyboardModifier.ControlModifier)

    assert box_of(window).hasFocus()


def test_tab_goes_from_the_box_over_the_chips_to_facets_and_hits(
    scene: Scene, qtbot: QtBot
) -> None:
    window = opened(scene, qtbot)
    window.open("project:web type:bugfix pool")

    reached: list[str] = []
    while not hits_of(window).hasFocus():
        focused = QApplication.focusWidget()
        assert focused
        reached.append(focused.accessibleName() or type(focused).__name__)
        QTest.keyClick(focused, Key.Key_Tab)

    assert reached == [
        "Search memory",
        "Filter project:web",
        "Filter type:bugfix",
        "QToolButton",
        "What is searched",
        "Order of the hits",
        "Narrow the search",
    ]


def test_the_look_follows_the_theme_while_it_is_open(
    scene: Scene, qtbot: QtBot, theme: Theme
) -> None:
    window = opened(scene, qtbot)

    for choice, colours in ((Choice.DARK, DARK), (Choice.LIGHT, LIGHT)):
        theme.choose(choice)
        image = hits_of(window).viewport().grab().toImage()
        assert image.pixelColor(image.width() - 2, 2).name() == colours.base
        seen = {image.pixelColor(x, y).name() for x in range(0, 200) for y in range(0, 90)}
        assert colours.mark in seen


# ---------------------------------------------------------------------- what is kept
def test_zoom_and_columns_are_kept(scene: Scene, qtbot: QtBot, new_window: Made) -> None:
    window = opened(scene, qtbot)
    usual = hits_of(window).font().pointSizeF()
    QTest.keyClick(window, Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert hits_of(window).font().pointSizeF() == usual + 1
    window.close()

    again, _, _ = new_window()

    assert hits_of(again).font().pointSizeF() == usual + 1
    again.open()
    qtbot.waitUntil(again.isActiveWindow)
    QTest.keyClick(again, Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert hits_of(again).font().pointSizeF() == usual


def test_facets_are_there_where_their_names_can_be_read(
    scene: Scene, qtbot: QtBot, new_window: Made
) -> None:
    scene.rows.facets = Facets(project={"the-shop": 3})
    window = opened(scene, qtbot)
    facets = child(window, FacetTree)
    readable = facets.fontMetrics().horizontalAdvance("the-shop 120")
    qtbot.waitUntil(lambda: facets.isVisible() and facets.width() > readable)

    for width in range(1100, 500, -40):
        window.resize(width, 600)
        assert not facets.isVisible() or facets.width() > readable, width
    assert not facets.isVisible()
    window.close()
    again, _, _ = new_window()
    again.resize(1180, 600)
    again.open()

    facets = child(again, FacetTree)
    qtbot.waitUntil(lambda: facets.isVisible() and facets.width() > readable)
    again.close()


@pytest.mark.parametrize("kept", [b"", b"a", b"-3", b"99", b"1e5", "٣".encode()])
def test_any_kept_size_is_a_size(kept: bytes) -> None:
    assert -99 <= points_of(kept) <= 99


def test_queries_are_kept_on_the_disk_and_none_when_that_is_off(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    file = scene.paths.own / "queries.json"
    QTest.keyClicks(box_of(window), "pool project:web")
    QTest.keyClick(box_of(window), Key.Key_Return)

    qtbot.waitUntil(lambda: file.exists() and "project:web pool" in file.read_text("utf-8"))
    scene.store.change(keep_queries=False)
    qtbot.waitUntil(lambda: not file.exists())
    QTest.keyClick(box_of(window), Key.Key_Return)
    with qtbot.assertNotEmitted(scene.store.changed, wait=100):
        pass

    assert not file.exists()


# ---------------------------------------------------------------------- endurance
def test_memories_that_come_by_an_import_are_seen_at_once(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.count = 0
    window = opened(scene, qtbot)
    window.show_found(Found(Path("projects"), sessions=3))
    qtbot.waitUntil(lambda: bool(window.findChildren(StepButton)))
    with qtbot.waitSignal(window.import_requested):
        child(window, StepButton).click()

    scene.rows.count = 12
    window.follow_memories()

    qtbot.waitUntil(lambda: rows_in(window) == 12)


def test_a_hundred_times_opened_and_closed_amid_a_search(scene: Scene, qtbot: QtBot) -> None:
    scene.rows.held["slow"] = threading.Event()
    scene.window.open("slow")

    for _ in range(100):
        scene.window.open()
        qtbot.wait(1)
        scene.window.close()

    scene.rows.held["slow"].set()
    scene.window.open()
    qtbot.waitUntil(lambda: rows_in(scene.window) == 120)


def test_a_silent_worker_does_not_hold_up_the_window(scene: Scene, qtbot: QtBot) -> None:
    window = opened(scene, qtbot)
    scene.stub.healthy = False
    heart = Heartbeat(window)

    QTest.keyClicks(box_of(window), "pool")
    QTest.keyClick(box_of(window), Key.Key_Down)

    assert hits_of(window).currentIndex().row() == 0
    banner = banner_of(window)
    qtbot.waitUntil(banner.isVisible, timeout=5_000)
    assert "did not answer" in texts_in(banner)
    assert heart.longest_stall_ms() < 1_000  # it waits for two seconds, elsewhere
