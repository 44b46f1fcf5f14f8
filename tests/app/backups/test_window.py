"""Backups are made, listed and restored, over a real worker."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QTableView
from pytestqt.qtbot import QtBot

from app.backups.model import BackupsModel
from app.backups.window import BackupsWindow
from app.backups.wording import when
from app.status import AppStatus
from app.worker_client import WorkerClient
from tests.app.real_worker import searching_by_words
from tests.app.statuses import RUNNING, STOPPED
from tests.integration.processes import Worker
from worker.shared.paths import Paths
from worker.shared.state import look
from worker.shared.upkeep import BackupReply

WAIT = 60_000
NOON = dt.datetime(2026, 6, 1, 12, 0).astimezone()
Yes, Cancel = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("real")
    with searching_by_words(folder, memories=3) as started:
        yield started


@pytest.fixture
def answering(worker: Worker) -> AppStatus:
    return replace(RUNNING, worker=look(Paths(worker.data_dir), {}))


@pytest.fixture
def window(
    qtbot: QtBot, worker: Worker, answering: AppStatus, tmp_path: Path
) -> Iterator[BackupsWindow]:
    client = WorkerClient(Paths(worker.data_dir), environ={})
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    window = BackupsWindow(client, places)
    client.setParent(window)
    qtbot.addWidget(window)
    window.show_status(answering)
    window.open()
    yield window
    window.close()


def button(window: BackupsWindow, text: str) -> QPushButton:
    return next(each for each in window.findChildren(QPushButton) if each.text() == text)


def press(window: BackupsWindow, text: str) -> None:
    QTest.mouseClick(button(window, text), Qt.MouseButton.LeftButton)


def shown(window: BackupsWindow) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def test_a_backup_is_made_listed_and_restored_after_a_question(
    qtbot: QtBot, window: BackupsWindow
) -> None:
    press(window, "&Back up now")
    qtbot.waitUntil(
        lambda: "✓ Backed up and checked: 3 observations" in shown(window), timeout=WAIT
    )
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=WAIT)
    assert not button(window, "R&estore…").isEnabled()

    window.findChildren(QTableView)[0].selectRow(0)
    press(window, "R&estore…")
    (question,) = window.findChildren(QMessageBox)
    assert "Go back to the memories of" in question.text()
    question.button(Cancel).click()
    assert "Restor" not in shown(window)

    press(window, "R&estore…")
    with qtbot.waitSignal(window.memories_changed, timeout=WAIT):
        question.button(Yes).click()

    assert "✓ Restored: 3 observations" in shown(window)
    qtbot.waitUntil(lambda: window.model.rowCount() == 2, timeout=WAIT)


def test_without_a_worker_nothing_can_be_done_but_to_start_it(
    qtbot: QtBot, window: BackupsWindow
) -> None:
    window.show_status(STOPPED)

    assert "The worker does not answer" in shown(window)
    assert not button(window, "&Back up now").isEnabled()
    with qtbot.waitSignal(window.start_requested):
        press(window, "Sta&rt worker")


def test_a_damaged_one_is_told_in_words(qtbot: QtBot) -> None:
    damaged = BackupReply(
        name="a.db",
        path="/a.db",
        kind="daily",
        made=NOON.isoformat(),
        bytes=1,
        memories=None,
        problem="database disk image is malformed",
    )
    model = BackupsModel()
    model.show_backups([damaged])

    texts = [model.index(0, column).data() for column in range(model.columnCount())]

    assert texts[1] == "Daily"
    assert texts[3:] == ["cannot be read", "✕ damaged"]
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == damaged.problem


def test_the_time_of_a_backup_tells_its_age() -> None:
    assert when(NOON.isoformat(), NOON) == "2026-06-01 12:00 (today)"
    assert when((NOON - dt.timedelta(days=1)).isoformat(), NOON).endswith("(yesterday)")
    assert when((NOON - dt.timedelta(days=9)).isoformat(), NOON).endswith("(9 days ago)")
