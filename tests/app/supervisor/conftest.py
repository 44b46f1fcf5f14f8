"""A supervisor over a data folder of the test's own, and what it has told."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.background import Background
from app.status import AppStatus, Look
from app.supervisor.events import GaveUp, PortTaken
from app.supervisor.supervisor import Supervisor
from tests.integration.folders import Folder, folder


@dataclass
class Watched:
    """A supervisor and all that it has told since it was made."""

    supervisor: Supervisor
    bot: QtBot
    statuses: list[AppStatus] = field(default_factory=list)
    gave_up: list[GaveUp] = field(default_factory=list)
    ports: list[PortTaken] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.supervisor.status_changed.connect(self.statuses.append)
        self.supervisor.gave_up.connect(self.gave_up.append)
        self.supervisor.port_taken.connect(self.ports.append)

    def until(self, holds: Callable[[], bool], *, seconds: float = 30) -> None:
        self.bot.waitUntil(holds, timeout=int(seconds * 1000))

    def until_looks(self, look: Look, *, seconds: float = 30) -> AppStatus:
        """Wait until this is shown."""
        self.until(lambda: self.supervisor.status.look is look, seconds=seconds)
        return self.supervisor.status

    def runs(self, *, but: int | None = None) -> int:
        """Wait for a worker that answers, another than `but`; return its pid."""
        self.until(lambda: self.pid not in (None, but))
        pid = self.pid
        assert pid
        return pid

    @property
    def pid(self) -> int | None:
        """The pid of the worker that answered the last look."""
        worker = self.supervisor.status.worker
        return worker.health.pid if worker and worker.health else None

    def leaves(self) -> None:
        """Take leave as the app does at its end."""
        with self.bot.waitSignal(self.supervisor.finished, timeout=15_000):
            self.supervisor.leave()


Watch = Callable[..., Watched]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Folder]:
    """A data folder and a free port, for this process and the workers that it starts."""
    with folder(tmp_path / "data") as made:
        for name in ("CLAUDE_MEM_DATA_DIR", "CLAUDE_MEM_WORKER_PORT"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("MEMTRAY_PORT", str(made.port))
        monkeypatch.setenv("HOME", str(tmp_path))
        yield made


@pytest.fixture
def watch(place: Folder, qtbot: QtBot) -> Iterator[Watch]:
    """Make supervisors; call to have one."""
    owner = QObject()
    background = Background(owner)

    def made(*, pace: float = 1.0) -> Watched:
        return Watched(Supervisor(place.paths, background, owner, pace=pace), qtbot)

    yield made
    for supervisor in owner.findChildren(Supervisor):
        supervisor.deleteLater()
    background.stop()
