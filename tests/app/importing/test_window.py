"""Sessions become memories by a click, and are gone by another."""

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.app.importing.conftest import Scene
from tests.app.statuses import STOPPED
from tests.ingest.claude_ai.exports import pool, zipped
from tests.ingest.test_claude_mem_export import EXPORT
from tests.ingest.transcripts.made import Talk
from tests.integration.processes import Worker

ANSWER = "The cause is that the cache is never emptied, so the oldest entry answers for case"


def seen(window: QWidget) -> str:
    return "\n".join(label.text() for label in window.findChildren(QLabel) if label.isVisible())


def button(window: QWidget, text: str) -> QPushButton:
    (found,) = (
        each
        for each in window.findChildren(QPushButton)
        if each.text().replace("&", "") == text and each.isVisible()
    )
    return found


def found(worker: Worker, query: str) -> int:
    _, body = worker.get(f"/api/search?query={query}&format=json")
    return len(body["items"])


def opened(qtbot: QtBot, scene: Scene, sessions: str = "1 session, ") -> None:
    scene.window.open()
    qtbot.waitUntil(lambda: sessions in seen(scene.window))


def test_sessions_are_imported_after_consent_and_undone(
    qtbot: QtBot, scene: Scene, worker: Worker
) -> None:
    window = scene.window
    opened(qtbot, scene)
    assert str(scene.projects) in seen(window)

    QTest.mouseClick(button(window, "Import Claude Code's sessions"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Nothing that is there changes" in seen(window))
    assert found(worker, "deadlocks") == 0
    with qtbot.waitSignal(scene.jobs.ended, timeout=20_000):
        button(window, "Add to it").setFocus()
        button(window, "Add to it").click()
        assert not isinstance(QApplication.focusWidget(), QAbstractButton)  # that Space would press

    assert "✓ Imported" in seen(window)
    assert "There already: 0. Files read: 2, in" in seen(window)
    assert "could not be read: 1" in seen(window)
    (unread,) = window.findChildren(QPlainTextEdit)
    assert f"{pool_file(scene)}, line " in unread.toPlainText()
    assert unread.horizontalScrollBar().maximum() == 0  # the reason at the end is seen
    qtbot.waitUntil(lambda: found(worker, "deadlocks") > 0, timeout=20_000)

    button(window, "Undo this import…").click()
    assert "memories that it added are removed, and nothing else" in seen(window)
    button(window, "Yes, undo it").click()
    qtbot.waitUntil(lambda: "✓ Undone. Memories removed: " in seen(window), timeout=20_000)
    assert "✓ Imported" not in seen(window)
    qtbot.waitUntil(lambda: found(worker, "deadlocks") == 0, timeout=20_000)


def pool_file(scene: Scene) -> str:
    (file,) = scene.projects.rglob("1111*.jsonl")
    return str(file)


def test_no_answers_no_import(qtbot: QtBot, scene: Scene, worker: Worker) -> None:
    opened(qtbot, scene)
    button(scene.window, "Import Claude Code's sessions").click()
    qtbot.waitUntil(lambda: scene.jobs.state.question != "")

    button(scene.window, "Not now").click()

    assert "Nothing that is there changes" not in seen(scene.window)
    assert found(worker, "deadlocks") == 0


def test_chosen_files_are_imported(qtbot: QtBot, scene: Scene, worker: Worker) -> None:
    opened(qtbot, scene)
    button(scene.window, "Choose files…").click()
    (dialog,) = scene.window.findChildren(QFileDialog)
    assert dialog.isVisible()
    assert dialog.directory().path() == str(scene.projects)

    dialog.filesSelected.emit([pool_file(scene)])
    dialog.reject()

    qtbot.waitUntil(lambda: scene.jobs.state.question != "")
    assert scene.jobs.state.paths == (pool_file(scene),)


def test_without_transcripts_files_are_chosen_from_the_home_folder(
    qtbot: QtBot, scene: Scene, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    opened(qtbot, scene)
    shutil.rmtree(scene.projects)

    button(scene.window, "Choose files…").click()

    (dialog,) = scene.window.findChildren(QFileDialog)
    assert dialog.directory().path() == str(tmp_path)


def test_an_export_can_be_chosen_and_is_imported(
    qtbot: QtBot, scene: Scene, worker: Worker
) -> None:
    export = zipped(scene.projects / "export.zip", {"conversations.json": [pool()]})
    opened(qtbot, scene)
    button(scene.window, "Choose files…").click()
    (dialog,) = scene.window.findChildren(QFileDialog)
    qtbot.waitUntil(lambda: export.name in listed(dialog), timeout=20_000)

    field = dialog.findChildren(QLineEdit)[0]
    field.setText(export.name)
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: scene.jobs.state.question != "")
    with qtbot.waitSignal(scene.jobs.ended, timeout=20_000):
        button(scene.window, "Add to it").click()

    assert "✓ Imported" in seen(scene.window)
    qtbot.waitUntil(lambda: found(worker, "exhausted") > 0, timeout=20_000)
    scene.jobs.undo()
    qtbot.waitUntil(lambda: "✓ Undone. Memories removed: " in seen(scene.window), timeout=20_000)


def test_an_export_of_rows_is_imported_and_undone(
    qtbot: QtBot, scene: Scene, worker: Worker
) -> None:
    export = scene.projects / "memories.json"
    export.write_text(json.dumps(EXPORT), encoding="utf-8")
    opened(qtbot, scene)
    scene.jobs.begin([str(export)])
    qtbot.waitUntil(lambda: scene.jobs.state.question != "")
    with qtbot.waitSignal(scene.jobs.ended, timeout=20_000):
        button(scene.window, "Add to it").click()

    assert "✓ Imported" in seen(scene.window)
    scene.jobs.undo()
    qtbot.waitUntil(lambda: "✓ Undone. Memories removed: 2" in seen(scene.window), timeout=20_000)


def test_an_export_that_was_cut_off_says_so(qtbot: QtBot, scene: Scene, worker: Worker) -> None:
    export = scene.projects / "memories.json"
    export.write_text(json.dumps(EXPORT)[:-30], encoding="utf-8")
    opened(qtbot, scene)
    scene.jobs.begin([str(export)])
    qtbot.waitUntil(lambda: scene.jobs.state.question != "")
    with qtbot.waitSignal(scene.jobs.ended, timeout=20_000):
        button(scene.window, "Add to it").click()

    assert "✕ Nothing of it could be read" in seen(scene.window)
    why = scene.window.findChildren(QPlainTextEdit)[0].toPlainText()
    assert why.startswith(f"{export}: it is no whole JSON")


def listed(dialog: QFileDialog) -> list[str]:
    """Return the names of the files that can be chosen."""
    view = dialog.findChild(QListView, "listView")
    assert isinstance(view, QListView)
    files, root = view.model(), view.rootIndex()
    return [str(files.index(row, 0, root).data()) for row in range(files.rowCount(root))]


def test_a_cancelled_import_ends_at_once_and_what_it_added_can_go(
    qtbot: QtBot, scene: Scene
) -> None:
    for number in range(1_000):
        talk = Talk(session=f"{number:08}-2222-4333-8444-555555555555", second=number)
        talk.asks(f"What about case {number}?").says(f"{ANSWER} {number}").write(scene.projects)
    scene.jobs.begin([str(scene.projects)])
    opened(qtbot, scene, f"{QLocale().toString(1001)} sessions, ")
    qtbot.waitUntil(lambda: scene.jobs.state.question != "")
    button(scene.window, "Add to it").click()
    qtbot.waitUntil(lambda: "Importing: " in seen(scene.window), timeout=20_000)

    button(scene.window, "Cancel").click()

    qtbot.waitUntil(lambda: "Cancelled. What was added stays" in seen(scene.window), timeout=3_000)
    scene.jobs.undo()
    qtbot.waitUntil(lambda: "✓ Undone. Memories removed: " in seen(scene.window), timeout=20_000)


def test_a_worker_that_is_away_is_told_with_a_way_out(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)

    scene.window.show_status(STOPPED)

    assert "The worker does not answer (Stopped). It does the import." in seen(scene.window)
    assert not button(scene.window, "Import Claude Code's sessions").isEnabled()
    with qtbot.waitSignal(scene.window.start_requested):
        button(scene.window, "Start worker").click()


def test_the_switch_is_the_setting(qtbot: QtBot, scene: Scene) -> None:
    opened(qtbot, scene)
    (switch,) = scene.window.findChildren(QCheckBox)
    assert not switch.isChecked()
    assert "Claude Code deletes the oldest of them in 30 days." in seen(scene.window)

    switch.click()
    assert "deletes" not in seen(scene.window)
    kept = json.loads(scene.paths.settings.read_text(encoding="utf-8"))
    assert kept["watch_transcripts"] is True

    scene.store.change(watch_transcripts=False)
    assert not switch.isChecked()
