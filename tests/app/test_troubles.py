"""What goes wrong becomes a notice, or a message while somebody is there; a click finds it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.background import Background
from app.clients.connections import Connections
from app.notices.board import Board
from app.notices.policy import Kind
from app.settings.store import SettingsStore
from app.status import AppStatus, Impairment, Look
from app.supervisor.events import GaveUp, PortTaken
from app.supervisor.supervisor import Supervisor
from app.theme import Theme
from app.troubles import Troubles
from app.windows import Windows
from app.worker_client import WorkerClient
from tests.app.importing.test_wording import job
from tests.app.statuses import FAILED, RUNNING, STOPPED
from worker.shared.autostart import LoginError, StartAtLogin
from worker.shared.clients.entry import System
from worker.shared.clients.state import ClientReport, ClientState
from worker.shared.jobs import JobState
from worker.shared.paths import Paths
from worker.shared.state import State, WorkerState

HANGING = AppStatus(
    Look.ERROR,
    "Not answering",
    "process 7",
    (Impairment("worker", "It runs, but does not answer.", "Restart the worker."),),
    can_stop=True,
)
TAKEN = PortTaken(37777, "python3", 4711, next_free_port=37778)
GAVE_UP = GaveUp(3, ("it said this last",))
LOST = ClientReport("claude-desktop", ClientState.NOT_CONNECTED, None)


class Scene:
    """The parts of an app whose worker nobody starts."""

    def __init__(self, qapp: QApplication, folder: Path) -> None:
        self.paths = Paths(folder / ".claude-mem")
        self.paths.create()
        system = System("linux", {"HOME": str(folder)}, folder)
        root = QObject(qapp)
        self.background = Background(root)
        self.supervisor = Supervisor(self.paths, self.background, root)
        store = SettingsStore(self.paths.settings, root)
        self.board = Board(lambda: store.current, root)
        self.windows = Windows(
            self.paths,
            background=self.background,
            client=WorkerClient(self.paths, root, environ={}),
            store=store,
            supervisor=self.supervisor,
            connections=Connections(self.paths, self.background, root, system=system),
            login=StartAtLogin(self.paths, system),
            board=self.board,
            places=QSettings(str(folder / "app.ini"), QSettings.Format.IniFormat),
            theme=Theme(qapp),
            parent=root,
        )
        self.troubles = Troubles(self.supervisor, self.windows, self.board, root)
        self.root = root

    @property
    def told(self) -> list[tuple[Kind, str, str]]:
        return [(notice.kind, notice.title, notice.text) for notice in self.board.kept]


@pytest.fixture
def scene(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Scene]:
    scene = Scene(qapp, tmp_path)
    yield scene
    scene.background.stop()
    for window in QApplication.topLevelWidgets():
        window.hide()
        window.deleteLater()
    scene.root.deleteLater()


def shown() -> set[str]:
    """Return the names of the windows that can be seen."""
    found: list[QWidget] = QApplication.topLevelWidgets()
    return {x.objectName() for x in found if x.isVisible() and x.windowTitle()}


def test_an_error_is_told_once_with_its_cause_and_remedy(scene: Scene) -> None:
    for status in (RUNNING, HANGING, HANGING, RUNNING, HANGING):
        scene.troubles.follow(status)

    why = "It runs, but does not answer. Restart the worker."
    assert scene.told == [(Kind.ERROR, "Not answering", why)]


def test_a_stop_is_no_error(scene: Scene) -> None:
    for status in (RUNNING, STOPPED, RUNNING):
        scene.troubles.follow(status)

    assert scene.told == []


def test_what_stood_in_the_way_is_put_away_once_the_worker_answers(scene: Scene) -> None:
    scene.troubles.attended = True
    scene.troubles.follow(FAILED)
    scene.supervisor.port_taken.emit(TAKEN)
    scene.supervisor.gave_up.emit(GAVE_UP)
    assert shown() == {"port-taken", "gave-up"}

    scene.troubles.follow(RUNNING)
    assert shown() == {"port-taken", "gave-up"}  # nobody has answered yet
    state = WorkerState(state=State.RUNNING, data_dir="d", port=1)
    scene.troubles.follow(replace(RUNNING, worker=state))

    assert shown() == set()


def test_giving_up_is_told_once_and_shows_how_it_ended(scene: Scene) -> None:
    scene.troubles.follow(FAILED)
    scene.supervisor.gave_up.emit(GAVE_UP)

    assert [kind for kind, _, _ in scene.told] == [Kind.GAVE_UP]
    assert shown() == {"gave-up"}
    assert "it said this last" in scene.troubles.gave_up_dialog.lines.toPlainText()


def test_a_taken_port_is_a_notice_after_a_login_and_a_message_after_a_click(scene: Scene) -> None:
    scene.troubles.follow(FAILED)
    scene.supervisor.port_taken.emit(TAKEN)
    assert shown() == set()
    ((_, title, text),) = scene.told
    assert (title, "python3" in text) == ("Port 37777 is taken", True)

    scene.board.open_last()
    assert shown() == {"port-taken"}

    scene.troubles.port_dialog.hide()
    scene.troubles.attended = True
    scene.supervisor.port_taken.emit(TAKEN)
    assert shown() == {"port-taken"}
    assert len(scene.told) == 1


def test_the_end_of_a_long_import_is_told_and_a_click_opens_its_window(scene: Scene) -> None:
    added: dict[str, object] = {"state": JobState.DONE, "added": {"observations": 12}}
    scene.troubles.import_ended(job(seconds=29.0, **added))
    assert scene.told == []

    scene.troubles.import_ended(job(seconds=31.0, **added))
    ((kind, title, text),) = scene.told
    assert (kind, title) == (Kind.IMPORT_DONE, "The import is done")
    assert text.startswith("Memories added: 12. There already: 0.")
    scene.board.open_last()
    assert shown() == {"import"}


def test_a_cause_line_opens_the_message_that_belongs_to_it(scene: Scene) -> None:
    scene.troubles.follow(FAILED)
    scene.supervisor.port_taken.emit(TAKEN)

    scene.troubles.open_cause(Impairment("worker", "python3 has port 37777", ""))

    assert shown() == {"port-taken"}


def test_other_causes_open_the_health_window(scene: Scene) -> None:
    scene.troubles.open_cause(Impairment("vectors", "its folder is gone", ""))

    assert shown() == {"health"}


def test_what_is_over_is_not_opened_any_more(scene: Scene) -> None:
    scene.troubles.follow(FAILED)
    scene.supervisor.port_taken.emit(TAKEN)
    scene.troubles.follow(RUNNING)

    scene.board.open_last()

    assert shown() == {"health"}


def test_a_lost_client_is_named_and_its_click_opens_where_to_mend_it(scene: Scene) -> None:
    scene.troubles.client_vanished(LOST)
    ((kind, title, _),) = scene.told

    scene.board.open_last()

    assert (kind, title) == (Kind.CLIENT_VANISHED, "Claude Desktop has lost Memtray")
    assert shown() == {"settings"}


def test_a_login_entry_that_cannot_be_written_is_told(scene: Scene) -> None:
    scene.troubles.not_done(LoginError("No room. Check who may write /there"))

    assert scene.told == [
        (Kind.ERROR, "Start at login was not changed", "No room. Check who may write /there")
    ]
