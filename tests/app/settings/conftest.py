"""A settings window over files of its own and a worker that answers as a test wants."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.background import Background
from app.clients.connections import Connections
from app.settings.store import SettingsStore
from app.settings.window import SettingsWindow
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.login_entry import Entry
from tests.app.recalls.samples import Recorded, recall
from tests.shared.stub import Stub
from worker.shared.paths import Paths


@dataclass
class Scene:
    """A window and all that it changes."""

    window: SettingsWindow
    store: SettingsStore
    entry: Entry
    recorded: Recorded
    theme: Theme


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture
def scene(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Scene]:
    monkeypatch.setenv("HOME", str(tmp_path))  # where Claude's config files would be
    paths = Paths(tmp_path / "data")
    paths.create()
    background, store, entry = Background(), SettingsStore(paths.settings), Entry()
    recorded = Recorded([recall(number) for number in range(3)])
    with Stub(paths, recorded).serving() as stub:
        stub.announce()
        window = SettingsWindow(
            store,
            login=entry,
            connections=Connections(paths, background),
            client=WorkerClient(paths, environ={}),
            background=background,
            places=QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat),
            theme=theme,
        )
        qtbot.addWidget(window)
        yield Scene(window, store, entry, recorded, theme)
        window.close()
        qtbot.wait(20)  # for what is let go of, before its client goes
        background.stop()
