"""The window shows what Claude asked for and saw, and keeps it when the worker is away."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGraphicsView,
    QLabel,
    QListWidget,
    QPushButton,
    QTableView,
    QTableWidget,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.theme import Choice
from tests.app.recalls.conftest import Scene
from tests.app.recalls.samples import recall

ROOT = Path(__file__).parents[3]


def texts(window: QWidget) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def table(scene: Scene) -> QTableView:
    return next(
        view
        for view in scene.window.findChildren(QTableView)
        if view.accessibleName() == "Calls of Claude"
    )


def rows(scene: Scene) -> list[list[str]]:
    model = table(scene).model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def memories(scene: Scene) -> QListWidget:
    return scene.window.findChildren(QListWidget)[0]


def opened(qtbot: QtBot, scene: Scene, count: int = 12) -> None:
    scene.window.open()
    qtbot.waitUntil(lambda: len(rows(scene)) == count)


def test_it_sums_up_today_and_lists_the_calls_newest_first(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)

    assert "12 recalls today, about 1.3k tokens" in texts(scene.window)
    assert "20 in the last 30 days" in texts(scene.window)
    assert rows(scene)[0][1:] == ["Claude Code", "Search", "pool deadlock", "3", "112", "22"]
    assert rows(scene)[3][3] == "连接池 timeout  ·  project=shop"


def test_the_newest_call_shows_what_claude_saw(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)

    shown = [memories(scene).item(row).text() for row in range(memories(scene).count())]
    assert shown == [
        "#12  The pool 12 🎉 is <b>empty</b>  ·  bugfix",
        "#S7  Fixed the retry of the webhook  ·  session",
        "#999  not there any more",
    ]
    QTest.keyClick(table(scene), Qt.Key.Key_Down)
    assert memories(scene).item(0).text().startswith("#11 ")


def test_a_memory_opens_by_click_and_by_enter(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    listed = memories(scene)

    with qtbot.waitSignal(scene.window.memory_requested) as clicked:
        where = listed.visualItemRect(listed.item(1)).center()
        QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=where)
    listed.setCurrentRow(0)
    with qtbot.waitSignal(scene.window.memory_requested) as entered:
        QTest.keyClick(listed, Qt.Key.Key_Return)

    assert (clicked.args, entered.args) == (["#S7"], ["#12"])


def test_what_is_asked_meanwhile_comes_on_top_and_the_choice_stays(
    qtbot: QtBot, scene: Scene
) -> None:
    opened(qtbot, scene)
    table(scene).selectRow(4)
    scene.recorded.recalls.insert(0, recall(13, asked="brand new", filters=""))

    QTest.keyClick(scene.window, Qt.Key.Key_F5)

    qtbot.waitUntil(lambda: rows(scene)[0][3] == "brand new")
    assert len(rows(scene)) == 13
    assert table(scene).currentIndex().row() == 5


def test_a_client_narrows_the_list(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    who = scene.window.findChild(QComboBox)
    assert isinstance(who, QComboBox)
    assert [who.itemText(n) for n in range(3)] == ["All clients", "Claude Desktop", "Claude Code"]

    who.setCurrentIndex(2)
    who.activated.emit(2)

    qtbot.waitUntil(lambda: {row[1] for row in rows(scene)} == {"Claude Code"})
    assert scene.recorded.asked[-1]["client"] == "claude-code"


def test_older_calls_come_as_they_are_scrolled_to(qtbot: QtBot, scene: Scene) -> None:
    scene.recorded.recalls[:] = [recall(number) for number in reversed(range(1, 251))]
    opened(qtbot, scene, 100)

    table(scene).scrollToBottom()
    qtbot.waitUntil(lambda: len(rows(scene)) == 200)
    table(scene).scrollToBottom()
    qtbot.waitUntil(lambda: len(rows(scene)) == 250)

    ids = [table(scene).model().index(n, 0).data(Qt.ItemDataRole.UserRole).id for n in range(250)]
    assert ids == list(reversed(range(1, 251)))


def test_a_call_that_failed_says_so_and_why(qtbot: QtBot, scene: Scene) -> None:
    failed = recall(13, outcome="failed", problem="limit: must be a whole number", seen=[])
    scene.recorded.recalls.insert(0, failed)
    opened(qtbot, scene, 13)

    assert rows(scene)[0][4] == "failed"
    assert "limit: must be a whole number" in texts(scene.window)


def test_without_calls_it_says_how_to_get_some(qtbot: QtBot, scene: Scene) -> None:
    scene.recorded.recalls.clear()
    scene.window.open()
    qtbot.waitUntil(lambda: "Claude has not asked for anything yet" in texts(scene.window))
    assert "Search your memory" in texts(scene.window)
    tabs = scene.window.findChildren(QTabWidget)[0]
    tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: shown_named(tabs.currentWidget(), "Memories by week and type"))
    tabs.setCurrentIndex(0)

    with qtbot.waitSignal(scene.window.clients_requested):
        QTest.mouseClick(button(scene, "&Connect Claude…"), Qt.MouseButton.LeftButton)


def test_switched_off_it_says_so_and_leads_to_the_setting(qtbot: QtBot, scene: Scene) -> None:
    scene.recorded.recalls.clear()
    scene.recorded.recording = False
    scene.window.open()
    qtbot.waitUntil(lambda: "Nothing is recorded" in texts(scene.window))

    with qtbot.waitSignal(scene.window.settings_requested) as asked:
        QTest.mouseClick(button(scene, "Open the &privacy settings…"), Qt.MouseButton.LeftButton)
    assert asked.args == ["privacy"]


def button(scene: Scene, text: str) -> QPushButton:
    return next(each for each in scene.window.findChildren(QPushButton) if each.text() == text)


def test_what_goes_wrong_is_told_and_what_was_shown_stays(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    scene.recorded.broken = True
    scene.window.refresh()
    qtbot.waitUntil(lambda: "database is locked" in texts(scene.window))
    assert len(rows(scene)) == 12

    scene.recorded.broken = False
    scene.window.refresh()
    qtbot.waitUntil(lambda: "database is locked" not in texts(scene.window))


def test_it_opens_and_closes_while_the_worker_says_nothing(qtbot: QtBot, scene: Scene) -> None:
    scene.recorded.silent = True
    for _ in range(50):
        scene.window.open()
        qtbot.wait(2)  # so that a question leaves
        scene.window.close()

    scene.recorded.silent = False
    opened(qtbot, scene)


def test_a_chart_has_its_numbers_as_a_table_too(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    tabs = scene.window.findChildren(QTabWidget)[0]
    tabs.setCurrentIndex(2)
    page = tabs.currentWidget()
    qtbot.waitUntil(lambda: any(w.isVisible() for w in page.findChildren(QCheckBox)))
    drawn = "Memories by week and type"
    qtbot.waitUntil(lambda: shown_named(page, drawn) and not shown_tables(page), timeout=30_000)
    assert {"note", "change", "other"} <= {label.text() for label in page.findChildren(QLabel)}

    QTest.keyClick(page.findChildren(QCheckBox)[0], Qt.Key.Key_Space)

    (listed,) = shown_tables(page)
    assert listed.accessibleName() == drawn
    assert listed.rowCount() == 20
    assert [listed.model().index(0, n).data() for n in range(3)] == ["18 May", "9", "4"]


def test_calls_are_counted_in_whole_numbers(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    tabs = scene.window.findChildren(QTabWidget)[0]
    tabs.setCurrentIndex(1)
    page = tabs.currentWidget()
    qtbot.waitUntil(lambda: shown_named(page, "Recalls by day"), timeout=30_000)
    qtbot.waitUntil(lambda: bool(page.findChildren(QGraphicsView)), timeout=30_000)

    (plot,) = page.findChildren(QGraphicsView)
    axis = plot.getAxis("left")  # type: ignore[attr-defined]
    axis.setRange(0, 4.3)
    ticks = [place for _, places in axis.tickValues(0, 4.3, 450) for place in places]

    assert sorted(ticks) == [0, 1, 2, 3, 4]


def test_a_chart_follows_the_theme(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    tabs = scene.window.findChildren(QTabWidget)[0]
    tabs.setCurrentIndex(1)
    page = tabs.currentWidget()
    qtbot.waitUntil(lambda: shown_named(page, "Recalls by day"), timeout=30_000)
    qtbot.waitUntil(lambda: not shown_tables(page), timeout=30_000)
    for choice, low in ((Choice.DARK, True), (Choice.LIGHT, False)):
        scene.theme.choose(choice)
        corner = page.grab().toImage().pixelColor(page.width() // 2, 40)
        assert (corner.lightness() < 128) is low


def shown_tables(page: QWidget) -> list[QTableWidget]:
    return [each for each in page.findChildren(QTableWidget) if each.isVisible()]


def shown_named(page: QWidget, name: str) -> bool:
    return any(
        each.isVisible() and each.accessibleName() == name for each in page.findChildren(QWidget)
    )


def test_nothing_that_draws_is_loaded_before_a_chart_is_shown() -> None:
    code = "import sys, app.recalls.window; print({'numpy', 'pyqtgraph'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == "set()\n"
