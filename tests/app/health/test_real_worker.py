"""The health window over a real worker."""

import json
from pathlib import Path

from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app.background import Background
from app.health.window import HealthWindow
from app.status import AppStatus, Look
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.health.test_window import Screen
from tests.bench.workers import free_port
from tests.integration.answers import until_part
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import running
from worker.shared.paths import Paths
from worker.shared.readiness import PartState
from worker.shared.state import look


def test_green_is_said_once_the_canary_was_heard_and_an_index_is_made_anew(
    tmp_path: Path, background: Background, places: QSettings, theme: Theme, qtbot: QtBot
) -> None:
    paths = Paths(tmp_path / "data")
    new_database(paths.database, some(60))
    without_meaning(paths.data_dir)
    with running(paths.data_dir) as worker:
        until_part(worker, "keyword", PartState.OK)
        client = WorkerClient(paths)
        window = HealthWindow(paths, client, background, places, theme)
        client.setParent(window)
        qtbot.addWidget(window)
        screen = Screen(window, qtbot)
        window.show_status(AppStatus(Look.RUNNING, "Running", worker=look(paths)))
        window.open()

        screen.until_seen("Everything was seen to work", seconds=60)
        screen.until_seen("by two Chinese characters in")
        screen.until_seen("60 · looked at")
        screen.click("Check and repair")
        screen.until_seen("Nothing had to be mended.", seconds=30)
        screen.choose_index("Index of words")
        screen.until_seen("Being made anew: Keyword index", seconds=10)
        screen.until_seen("Everything was seen to work", seconds=60)


def test_a_worker_that_goes_away_is_told_and_the_doctor_takes_over(
    tmp_path: Path, background: Background, places: QSettings, theme: Theme, qtbot: QtBot
) -> None:
    paths = Paths(tmp_path / "data")
    new_database(paths.database, some(60))
    without_meaning(paths.data_dir)
    settings = {"semantic": False, "port": free_port()}  # others may have the usual one
    paths.settings.write_text(json.dumps(settings), encoding="utf-8")
    client = WorkerClient(paths)
    window = HealthWindow(paths, client, background, places, theme)
    client.setParent(window)
    qtbot.addWidget(window)
    screen = Screen(window, qtbot)
    with running(paths.data_dir) as worker:
        until_part(worker, "keyword", PartState.OK)
        window.show_status(AppStatus(Look.RUNNING, "Running", worker=look(paths)))
        window.open()
        screen.until_seen("Process")
        worker.process.kill()
        worker.process.wait(10)

    window.show_status(AppStatus(Look.STOPPED, "Not running", can_start=True, worker=look(paths)))

    screen.until_seen("The worker does not run")
    screen.until_seen("GB are free", seconds=60)
    assert "works" in screen.seen(screen.card("Keyword index"))
