"""The import window over a real worker, whose database claude-mem has recorded in."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.background import Background
from app.importing.found import Sources
from app.importing.jobs import ImportJobs
from app.importing.window import ImportWindow
from app.settings.store import SettingsStore
from app.status import AppStatus
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.real_worker import searching_by_words
from tests.app.statuses import RUNNING
from tests.ingest.transcripts.made import pool_talk
from tests.integration.processes import Worker
from worker.shared.paths import Paths
from worker.shared.state import look

UNREADABLE = '{"type": "user", "message"\n'


@dataclass
class Scene:
    """A window and what it imports."""

    window: ImportWindow
    jobs: ImportJobs
    projects: Path
    paths: Paths
    store: SettingsStore


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("real")
    with searching_by_words(folder, memories=3) as started:
        yield started


@pytest.fixture
def answering(worker: Worker) -> AppStatus:
    """The status of a worker that answers."""
    return replace(RUNNING, worker=look(Paths(worker.data_dir), {}))


@pytest.fixture
def scene(
    qtbot: QtBot, theme: Theme, worker: Worker, answering: AppStatus, tmp_path: Path
) -> Iterator[Scene]:
    projects = tmp_path / "projects"
    file = pool_talk().write(projects)
    file.write_text(file.read_text(encoding="utf-8") + UNREADABLE, encoding="utf-8")
    (file.parent / "agent-1.jsonl").write_text("", encoding="utf-8")
    paths = Paths(worker.data_dir)
    background = Background()
    client, store = WorkerClient(paths, environ={}), SettingsStore(paths.settings)
    jobs, sources = ImportJobs(client, client), Sources(background, projects, client)
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    window = ImportWindow(jobs, sources, store, places)
    for owned in (background, client, store):
        owned.setParent(window)
    qtbot.addWidget(window)
    window.show_status(answering)
    yield Scene(window, jobs, projects, paths, store)
    window.close()
    background.stop()
