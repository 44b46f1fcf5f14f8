"""A window over a worker that has some calls on record."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.recalls.window import RecallsWindow
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.recalls.samples import Recorded, recall
from tests.shared.stub import Stub
from worker.shared.paths import Paths


@dataclass
class Scene:
    """A window, and what its worker has on record."""

    window: RecallsWindow
    recorded: Recorded
    theme: Theme


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture
def scene(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Scene]:
    paths = Paths(tmp_path / "data")
    paths.create()
    recorded = Recorded([recall(number) for number in reversed(range(1, 13))])
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    with Stub(paths, recorded).serving() as stub:
        stub.announce()
        window = RecallsWindow(WorkerClient(paths, environ={}), places, theme)
        qtbot.addWidget(window)
        yield Scene(window, recorded, theme)
        window.close()
        window.end()
        qtbot.wait(20)  # for what is let go of, before its client goes
