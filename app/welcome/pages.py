"""The three screens of the first run; each shows one thing and offers one thing."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.background import Background
from app.clients.asked_label import AskedLabel
from app.clients.connections import Connections
from app.clients.labels import plain, show_text
from app.clients.panel import ClientsPanel
from app.importing.jobs import ImportJobs
from app.importing.panel import ImportPanel
from app.theme import Theme
from app.welcome.findings import Findings, find
from app.welcome.words import lines
from app.worker_client import WorkerClient
from worker.shared.autostart import StartAtLogin
from worker.shared.clients.entry import System
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths

_EACH_MS = 2_000
_THREAD = "welcome"
_ROOM_FOR_THE_BAR = 8


class FoundPage(QWidget):
    """What is here already; looks again while it is seen, since the worker may just be starting."""

    search_requested = Signal()

    def __init__(
        self, paths: Paths, background: Background, jobs: ImportJobs, system: System
    ) -> None:
        super().__init__()
        self._paths, self._background, self._system = paths, background, system
        self._jobs = jobs
        self._found: Findings | None = None
        self._waits = False
        self._timer = QTimer(self, interval=_EACH_MS)
        self._timer.timeout.connect(self._look)
        layout = _page(self, self.tr("Welcome to Memtray"))
        intro = self.tr(
            "Memtray finds what was done and decided in your sessions with Claude. All of it stays "
            "on this machine. This is what it has found here:"
        )
        layout.addWidget(plain(intro))
        self._lines = [(plain(), plain(kind="muted")) for _ in range(3)]
        self._looking = plain(self.tr("… Looking"), kind="muted")
        layout.addWidget(self._looking)
        self._import = QPushButton(self.tr("&Import them"))
        self._import.clicked.connect(self._begin)
        below: list[list[QWidget]] = [[], [self._import], []]
        self._cards = [
            _card(title, text, *more)
            for (title, text), more in zip(self._lines, below, strict=True)
        ]
        self._panel = ImportPanel(jobs)
        self._panel.search_requested.connect(self.search_requested)
        jobs.changed.connect(self._offer)
        for card in self._cards:
            card.hide()
            layout.addWidget(card)
        layout.insertWidget(layout.indexOf(self._cards[2]), self._panel)
        layout.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self._look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _look(self) -> None:
        if self._waits:
            return
        self._waits = True
        self._jobs.look()
        job = self._background.run(_THREAD, partial(find, self._paths, self._system))
        job.done.connect(self._show)

    def _show(self, found: Findings) -> None:
        self._waits = False
        self._found = found
        self._looking.hide()
        for card in self._cards:
            card.show()
        for (title, text), line in zip(self._lines, lines(found), strict=True):
            show_text(title, line.title, kind=line.kind)
            show_text(text, line.text, kind="muted")
        self._offer()

    def _offer(self) -> None:
        """Offer the import where there is something to import and somebody who does it."""
        state, found = self._jobs.state, self._found
        self._import.setVisible(found is not None and found.sessions > 0)
        answers = found is not None and found.worker.state.answers
        self._import.setEnabled(answers and not state.busy and state.running is None)

    def _begin(self) -> None:
        if self._found is not None:
            self._jobs.begin([str(self._found.transcripts)])


class ClientsPage(QWidget):
    """Which client shall have the tools."""

    def __init__(self, connections: Connections, client: WorkerClient, theme: Theme) -> None:
        super().__init__()
        layout = _page(self, self.tr("Connect Claude"))
        intro = self.tr(
            "Claude can search these memories by itself. You see the exact change to its config "
            "before it is made; the file is backed up, and you can undo it."
        )
        layout.addWidget(plain(intro))
        layout.addWidget(ClientsPanel(connections, client, theme))


class LoginPage(QWidget):
    """Start at login, and the question that proves the connection."""

    def __init__(
        self,
        background: Background,
        connections: Connections,
        client: WorkerClient,
        login: StartAtLogin,
    ) -> None:
        super().__init__()
        self._background, self._login = background, login
        layout = _page(self, self.tr("Always there"))
        self.at_login = QCheckBox(self.tr("Start Memtray when I &log in"))
        self.at_login.clicked.connect(self._change)
        self._problem = plain(kind="error")
        hint = self.tr("Only its icon appears then, and no window. You can change it in the menu.")
        layout.addWidget(_card(self.at_login, plain(hint, kind="muted"), self._problem))
        layout.addWidget(_card(AskedLabel(connections, client)))
        layout.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()

    def _look(self) -> None:
        """Show what the system really has."""
        self._background.run(_THREAD, self._login.is_on).done.connect(self.at_login.setChecked)

    def _change(self, wanted: bool) -> None:
        show_text(self._problem, "")
        work = self._login.turn_on if wanted else self._login.turn_off
        self._background.run(_THREAD, work).failed.connect(self._failed)
        self._look()

    def _failed(self, problem: Exception) -> None:
        said = problem.detail if isinstance(problem, MemtrayError) else str(problem)
        show_text(self._problem, f"✕ {said}", kind="error")


def scrolled(page: QWidget) -> QScrollArea:
    """Return a page that can be read to its end, however big the letters are."""
    scroll = QScrollArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    page.setContentsMargins(0, 0, _ROOM_FOR_THE_BAR, 0)
    scroll.setWidget(page)
    return scroll


def _page(page: QWidget, title: str) -> QVBoxLayout:
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(12)
    layout.addWidget(plain(title, kind="title"))
    return layout


def _card(*widgets: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("kind", "banner")
    layout = QVBoxLayout(card)
    layout.setContentsMargins(16, 12, 16, 12)
    layout.setSpacing(4)
    for widget in widgets:
        layout.addWidget(widget)
        if isinstance(widget, QPushButton):
            layout.setAlignment(widget, Qt.AlignmentFlag.AlignLeft)
    return card
