"""Windows that are opened and closed again and again while nobody answers."""

from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app.background import Background
from app.health.card import Card
from app.health.window import HealthWindow
from app.logs.window import LogWindow
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.health.samples import BROKEN, OK, running
from tests.app.logs.lines import line, write
from tests.shared.stub import Answer, Stub
from worker.shared.paths import Paths
from worker.shared.readiness import Ready


def names(window: HealthWindow) -> list[str]:
    return [card.accessibleName() for card in window.findChildren(Card)]


def test_a_hundred_times_with_a_silent_worker_and_a_long_log(
    paths: Paths, background: Background, places: QSettings, theme: Theme, qtbot: QtBot
) -> None:
    write(paths.logs / "worker-20260528-1.jsonl", *(line(f"{n}", n / 100) for n in range(20_000)))
    client = WorkerClient(paths)
    health = HealthWindow(paths, client, background, places, theme)
    client.setParent(health)
    logs = LogWindow(paths, background, places, theme)
    stub = Stub(paths, lambda _: None)
    with stub.serving():
        stub.announce()
        health.show_status(running())
        for _ in range(100):
            for window in (health, logs):
                window.present()
                qtbot.wait(1)
                window.close()
        stub.answer = lambda _: Answer(Ready(state=OK, parts=[BROKEN]).model_dump_json().encode())
        health.open("keyword")
        qtbot.waitUntil(lambda: any("limited" in name for name in names(health)))
        health.close()
    for window in (health, logs):
        window.deleteLater()
    background.stop()
    qtbot.wait(50)
