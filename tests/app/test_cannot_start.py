"""The window of an app that cannot begin: it names the folder, the cause and what to do."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from app.cannot_start import CannotStartDialog
from app.language import FOLDER, speak
from app.spoken import told
from worker.shared.errors import FolderUnavailableError
from worker.shared.paths import Paths

PATHS = Paths(Path("/home/ada/.claude-mem"))
ENGLISH = (
    "The data folder cannot be used",
    f"{PATHS.own} cannot be used (Permission denied). Check who owns it and its folder",
    "--data-dir DIR",
    f"Data folder: {PATHS.data_dir}",
)
CHINESE = (
    "无法使用数据文件夹",
    f"无法使用 {PATHS.own}（权限不足）。请检查它及其文件夹的所有者和读写权限",
    "--data-dir DIR",
    f"数据文件夹：{PATHS.data_dir}",
)


@pytest.fixture(params=["en", "zh_CN"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """The language that the app speaks, until the end of a test."""
    if not (FOLDER / f"memtray_{request.param}.qm").exists():
        pytest.skip("make translations compiles them")
    before = QLocale()
    speak(qapp, request.param)
    yield request.param
    QLocale.setDefault(before)
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)


@pytest.fixture
def dialog(qtbot: QtBot, language: str) -> CannotStartDialog:
    refused = PermissionError(errno.EACCES, "Permission denied", str(PATHS.own))
    dialog = CannotStartDialog(told(FolderUnavailableError.of(refused)), PATHS)
    qtbot.addWidget(dialog)
    dialog.present()
    return dialog


def test_it_names_folder_cause_and_what_to_do_and_all_of_it_can_be_copied(
    dialog: CannotStartDialog, language: str
) -> None:
    shown = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    (copy,) = (b for b in dialog.findChildren(QPushButton) if b.text().endswith(("Copy", "(&C)")))

    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)

    for text in CHINESE if language == "zh_CN" else ENGLISH:
        assert text in shown
        assert text in QApplication.clipboard().text()


def test_escape_closes_it(dialog: CannotStartDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Escape)

    assert not dialog.isVisible()
