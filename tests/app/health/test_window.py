"""The health window as a user works with it, over a stub and over the real doctor."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel, QMessageBox, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.background import Background
from app.health.card import Card
from app.health.checkup import Source, source_of
from app.health.window import HealthWindow
from app.status import AppStatus, Look
from app.theme import DARK, Choice, Theme
from app.worker_client import WorkerClient
from tests.app.health.samples import (
    BROKEN,
    BUILDING,
    PARTS,
    absent,
    recall,
    running,
    with_parts,
)
from tests.shared.stub import Answer, Asked, Stub, problem
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.recalls_contract import RecallsReply, Tally
from worker.shared.state import State
from worker.shared.upkeep import Index, Mended, ReindexReply, RepairReply

RECALLS = RecallsReply(
    recalls=[recall()], next=None, today=Tally(), days=[], clients=[], recording=True
)


@dataclass
class Worker:
    """What the stub answers, and what it was asked to do."""

    parts: tuple[PartReport, ...] = PARTS
    mended: list[Mended] = field(default_factory=list)
    refuses: bool = False
    is_silent: bool = False
    did: list[tuple[str, object]] = field(default_factory=list)

    def answer(self, asked: Asked) -> Answer | None:
        if self.is_silent:
            return None
        if asked.path == "/api/ready":
            return Answer(
                Ready(state=PartState.OK, parts=list(self.parts)).model_dump_json().encode()
            )
        if asked.path == "/api/recalls":
            return Answer(RECALLS.model_dump_json().encode())
        if self.refuses:
            return problem(409, "busy", "another client asked for it")
        self.did.append((asked.path, json.loads(asked.body)))
        if asked.path == "/api/repair":
            return Answer(RepairReply(mended=self.mended).model_dump_json().encode())
        return Answer(ReindexReply(begun=[Index.KEYWORD]).model_dump_json().encode())


@pytest.fixture
def worker(paths: Paths) -> Iterator[Worker]:
    made = Worker()
    stub = Stub(paths, made.answer)
    with stub.serving():
        stub.announce()
        yield made


class Screen:
    """What a user sees, and where he clicks."""

    def __init__(self, window: HealthWindow, qtbot: QtBot) -> None:
        self.window, self._qtbot = window, qtbot

    def seen(self, card: Card | None = None) -> str:
        labels = (card or self.window).findChildren(QLabel)
        return "\n".join(label.text() for label in labels if label.isVisible())

    def card(self, name: str) -> Card:
        """Return the card of a part, once it is made."""
        found: list[Card] = []

        def has_come() -> bool:
            cards = self.window.findChildren(Card)
            found[:] = [card for card in cards if card.accessibleName().startswith(f"{name}:")]
            return bool(found)

        self.until(has_come, seconds=20)
        return found[0]

    def click(self, text: str, card: Card | None = None) -> None:
        buttons = (card or self.window).findChildren(QPushButton)
        next(button for button in buttons if button.text().replace("&", "") == text).click()

    def choose_index(self, text: str) -> None:
        button = next(b for b in self.window.findChildren(QPushButton) if b.menu())
        actions = button.menu().actions()
        next(action for action in actions if text in action.text().replace("&", "")).trigger()

    def until(self, holds: Callable[[], bool], seconds: float = 20) -> None:
        self._qtbot.waitUntil(holds, timeout=int(seconds * 1000))

    def until_seen(self, text: str, seconds: float = 20) -> None:
        self.until(lambda: text in self.seen(), seconds)


@pytest.fixture
def screen(
    paths: Paths, background: Background, places: QSettings, theme: Theme, qtbot: QtBot
) -> Screen:
    client = WorkerClient(paths)
    window = HealthWindow(paths, client, background, places, theme)
    client.setParent(window)
    qtbot.addWidget(window)
    return Screen(window, qtbot)


def test_each_part_tells_state_figures_and_age_in_words(screen: Screen, worker: Worker) -> None:
    screen.window.show_status(running())
    screen.window.open()

    screen.until_seen("Everything was seen to work")
    screen.until(lambda: screen.seen(screen.card("Memories")).startswith("✔\nMemories\nworks"))
    assert "812 · looked at just now" in screen.seen(screen.card("Memories"))
    screen.until_seen("looked at 71 s ago", 20)
    assert "looked at 71 s ago" in screen.seen(screen.card("Trial search"))
    assert "Process 4711, port 37777" in screen.seen(screen.card("Worker"))
    screen.until_seen("claude-ai asked last")
    worker.is_silent = True
    screen.until_seen("looked at 73 s ago")


def test_a_fault_that_comes_turns_its_own_line_and_its_button_mends_it(
    screen: Screen, worker: Worker
) -> None:
    screen.window.show_status(running())
    screen.window.open()
    screen.until_seen("Everything was seen to work")

    worker.parts = with_parts(BROKEN)
    screen.until_seen("One part needs attention")
    card = screen.card("Keyword index")
    screen.until(lambda: "limited" in screen.seen(card))
    assert BROKEN.cause in screen.seen(card)
    assert BROKEN.remedy in screen.seen(card)
    assert "works" in screen.seen(screen.card("Memories"))

    screen.click("Rebuild index", card)
    screen.until_seen("Being made anew: Keyword index. Search goes on.")
    assert worker.did == [("/api/reindex", {"what": "keyword"})]
    worker.parts = PARTS
    screen.until_seen("Everything was seen to work")


def test_progress_is_shown_while_an_index_is_built(screen: Screen, worker: Worker) -> None:
    worker.parts = with_parts(BUILDING)
    screen.window.show_status(running())
    screen.window.open()

    screen.until_seen("30 of 120")
    bar = screen.card("Vectors").findChild(QProgressBar)
    assert bar
    assert (bar.isVisible(), bar.value(), bar.maximum()) == (True, 30, 120)
    assert "Indexes are being built; search works" in screen.seen()


@pytest.mark.parametrize(
    ("mended", "said"),
    [
        ([], "Nothing had to be mended."),
        ([Mended(part="keyword", did="It is built anew.")], "Keyword index: It is built anew."),
    ],
)
def test_check_and_repair_tells_what_it_did(
    screen: Screen, worker: Worker, mended: list[Mended], said: str
) -> None:
    worker.mended = mended
    screen.window.show_status(running())
    screen.window.open()

    screen.click("Check and repair")

    screen.until_seen(said)
    assert worker.did == [("/api/repair", {})]


def test_a_refusal_is_told_as_the_worker_says_it(screen: Screen, worker: Worker) -> None:
    worker.refuses = True
    screen.window.show_status(running())
    screen.window.open()

    screen.click("Check and repair")

    screen.until_seen("another client asked for it")


def test_which_index_is_rebuilt_is_chosen_and_what_takes_minutes_is_asked_first(
    screen: Screen, worker: Worker
) -> None:
    screen.window.show_status(running())
    screen.window.open()

    screen.choose_index("Both indexes")
    screen.until(lambda: worker.did == [("/api/reindex", {})])
    screen.choose_index("The vectors themselves")
    question = screen.window.findChild(QMessageBox)
    assert question
    assert "takes minutes" in question.text()
    assert len(worker.did) == 1
    next(b for b in question.buttons() if b.text() == "Rebuild").click()
    screen.until(lambda: worker.did[1:] == [("/api/reindex", {"what": "vectors"})])


def test_with_the_worker_down_the_doctor_says_what_it_can_and_a_button_starts_it(
    screen: Screen, qtbot: QtBot
) -> None:
    screen.window.show_status(absent())
    screen.window.open()
    assert "The worker does not run" in screen.seen()
    assert "may take some seconds" in screen.seen()

    screen.until_seen("There is no claude-mem.db", seconds=60)
    screen.until(lambda: "GB are free on the disk" in screen.seen(screen.card("Data folder")))
    assert "may take some seconds" not in screen.seen()
    with qtbot.waitSignal(screen.window.start_requested):
        screen.click("Start worker", screen.card("Worker"))
    repair = next(
        button
        for button in screen.window.findChildren(QPushButton)
        if button.text() == "Check and &repair"
    )
    assert not repair.isEnabled()


@pytest.mark.parametrize(
    ("status", "source"),
    [
        (running(), Source.WORKER),
        (absent(), Source.DOCTOR),
        (absent(State.HANGING), Source.DOCTOR),
        (absent(State.STARTING), Source.NOBODY),
        (AppStatus(Look.BUSY, "Looking"), Source.NOBODY),
    ],
)
def test_a_worker_that_is_starting_is_not_held_up_by_the_doctor(
    status: AppStatus, source: Source
) -> None:
    assert source_of(status) is source


def test_what_others_do_is_requested_of_them(screen: Screen, worker: Worker, qtbot: QtBot) -> None:
    clients = PartReport(
        part="clients", state=PartState.OFF, cause="To connect one: memtray-worker connect CLIENT"
    )
    worker.parts = with_parts(BROKEN, clients)
    screen.window.show_status(running(worker.parts, version="0.0.1"))
    screen.window.open()
    requests = (
        (screen.window.clients_requested, "Connect…", "Claude's connection"),
        (screen.window.logs_requested, "Open logs", "Keyword index"),
        (screen.window.restart_requested, "Restart worker", "Worker"),
    )

    for signal, text, name in requests:
        with qtbot.waitSignal(signal):
            screen.click(text, screen.card(name))
    with qtbot.waitSignal(screen.window.diagnostics_requested):
        screen.click("Diagnostics…")


def test_a_part_that_is_asked_for_comes_in_sight(screen: Screen, worker: Worker) -> None:
    screen.window.resize(500, 300)
    screen.window.show_status(running())

    screen.window.open("canary")

    card = screen.card("Trial search")
    screen.until(lambda: not card.visibleRegion().isEmpty())


def test_nothing_is_asked_while_nobody_looks(screen: Screen, worker: Worker, qtbot: QtBot) -> None:
    screen.window.show_status(running())
    screen.window.open()
    screen.until_seen("Everything was seen to work")
    screen.window.close()

    worker.parts = with_parts(BROKEN)
    screen.window.show_status(running())
    qtbot.wait(2500)
    assert BROKEN.cause not in "".join(label.text() for label in screen.window.findChildren(QLabel))


def test_it_follows_the_theme(screen: Screen, worker: Worker, theme: Theme) -> None:
    screen.window.show_status(running(with_parts(BROKEN)))
    screen.window.open()

    theme.choose(Choice.DARK)

    labels = screen.card("Keyword index").findChildren(QLabel)
    shape = next(label for label in labels if label.text() == "▲")
    assert DARK.warning in shape.styleSheet()
