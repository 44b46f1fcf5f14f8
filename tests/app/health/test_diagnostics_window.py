"""The report as a user sees, copies and saves it."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.background import Background
from app.health.diagnostics_window import DiagnosticsWindow
from app.theme import Theme
from tests.app.health.samples import PARTS, running
from tests.app.logs.lines import line, write
from tests.shared.stub import TOKEN, Answer, Asked, Stub
from worker.shared.contract import StatsReply
from worker.shared.paths import Paths
from worker.shared.readiness import PartState, Ready

MEMORY = "We chose Postgres because Oracle was too dear"
PLANTED = "planted-key-of-the-user-42"


def answer(asked: Asked) -> Answer | None:
    if asked.path == "/api/ready":
        body = Ready(state=PartState.OK, parts=list(PARTS)).model_dump_json()
    else:
        body = StatsReply(
            observations=812,
            sessions=4,
            prompts=9,
            projects={"secret-project": 812},
            types={},
            months={},
            oldest=None,
            newest=None,
        ).model_dump_json()
    return Answer(body.encode())


@pytest.fixture
def worker(paths: Paths) -> Iterator[Stub]:
    stub = Stub(paths, answer)
    with stub.serving():
        stub.announce()
        yield stub


@pytest.fixture
def window(
    paths: Paths, background: Background, places: QSettings, theme: Theme, qtbot: QtBot
) -> DiagnosticsWindow:
    made = DiagnosticsWindow(paths, background, places, theme)
    qtbot.addWidget(made)
    return made


def text_of(window: DiagnosticsWindow) -> str:
    field = window.findChild(QPlainTextEdit)
    assert field
    return field.toPlainText()


def button(window: DiagnosticsWindow, text: str) -> QPushButton:
    buttons = window.findChildren(QPushButton)
    return next(button for button in buttons if button.text().replace("&", "") == text)


def says(window: DiagnosticsWindow, text: str) -> bool:
    return any(text in label.text() for label in window.findChildren(QLabel))


def test_what_is_shown_is_what_is_copied_and_saved_and_nothing_private_is_in_it(
    window: DiagnosticsWindow,
    worker: Stub,
    paths: Paths,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", PLANTED)
    write(
        paths.logs / "worker-20260528-1.jsonl",
        line(f"memories in {paths.database}, asked with {TOKEN}", 1),
        line(MEMORY, 2, level="DEBUG"),
        line("it broke", 3, level="ERROR", exception=f"Traceback\nValueError: {MEMORY}"),
        line(f"the key is {PLANTED}", 4),
    )
    (paths.logs / "worker-output.log").write_text(f"started by ann in {paths.own}\n", "utf-8")

    window.open()
    qtbot.waitUntil(lambda: "it broke" in text_of(window), timeout=20_000)
    text = text_of(window)

    for private in (str(Path.home()), "ann", TOKEN, PLANTED, MEMORY, "secret-project"):
        assert private not in text
    for told in ("observations: 812", "projects: 1", "memories in ~/.claude-mem/claude-mem.db"):
        assert told in text
    assert "store: ok, 812 of 812, lag 0" in text
    assert "started by *** in ~/.claude-mem/memtray" in text

    button(window, "Copy").click()
    assert QGuiApplication.clipboard().text() == text
    button(window, "Save as zip…").click()
    dialog = window.findChild(QFileDialog)
    assert dialog
    dialog.fileSelected.emit(str(tmp_path / "out.zip"))
    dialog.reject()
    qtbot.waitUntil(lambda: says(window, "Saved as"))
    with zipfile.ZipFile(tmp_path / "out.zip") as file:
        assert [file.read(name).decode() for name in file.namelist()] == [text]


def test_a_place_that_cannot_be_written_is_told(
    window: DiagnosticsWindow, worker: Stub, tmp_path: Path, qtbot: QtBot
) -> None:
    window.open()
    qtbot.waitUntil(lambda: "observations" in text_of(window), timeout=20_000)

    button(window, "Save as zip…").click()
    dialog = window.findChild(QFileDialog)
    assert dialog
    dialog.fileSelected.emit(str(tmp_path / "no" / "out.zip"))
    dialog.reject()

    qtbot.waitUntil(lambda: says(window, "No such file or directory"))


def test_with_the_worker_down_the_doctor_tells_of_the_parts(
    window: DiagnosticsWindow, qtbot: QtBot
) -> None:
    window.open()

    qtbot.waitUntil(lambda: "state: not running" in text_of(window), timeout=60_000)
    assert "worker: off" in text_of(window)
    assert "store: off" in text_of(window)


def test_it_names_version_state_and_folder(window: DiagnosticsWindow, paths: Paths) -> None:
    window.show_status(running())

    assert says(window, f"Running · {paths.data_dir}")
