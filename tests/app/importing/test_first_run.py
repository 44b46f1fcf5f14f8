"""The first screen imports what it has found, and goes on to the search."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from app.background import Background
from app.clients.connections import Connections
from app.settings.store import SettingsStore
from app.theme import Theme
from app.welcome.window import WelcomeWindow
from tests.app.importing.test_window import button, found, seen
from tests.ingest.transcripts.made import pool_talk
from tests.integration.memories import without_meaning
from tests.integration.processes import Worker, running
from worker.shared.autostart import StartAtLogin
from worker.shared.clients.entry import System
from worker.shared.paths import Paths


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Worker]:
    folder = tmp_path / ".claude-mem"
    without_meaning(folder)
    with running(folder) as worker:
        worker.until("/api/ready", lambda status, body: status == 200 and body["state"] == "ok")
        yield worker


@pytest.fixture
def welcome(qtbot: QtBot, theme: Theme, started: Worker, tmp_path: Path) -> Iterator[WelcomeWindow]:
    pool_talk().write(tmp_path / ".claude" / "projects")
    paths = Paths(started.data_dir)
    system = System("linux", {"HOME": str(tmp_path)}, tmp_path)
    background = Background()
    window = WelcomeWindow(
        paths,
        background,
        Connections(paths, background, background, system=system),
        StartAtLogin(paths, system),
        SettingsStore(paths.settings, background),
        QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat),
        theme,
        system=system,
    )
    qtbot.addWidget(window)
    window.open()
    yield window
    window.close()
    background.stop()
    background.deleteLater()


def test_the_first_screen_imports_what_it_has_found(
    qtbot: QtBot, welcome: WelcomeWindow, started: Worker
) -> None:
    searched = QSignalSpy(welcome.search_requested)
    qtbot.waitUntil(lambda: "Sessions of Claude Code: 1" in seen(welcome), timeout=10_000)
    qtbot.waitUntil(lambda: button(welcome, "Import them").isEnabled(), timeout=10_000)

    button(welcome, "Import them").click()

    qtbot.waitUntil(lambda: "✓ Imported" in seen(welcome), timeout=20_000)
    qtbot.waitUntil(lambda: found(started, "deadlocks") > 0, timeout=20_000)
    panel_search = button(welcome, "Search memory")
    panel_search.click()
    assert searched.count() == 1
