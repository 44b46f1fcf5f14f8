"""A home folder with a Claude Desktop in it, a stand-in for `claude`, and connections to both."""

import datetime as dt
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Slot
from pytestqt.qtbot import QtBot

from app.background import Background, Job
from app.clients.connections import Connections
from tests.shared.clients.conftest import ANSWER
from tests.shared.clients.test_code import CLAUDE, program
from tests.shared.stub import Answer, Asked, Stub, problem
from worker.shared.clients.entry import System
from worker.shared.clients.state import ClientReport, ClientState
from worker.shared.paths import Paths
from worker.shared.recalls_contract import Recall, RecallsReply, Tally


@dataclass
class Home:
    """One user's home, seen by a Memtray that is installed elsewhere."""

    folder: Path
    vanished: list[ClientReport] = field(default_factory=list)

    @property
    def paths(self) -> Paths:
        return Paths(self.folder / ".claude-mem")

    @property
    def system(self) -> System:
        environ = {"HOME": str(self.folder), "PATH": str(self.folder.parent / "bin")}
        return System("linux", environ, self.folder)

    @property
    def config(self) -> Path:
        return self.folder / ".config" / "Claude" / "claude_desktop_config.json"

    @property
    def executable(self) -> Path:
        """A Python, with a script beside it that answers as ours does, only sooner."""
        return self.folder.parent / "Ä b (x)" / "python3"

    @property
    def script(self) -> str:
        return str(self.executable.with_name("memtray-mcp"))

    def told(self, report: ClientReport) -> None:
        """Take note of an entry that vanished."""
        self.vanished.append(report)

    def with_claude(self) -> None:
        """Install Claude Code."""
        program(self.folder.parent, CLAUDE.format(python=sys.executable))

    def snapshot(self) -> dict[str, bytes]:
        """Return all files of Claude's."""
        found = [*self.config.parent.rglob("*"), *self.folder.glob(".claude.json*")]
        return {str(path): path.read_bytes() for path in found if path.is_file()}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    if os.name != "posix":
        pytest.skip("the stand-in is a script")
    made = Home(tmp_path / "home")
    made.config.parent.mkdir(parents=True)
    made.config.write_text('{\n  "preferences": {"größe": 1.0}\n}\n', encoding="utf-8")
    script = Path(made.script)
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\necho '{ANSWER}'\n", encoding="utf-8")
    script.chmod(0o755)
    script.with_name("memtray").touch()
    return made


@pytest.fixture
def connections(home: Home, background: Background) -> Connections:
    """Looks often, so that no test waits."""
    made = Connections(
        home.paths,
        background,
        background,
        system=home.system,
        executable=home.executable,
        look_ms=100,
    )
    made.vanished.connect(home.told)
    return made


class Recalls:
    """A worker's list of what Claude asked, which a test fills."""

    def __init__(self) -> None:
        self.recalls: list[Recall] = []
        self.recording = True

    def asked(self, client: str, at: dt.datetime | None = None) -> None:
        """Have a client ask, now or then."""
        when = at or dt.datetime.now().astimezone()
        self.recalls = [
            Recall(
                id=len(self.recalls) + 1,
                at=when.isoformat(),
                at_epoch=int(when.timestamp() * 1000),
                client=client,
                tool="search",
                asked="payment",
                filters="",
                seen=[],
                tokens=1,
                ms=1,
                outcome="hits",
            )
        ]

    def answer(self, asked: Asked) -> Answer:
        if asked.path != "/api/recalls":
            return problem(404, "not_found", asked.path)
        reply = RecallsReply(
            recalls=self.recalls,
            next=None,
            today=Tally(),
            days=[],
            clients=[],
            recording=self.recording,
        )
        return Answer(reply.model_dump_json().encode())


@pytest.fixture
def recalls(home: Home) -> Iterator[Recalls]:
    """A worker that is asked what Claude asked."""
    made = Recalls()
    with Stub(home.paths, made.answer).serving() as stub:
        stub.announce()
        yield made


class Waiting(QObject):
    """Who waits for a job, in the thread of windows."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.got: list[object] = []
        job.done.connect(self.take)
        job.failed.connect(self.take)

    @Slot(object)
    def take(self, what: object) -> None:
        self.got.append(what)


def outcome(qtbot: QtBot, job: Job) -> object:
    """Return what a job came to: what it returned or raised."""
    waiting = Waiting(job)
    qtbot.waitUntil(lambda: bool(waiting.got), timeout=15_000)
    return waiting.got[0]


def states(connections: Connections) -> list[ClientState]:
    """Return how Claude Desktop and Claude Code are."""
    return [report.state for report in connections.reports]
