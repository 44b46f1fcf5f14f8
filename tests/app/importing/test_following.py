"""Imports are followed whoever began them; stubs tell what a real worker tells at such moments."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.importing.jobs import ImportJobs
from app.importing.panel import ImportPanel
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.importing.test_window import button, seen
from tests.app.importing.test_wording import job
from tests.shared.stub import TOKEN, Answer, Asked, Stub, problem
from worker.shared.jobs import JobReply, JobsReply, JobState
from worker.shared.paths import Paths


@dataclass
class Told:
    """What the worker tells of its jobs."""

    jobs: list[JobReply] = field(default_factory=list)
    refusal: Answer | None = None
    asked: list[Asked] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        if asked.method == "DELETE":
            cancelled = self.jobs[0].model_copy(update={"state": JobState.CANCELLED})
            self.jobs = [cancelled]
            return Answer(cancelled.model_dump_json().encode())
        if asked.path.endswith(("/pause", "/resume")):
            state = JobState.PAUSED if asked.path.endswith("/pause") else JobState.RUNNING
            self.jobs = [self.jobs[0].model_copy(update={"state": state})]
            return Answer(self.jobs[0].model_dump_json().encode())
        if asked.path.startswith("/api/import") and self.refusal:
            return self.refusal
        return Answer(JobsReply(jobs=self.jobs).model_dump_json().encode())


@dataclass
class Scene:
    told: Told
    jobs: ImportJobs
    panel: ImportPanel


@pytest.fixture
def followed(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Scene]:
    paths = Paths(tmp_path / "data")
    paths.create()
    told = Told()
    with Stub(paths, told).serving() as stub:
        stub.announce()
        client = WorkerClient(paths, environ={})
        jobs = ImportJobs(client, client)
        window = QWidget()
        panel = ImportPanel(jobs, window)
        client.setParent(window)
        qtbot.addWidget(window)
        window.show()
        yield Scene(told, jobs, panel)


def test_an_import_from_the_command_line_is_shown_to_its_end(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job(files_done=61)]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "Importing: 61 of 240 files" in seen(followed.panel))

    with qtbot.waitSignal(followed.jobs.ended):
        followed.told.jobs = [job(state=JobState.DONE, files_done=240)]

    assert "✓ Imported" in seen(followed.panel)


def test_once_nothing_runs_nobody_is_asked(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job()]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "Importing" in seen(followed.panel))
    with qtbot.waitSignal(followed.jobs.ended):
        followed.told.jobs = [job(state=JobState.DONE)]
    before = len(followed.told.asked)

    qtbot.wait(1_200)

    assert len(followed.told.asked) == before


def test_it_is_paused_and_goes_on(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job()]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "Importing" in seen(followed.panel))

    button(followed.panel, "Pause").click()
    qtbot.waitUntil(lambda: "Paused: 60 of 240 files" in seen(followed.panel))
    button(followed.panel, "Go on").click()

    qtbot.waitUntil(lambda: "Importing: 60 of 240 files" in seen(followed.panel))


def test_a_paused_import_of_before_can_be_cancelled(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job(state=JobState.PAUSED)]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "Paused" in seen(followed.panel))

    button(followed.panel, "Cancel").click()

    qtbot.waitUntil(lambda: "Cancelled. What was added stays" in seen(followed.panel))


def test_cancel_ends_it_and_says_what_stays(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job()]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "Importing" in seen(followed.panel))

    button(followed.panel, "Cancel").click()

    qtbot.waitUntil(lambda: "Cancelled. What was added stays" in seen(followed.panel))
    assert button(followed.panel, "Undo this import…")
    cancelled = [asked for asked in followed.told.asked if asked.method == "DELETE"]
    assert [asked.path for asked in cancelled] == ["/api/jobs/3f2a9c81d47b"]
    assert cancelled[0].headers["authorization"] == f"Bearer {TOKEN}"


def test_a_worker_that_ended_amid_an_import_is_told(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job()]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "Importing" in seen(followed.panel))

    followed.told.jobs = []

    qtbot.waitUntil(lambda: "The worker ended amid the import" in seen(followed.panel))
    assert "Importing" not in seen(followed.panel)


def test_a_refusal_says_why(qtbot: QtBot, followed: Scene) -> None:
    followed.told.refusal = problem(409, "busy", "wait for it, or cancel it")

    followed.jobs.begin(["/p"])

    qtbot.waitUntil(lambda: "✕ wait for it, or cancel it" in seen(followed.panel))
    assert not followed.jobs.state.busy


def test_an_import_that_was_undone_elsewhere_is_not_offered_again(
    qtbot: QtBot, followed: Scene
) -> None:
    followed.told.jobs = [job(state=JobState.DONE)]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "✓ Imported" in seen(followed.panel))
    followed.told.refusal = problem(404, "not_found", "no import is known")
    button(followed.panel, "Undo this import…").click()

    button(followed.panel, "Yes, undo it").click()

    qtbot.waitUntil(lambda: "✓ That import was undone already." in seen(followed.panel))
    assert followed.jobs.state.undoable is None


def test_while_an_import_is_taken_out_that_is_told(qtbot: QtBot, followed: Scene) -> None:
    followed.told.jobs = [job(state=JobState.DONE)]
    followed.jobs.look()
    qtbot.waitUntil(lambda: "✓ Imported" in seen(followed.panel))
    followed.told.refusal = problem(503, "locked", "the database is locked")
    button(followed.panel, "Undo this import…").click()

    button(followed.panel, "Yes, undo it").click()
    assert "What the import has added is removed…" in seen(followed.panel)
    assert not offered(followed.panel, "Undo this import…")

    qtbot.waitUntil(lambda: "✕ the database is locked" in seen(followed.panel))
    assert "is removed…" not in seen(followed.panel)
    assert offered(followed.panel, "Undo this import…")


def offered(panel: ImportPanel, text: str) -> bool:
    buttons = panel.findChildren(QPushButton)
    return any(each.text().replace("&", "") == text and each.isVisible() for each in buttons)


def test_consent_is_sent_for_the_same_paths(qtbot: QtBot, followed: Scene) -> None:
    followed.told.refusal = problem(409, "consent_needed", "claude-mem has recorded")
    followed.jobs.begin(["/p/a.jsonl", "/p/b.jsonl"])
    qtbot.waitUntil(lambda: "you can undo the import" in seen(followed.panel))

    button(followed.panel, "Add to it").click()
    qtbot.waitUntil(lambda: len(followed.told.asked) == 2)

    sent = [json.loads(asked.body) for asked in followed.told.asked]
    assert [body["yes"] for body in sent] == [False, True]
    assert sent[0]["paths"] == sent[1]["paths"] == ["/p/a.jsonl", "/p/b.jsonl"]
