"""The first run: three screens, each of which can be skipped."""

import logging

from PySide6.QtCore import QSettings, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout

from app.background import Background
from app.clients.connections import Connections
from app.clients.labels import plain, show_text
from app.importing.jobs import ImportJobs
from app.settings.store import SettingsStore
from app.theme import Theme
from app.welcome.pages import ClientsPage, FoundPage, LoginPage, scrolled
from app.window import Window
from app.worker_client import WorkerClient
from worker.shared.autostart import StartAtLogin
from worker.shared.clients.entry import System
from worker.shared.paths import Paths

log = logging.getLogger(__name__)


class WelcomeWindow(Window):
    """Shown once; `finished` when it is over, in whatever way."""

    finished = Signal()
    search_requested = Signal()

    def __init__(
        self,
        paths: Paths,
        background: Background,
        connections: Connections,
        login: StartAtLogin,
        store: SettingsStore,
        places: QSettings,
        theme: Theme,
        *,
        jobs: ImportJobs | None = None,
        system: System | None = None,
    ) -> None:
        super().__init__("welcome", places, width=680, height=560)
        self.setWindowTitle(self.tr("Welcome to Memtray"))
        self._store = store
        system = system or System.here()
        client = WorkerClient(paths, self, environ=system.environ)
        found = FoundPage(paths, background, jobs or ImportJobs(client, self), system)
        found.search_requested.connect(self.begin_searching)
        self.pages = QStackedWidget()
        for page in (
            found,
            ClientsPage(connections, client, theme),
            LoginPage(background, connections, client, login),
        ):
            self.pages.addWidget(scrolled(page))
        self._step = plain(kind="muted")
        self.skip_button = self._button(self.begin_searching)
        self.back_button = self._button(self.go_back)
        self.next_button = self._button(self.go_on)
        self.next_button.setDefault(True)
        QShortcut(QKeySequence("Alt+Left"), self, self.go_back)
        QShortcut(QKeySequence("Alt+Right"), self, self.go_on)
        self._lay_out()
        self._turn_to(0)

    def open(self) -> None:
        """Show the first screen."""
        self._turn_to(0)
        self.present()
        self.next_button.setFocus()

    def go_on(self) -> None:
        """Turn to the next screen; after the last, end with the search window."""
        if self.pages.currentIndex() < self.pages.count() - 1:
            self._turn_to(self.pages.currentIndex() + 1)
        else:
            self.begin_searching()

    def begin_searching(self) -> None:
        """End here, with the search window."""
        self._end()
        self.search_requested.emit()

    def go_back(self) -> None:
        """Turn to the screen before."""
        self._turn_to(max(0, self.pages.currentIndex() - 1))

    def closeEvent(self, event: QCloseEvent) -> None:
        if event.spontaneous():  # by the user, and not because the session ends
            self._welcomed()
        super().closeEvent(event)

    def leave(self) -> None:
        """Esc: enough of it."""
        self._end()

    def _end(self) -> None:
        self._welcomed()
        self.close()

    def _welcomed(self) -> None:
        try:
            self._store.change(welcomed=True)
        except OSError as exc:
            log.warning("the first run will be shown again: %s", exc)
        self.finished.emit()

    def _turn_to(self, number: int) -> None:
        last = self.pages.count() - 1
        self.pages.setCurrentIndex(number)
        step = self.tr("Step {number} of {all}").format(number=number + 1, all=last + 1)
        show_text(self._step, step, kind="muted")
        self.back_button.setText(self.tr("&Back"))
        self.back_button.setEnabled(number > 0)
        self.skip_button.setText(self.tr("&Skip all"))
        self.skip_button.setVisible(number < last)
        self.next_button.setText(self.tr("&Next") if number < last else self.tr("&Search memory"))

    def _button(self, slot: object) -> QPushButton:
        button = QPushButton()
        button.clicked.connect(slot)
        return button

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(self.pages, 1)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.skip_button)
        line.addWidget(self._step, 1)
        line.addWidget(self.back_button)
        line.addWidget(self.next_button)
        layout.addLayout(line)
