"""The log window as a user works with it."""

import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.logs.model import Column
from app.logs.reader import FIRST, MOST
from app.logs.view import LogView
from app.logs.window import LogWindow
from app.theme import DARK, Choice, Theme
from tests.app.logs.lines import line, write
from tests.bench.material import ROOT
from worker.shared.paths import Paths

FOLDER_TEXT = "Traceback (most recent call last):\n  File\nOSError"


_W = TypeVar("_W", bound=QWidget)


def inside(window: QWidget, kind: type[_W]) -> _W:
    """Return the one widget of a kind."""
    found = window.findChild(kind)
    assert found is not None
    return found


class Screen:
    """What a user sees of the window, and where he clicks."""

    def __init__(self, window: LogWindow, qtbot: QtBot) -> None:
        self.window, self._qtbot = window, qtbot
        self.view = inside(window, LogView)
        self.field = inside(window, QLineEdit)
        self.level, self.part = window.findChildren(QComboBox)
        self.regex = inside(window, QCheckBox)
        self.details = inside(window, QPlainTextEdit)

    @property
    def rows(self) -> list[str]:
        model = self.view.model()
        return [model.index(row, Column.MESSAGE).data() for row in range(model.rowCount())]

    @property
    def said(self) -> str:
        labels = self.window.findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisible())

    def until(self, holds: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(holds, timeout=5000)

    def until_rows(self, *rows: str) -> None:
        self.until(lambda: self.rows == list(rows))

    def button(self, text: str) -> QPushButton:
        buttons = self.window.findChildren(QPushButton)
        return next(button for button in buttons if button.text().replace("&", "") == text)

    def do(self, text: str) -> None:
        next(action for action in self.window.actions() if action.text() == text).trigger()

    def press(self, key: Qt.Key, *, shift: bool = False) -> None:
        modifiers = Qt.KeyboardModifier
        modifier = modifiers.ShiftModifier if shift else modifiers.NoModifier
        QTest.keyClick(self.view, key, modifier)

    @property
    def current(self) -> str:
        return str(self.view.currentIndex().siblingAtColumn(Column.MESSAGE).data())


@pytest.fixture
def log(paths: Paths) -> Path:
    return paths.logs / "worker-20260528-1.jsonl"


@pytest.fixture
def screen(window: LogWindow, qtbot: QtBot) -> Screen:
    return Screen(window, qtbot)


def test_it_shows_what_all_processes_logged_and_follows(
    screen: Screen, log: Path, paths: Paths
) -> None:
    write(log, line("a", 1), line("c", 3))
    write(paths.logs / "mcp-20260528-2.jsonl", line("b", 2, component="mcp_server.server"))
    screen.window.open()

    screen.until_rows("a", "b", "c")
    write(log, line("d", 4))
    screen.until_rows("a", "b", "c", "d")
    assert "4 of 4 lines · following" in screen.said


def test_a_line_is_shown_below_once_it_was_chosen(screen: Screen, log: Path) -> None:
    write(log, line("old", 1), line("new", 2))
    screen.window.open()
    screen.until_rows("old", "new")

    screen.field.setFocus()
    screen.view.setFocus()
    screen.until(screen.view.hasFocus)
    assert screen.details.toPlainText() == ""

    place = screen.view.visualRect(screen.view.model().index(1, Column.MESSAGE)).center()
    QTest.mouseClick(screen.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "new" in screen.details.toPlainText()


def test_an_empty_folder_is_told(screen: Screen, paths: Paths) -> None:
    screen.window.open()

    screen.until(lambda: f"Nothing new has been logged in {paths.logs}." in screen.said)


def test_it_follows_until_the_user_scrolls_up_and_again_after_a_jump_to_the_end(
    screen: Screen, log: Path
) -> None:
    write(log, *(line(f"{n}", n) for n in range(200)))
    screen.window.open()
    screen.until(lambda: len(screen.rows) == 200)
    bar = screen.view.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0

    bar.setValue(50)
    write(log, line("new", 200))
    screen.until(lambda: len(screen.rows) == 201)
    assert bar.value() == 50
    assert "following" not in screen.said

    screen.button("Jump to end").click()
    assert bar.value() == bar.maximum()
    write(log, line("newer", 201))
    screen.until(lambda: len(screen.rows) == 202)
    assert bar.value() == bar.maximum()


def test_a_rotated_file_goes_on(screen: Screen, log: Path) -> None:
    write(log, line("a", 1))
    screen.window.open()
    screen.until_rows("a")

    write(log, line("b", 2))
    log.rename(log.with_name(f"{log.name}.1"))
    write(log, line("c", 3))

    screen.until_rows("a", "b", "c")


def test_nothing_is_read_while_nobody_looks(
    screen: Screen, log: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(log, line("a", 1))
    screen.window.open()
    screen.until_rows("a")
    screen.window.close()
    write(log, line("b", 2))
    qtbot.wait(700)
    assert screen.rows == ["a"]

    screen.window.open()
    screen.until_rows("a", "b")


def test_text_level_and_part_are_chosen_by_keyboard(
    screen: Screen, log: Path, qtbot: QtBot
) -> None:
    write(
        log,
        line("disk full", 1, level="ERROR", component="worker.index.sync"),
        line("disk slow", 2, level="WARNING"),
        line("disk fine", 3),
        line("hello", 4),
    )
    screen.window.open()
    screen.until(lambda: len(screen.rows) == 4)

    QTest.keyClicks(screen.field, "Disk")
    screen.until_rows("disk full", "disk slow", "disk fine")
    QTest.keyClick(screen.level, Qt.Key.Key_W)
    screen.until_rows("disk full", "disk slow")
    screen.part.setCurrentIndex(screen.part.findText("worker.index.sync"))
    screen.until_rows("disk full")
    screen.field.clear()
    screen.level.setCurrentIndex(0)
    screen.part.setCurrentIndex(0)
    screen.until(lambda: len(screen.rows) == 4)


def test_esc_empties_the_field_and_then_closes_the_window(screen: Screen, log: Path) -> None:
    write(log, line("a", 1), line("b", 2))
    screen.window.open()
    screen.until_rows("a", "b")
    screen.field.setFocus()
    QTest.keyClicks(screen.field, "b")
    screen.until_rows("b")

    QTest.keyClick(screen.field, Qt.Key.Key_Escape)
    screen.until_rows("a", "b")
    assert screen.window.isVisible()
    QTest.keyClick(screen.field, Qt.Key.Key_Escape)
    assert not screen.window.isVisible()


def test_a_bad_expression_is_told_beside_the_field_and_changes_nothing(
    screen: Screen, log: Path, qtbot: QtBot
) -> None:
    write(log, line("port 37777", 1), line("no port", 2))
    screen.window.open()
    screen.until(lambda: len(screen.rows) == 2)
    screen.regex.click()

    QTest.keyClicks(screen.field, r"port (")
    screen.until(lambda: "Not a regular expression, at character 7" in screen.said)
    assert len(screen.rows) == 2

    screen.field.setText(r"port \d+")
    screen.until_rows("port 37777")
    assert "Not a regular expression" not in screen.said


def test_e_and_shift_e_walk_through_the_errors(screen: Screen, log: Path) -> None:
    write(
        log,
        line("first", 1, level="ERROR", exception=FOLDER_TEXT),
        line("between", 2),
        line("second", 3, level="CRITICAL"),
        line("end", 4),
    )
    screen.window.open()
    screen.until(lambda: len(screen.rows) == 4)

    screen.press(Qt.Key.Key_E, shift=True)
    assert screen.current == "second"
    screen.press(Qt.Key.Key_E, shift=True)
    assert screen.current == "first ⤵"
    assert FOLDER_TEXT in screen.details.toPlainText()
    screen.press(Qt.Key.Key_E, shift=True)
    assert "No error comes before." in screen.said
    screen.press(Qt.Key.Key_E)
    assert screen.current == "second"
    assert FOLDER_TEXT not in screen.details.toPlainText()


def test_the_entry_in_sight_stays_when_others_are_selected(
    screen: Screen, log: Path, qtbot: QtBot
) -> None:
    write(log, *(line(f"{n}", n, level="ERROR" if n == 100 else "INFO") for n in range(200)))
    screen.window.open()
    screen.until(lambda: len(screen.rows) == 200)
    screen.press(Qt.Key.Key_E, shift=True)

    screen.level.setCurrentIndex(1)
    screen.until(lambda: screen.current == "100")
    assert not screen.view.following
    assert screen.view.visualRect(screen.view.currentIndex()).isValid()


def test_what_is_chosen_is_copied_else_all_that_is_shown(
    screen: Screen, log: Path, qtbot: QtBot
) -> None:
    write(log, line("a", 1), line("b", 2, exception="Traceback"))
    screen.window.open()
    screen.until(lambda: len(screen.rows) == 2)
    clipboard = QGuiApplication.clipboard()

    screen.do("Copy")
    screen.until(lambda: "Copied." in screen.said)
    assert clipboard.text().splitlines() == [
        "2026-05-28 12:00:01 INFO worker.run: a",
        "2026-05-28 12:00:02 INFO worker.run: b",
        "    Traceback",
    ]
    screen.press(Qt.Key.Key_Home)
    screen.do("Copy")
    screen.until(lambda: clipboard.text() == "2026-05-28 12:00:01 INFO worker.run: a")


@pytest.mark.parametrize(("name", "said"), [("out.log", "Saved as"), ("no/out.log", "Not saved:")])
def test_what_is_shown_is_saved_where_the_user_says(
    screen: Screen, log: Path, tmp_path: Path, name: str, said: str
) -> None:
    write(log, line("a 死锁", 1))
    screen.window.open()
    screen.until_rows("a 死锁")

    screen.do("Save as…")
    dialog = inside(screen.window, QFileDialog)
    assert dialog.isVisible()
    dialog.fileSelected.emit(str(tmp_path / name))
    dialog.reject()

    screen.until(lambda: said in screen.said)
    if said == "Saved as":
        assert (tmp_path / name).read_text("utf-8").endswith("worker.run: a 死锁\n")


class Opener(QObject):
    opened: QUrl | None = None

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened = url


def test_the_folder_is_opened(screen: Screen, paths: Paths) -> None:
    opener = Opener()
    QDesktopServices.setUrlHandler("file", opener, "open")  # type: ignore[arg-type]  # the stub errs
    try:
        screen.do("Open folder")
    finally:
        QDesktopServices.unsetUrlHandler("file")

    assert opener.opened == QUrl.fromLocalFile(str(paths.logs))


def test_a_cleared_view_shows_what_follows(screen: Screen, log: Path) -> None:
    write(log, line("old", 1))
    screen.window.open()
    screen.until_rows("old")

    screen.do("Clear view")
    screen.until_rows()
    write(log, line("new", 2))
    screen.until_rows("new")
    screen.button("Load older").click()
    screen.until_rows("old", "new")


def test_it_follows_the_theme(screen: Screen, log: Path, theme: Theme) -> None:
    write(log, line("a", 1, level="ERROR"))
    screen.window.open()
    screen.until_rows("a")

    theme.choose(Choice.DARK)

    cell = screen.view.model().index(0, Column.LEVEL)
    assert cell.data(Qt.ItemDataRole.ForegroundRole).name() == DARK.error


def test_the_guide_names_each_key_and_how_much_is_read(window: LogWindow) -> None:
    guide = (ROOT / "docs" / "USING.md").read_text(encoding="utf-8")
    logs = guide.partition("## Logs")[2].partition("\n## ")[0]

    assert f"{FIRST:,} lines at first" in logs
    assert f"up to {MOST:,}" in logs
    keys = {action.shortcut().toString() for action in window.actions()}
    assert len(keys) == 6
    assert all(key in logs for key in keys)


def test_a_log_of_500_mb_opens_in_a_second_and_the_window_never_stands_still(
    screen: Screen, log: Path, qtbot: QtBot
) -> None:
    """The seconds are many here, for busy machines; tests/bench measures."""
    block = b"".join(line(f"GET /api/search 200 in {n} ms", n / 100) for n in range(5000))
    with log.open("wb") as file:
        file.truncate(500 * 2**20)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + block * 4)
    beats = [time.perf_counter()]
    heart = QTimer(interval=5)
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start()
    began = time.perf_counter()

    screen.window.open()
    qtbot.waitUntil(lambda: len(screen.rows) == 10_000, timeout=10_000)

    assert time.perf_counter() - began < 5
    assert max(b - a for a, b in itertools.pairwise(beats)) < 1
