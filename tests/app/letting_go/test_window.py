"""Memories are deleted in the search window, and come back by one click."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QMenu, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.letting_go.dialog import DeleteDialog
from app.letting_go.told_bar import ToldBar
from app.saving.dialog import NewMemoryDialog
from app.search.result_list import ResultList
from app.search.window import SearchWindow
from tests.app.real_worker import searching_by_words
from tests.app.search.conftest import Made, new_window, theme
from tests.app.search.seen import child, texts_in
from tests.integration.processes import Worker
from worker.shared.client import WorkerClient
from worker.shared.contract import Item
from worker.shared.paths import Paths

__all__ = ["new_window", "theme"]

KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("real")
    with searching_by_words(folder, memories=8) as started:
        yield started


@pytest.fixture
def paths(worker: Worker) -> Paths:
    return Paths(worker.data_dir)


@pytest.fixture
def window(qtbot: QtBot, new_window: Made) -> Iterator[SearchWindow]:
    made, _, _ = new_window()
    made.open()
    qtbot.waitUntil(lambda: len(titles(made)) >= 8)
    yield made
    made.close()


def titles(window: SearchWindow) -> list[str]:
    model = child(window, ResultList).model()
    rows = (model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount()))
    return [item.title for item in rows if isinstance(item, Item)]


def choose(window: SearchWindow, *rows: int) -> None:
    hits = child(window, ResultList)
    hits.select_row(rows[0])
    for _ in rows[1:]:
        QTest.keyClick(hits, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)


def button(window: SearchWindow, kind: type[ToldBar] | type[DeleteDialog], text: str) -> None:
    (found,) = (
        each
        for each in child(window, kind).findChildren(QPushButton)
        if each.text().replace("&", "") == text
    )
    found.click()


def told(window: SearchWindow) -> str:
    bar = child(window, ToldBar)
    return texts_in(bar) if bar.isVisible() else ""


def test_three_memories_go_and_come_back(qtbot: QtBot, window: SearchWindow) -> None:
    before = titles(window)
    choose(window, 0, 1, 2)

    QTest.keyClick(child(window, ResultList), Qt.Key.Key_Delete)
    asked = texts_in(child(window, DeleteDialog))
    assert "Delete these 3 memories?" in asked
    assert all(title in asked for title in before[:3])
    assert before[3] not in asked
    button(window, DeleteDialog, "Delete")

    qtbot.waitUntil(lambda: told(window) == "Deleted 3 memories. 0 left.", timeout=20_000)
    qtbot.waitUntil(lambda: titles(window) == before[3:], timeout=20_000)
    button(window, ToldBar, "Undo")
    qtbot.waitUntil(lambda: told(window) == "✓ Undone: 3 memories are back.", timeout=20_000)
    qtbot.waitUntil(lambda: titles(window) == before, timeout=20_000)


def test_what_was_put_back_otherwise_is_not_offered_or_told_in_words(
    qtbot: QtBot, window: SearchWindow, paths: Paths
) -> None:
    before = titles(window)
    for put_back_by_backup in (True, False):
        choose(window, 0)
        QTest.keyClick(child(window, ResultList), Qt.Key.Key_Delete)
        button(window, DeleteDialog, "Delete")
        qtbot.waitUntil(lambda: told(window) == "Deleted 1 memory. 0 left.", timeout=20_000)
        assert WorkerClient(paths, "test").post("/api/memory/undo", {})["restored"] == 1

        if put_back_by_backup:
            window.follow_restore()
            assert told(window) == ""
        else:
            button(window, ToldBar, "Undo")
            qtbot.waitUntil(lambda: "it was undone already" in told(window), timeout=20_000)
            window.follow_memories()
        qtbot.waitUntil(lambda: titles(window) == before, timeout=20_000)


def test_what_is_read_and_deleted_is_not_shown_any_more(qtbot: QtBot, window: SearchWindow) -> None:
    choose(window, 0)
    qtbot.waitUntil(lambda: "Seen in the" in read(window))

    window.findChild(ResultList).customContextMenuRequested.emit(QPoint(20, 20))  # type: ignore[union-attr]
    menu = next(menu for menu in window.findChildren(QMenu) if menu.isVisible())
    next(each for each in menu.actions() if each.text() == "&Delete…").trigger()
    menu.close()
    button(window, DeleteDialog, "Delete")

    qtbot.waitUntil(lambda: told(window) == "Deleted 1 memory. 0 left.", timeout=20_000)
    assert "Seen in the" not in read(window)
    button(window, ToldBar, "Undo")
    qtbot.waitUntil(lambda: told(window) == "✓ Undone: 1 memory is back.", timeout=20_000)


def read(window: SearchWindow) -> str:
    from PySide6.QtWidgets import QTextBrowser

    return "\n".join(page.toPlainText() for page in window.findChildren(QTextBrowser))


def test_without_consent_nothing_goes(qtbot: QtBot, window: SearchWindow, worker: Worker) -> None:
    choose(window, 0)
    QTest.keyClick(child(window, ResultList), Qt.Key.Key_Delete)

    child(window, DeleteDialog).reject()

    assert told(window) == ""
    assert worker.get("/api/trash")[1]["batches"] == []


def test_delete_in_the_box_deletes_a_letter(qtbot: QtBot, window: SearchWindow) -> None:
    choose(window, 0)
    box = window.findChildren(QLineEdit)[0]
    box.setFocus()

    QTest.keyClick(box, Qt.Key.Key_Delete)

    assert window.findChildren(DeleteDialog) == []


def test_a_memory_is_written_by_hand_without_its_secret(qtbot: QtBot, window: SearchWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = child(window, NewMemoryDialog)
    QTest.keyClicks(child(dialog, QPlainTextEdit), f"The gate opens at dawn, with {KEY}")
    dialog.findChildren(QLineEdit)[0].setText("A gate 连接池")
    assert dialog.findChildren(QComboBox)[0].currentText() == "garden"

    next(each for each in dialog.findChildren(QPushButton) if each.isDefault()).click()

    qtbot.waitUntil(lambda: "A gate 连接池" in told(window), timeout=20_000)
    assert "Secrets were left out: 1 " in told(window)
    qtbot.waitUntil(lambda: "A gate 连接池" in titles(window), timeout=20_000)


def test_a_new_memory_that_is_refused_stays_on_the_screen(
    qtbot: QtBot, window: SearchWindow
) -> None:
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = child(window, NewMemoryDialog)
    child(dialog, QPlainTextEdit).setPlainText("x" * 100_001)

    next(each for each in dialog.findChildren(QPushButton) if each.isDefault()).click()

    qtbot.waitUntil(
        lambda: "✕" in "".join(e.text() for e in dialog.findChildren(QLabel)), timeout=20_000
    )
    assert dialog.isVisible()
