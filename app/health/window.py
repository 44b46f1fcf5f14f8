"""The window over the one list of checks: how each part is, why, and a button for what helps."""

import time

from PySide6.QtCore import QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
)

from app.background import Background
from app.health.checkup import Checkup, source_of
from app.health.findings import Findings, findings
from app.health.parts_list import PartsList
from app.health.remedies import Remedy
from app.health.wording import SHAPES, begun, colour_of, headline, repaired
from app.outside import open_outside
from app.status import AppStatus, Look
from app.theme import Theme
from app.window import Window
from app.worker_client import WorkerClient
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport
from worker.shared.upkeep import Index, ReindexReply, RepairReply

_SECOND = 1_000  # milliseconds


class HealthWindow(Window):
    """Asks while it is seen; what only others can do is requested by a signal."""

    start_requested = Signal()
    restart_requested = Signal()
    logs_requested = Signal()
    clients_requested = Signal()
    diagnostics_requested = Signal()

    def __init__(
        self,
        paths: Paths,
        client: WorkerClient,
        background: Background,
        places: QSettings,
        theme: Theme,
    ) -> None:
        super().__init__("health", places, width=780, height=720)
        self.setWindowTitle(self.tr("Health – Memtray"))
        self._paths, self._theme = paths, theme
        self._checkup = Checkup(paths, client, background, self)
        self._status = AppStatus(Look.STOPPED, "")
        self._reports: tuple[PartReport, ...] = ()
        self._mcp: tuple[PartReport, ...] = ()
        self._at = time.monotonic()
        self._wished = ""  # the part to bring in sight
        self._shape, self._headline = QLabel(self), QLabel(self)
        self._news, self._banner = QLabel(self), QFrame(self)
        self._working = QProgressBar(self, maximum=0, textVisible=False)
        self._parts = PartsList(theme.colours, self)
        self._check = QPushButton(self.tr("Check &again"), self)
        self._repair = QPushButton(self.tr("Check and &repair"), self)
        self._rebuild = QPushButton(self.tr("Re&build index"), self)
        self._diagnostics = QPushButton(self.tr("&Diagnostics…"), self)
        self._clock = QTimer(self, interval=_SECOND)
        self._lay_out()
        self._connect()

    def open(self, part: str = "") -> None:
        """Show how all parts are, and bring `part` in sight."""
        self._wished = part
        self.present()
        self._show()

    def show_status(self, status: AppStatus) -> None:
        """Take what the supervisor knows."""
        self._status = status
        if status.worker and status.worker.ready:
            self._reports, self._at = tuple(status.worker.ready.parts), time.monotonic()
        self._checkup.turn_to(source_of(status))
        self._show()

    # ------------------------------------------------------------------ life
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._checkup.look()
        self._clock.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._checkup.look_away()
        self._clock.stop()

    # ------------------------------------------------------------------ layout
    def _lay_out(self) -> None:
        for label in (self._shape, self._headline):
            label.setProperty("kind", "title")
        self._headline.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._shape)
        head.addWidget(self._headline, 1)
        self._news.setWordWrap(True)
        self._news.setTextFormat(Qt.TextFormat.PlainText)
        self._news.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._banner.setProperty("kind", "banner")
        QHBoxLayout(self._banner).addWidget(self._news)
        self._banner.hide()
        self._working.setMaximumHeight(self.fontMetrics().height() // 2)
        self._working.setAccessibleName(self.tr("Looking at each part"))
        self._working.hide()
        self._rebuild.setMenu(self._indexes())
        self._check.setToolTip(self.tr("Ask each part anew (F5)"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._check, self._repair, self._rebuild):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self._diagnostics)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        column.addLayout(head)
        column.addLayout(buttons)
        for widget in (self._banner, self._working):
            column.addWidget(widget)
        column.addWidget(self._parts, 1)

    def _indexes(self) -> QMenu:
        menu = QMenu(self)
        for text, do in (
            (self.tr("&Both indexes, of words and of vectors – some seconds"), self._rebuild_quick),
            (self.tr("Index of &words – some seconds"), self._rebuild_keyword),
            (self.tr("Index of &vectors – some seconds"), self._rebuild_chroma),
            (self.tr("The vectors &themselves – minutes…"), self._rebuild_vectors),
        ):
            menu.addAction(text).triggered.connect(do)
        return menu

    def _connect(self) -> None:
        self._checkup.found.connect(self._found)
        self._checkup.mcp_found.connect(self._found_mcp)
        self._checkup.repaired.connect(self._was_repaired)
        self._checkup.begun.connect(self._was_begun)
        self._checkup.failed.connect(self._failed)
        self._checkup.busy_changed.connect(self._show_busy)
        self._parts.wanted.connect(self._do)
        self._parts.completed.connect(self._go_to_wished)
        self._check.clicked.connect(self._checkup.look)
        QShortcut(QKeySequence("F5"), self, self._checkup.look)
        self._repair.clicked.connect(self._checkup.repair)
        self._diagnostics.clicked.connect(self.diagnostics_requested)
        self._clock.timeout.connect(self._parts.grow_older)
        self._theme.changed.connect(self._recolour)

    # ------------------------------------------------------------------ what is shown
    def _found(self, reports: tuple[PartReport, ...]) -> None:
        self._reports, self._at = reports, time.monotonic()
        self._show()

    def _found_mcp(self, report: PartReport) -> None:
        self._mcp = (report,)
        self._show()

    def _show(self) -> None:
        if not self.isVisible():
            return
        mcp = self._mcp if self._status.answers else ()
        found = findings(self._status, (*self._reports, *mcp), self._at)
        self._parts.show_findings(found, answers=self._status.answers)
        self._show_headline(found)
        for button in (self._repair, self._rebuild):
            button.setEnabled(self._status.answers)

    def _go_to_wished(self) -> None:
        if self._wished and self._parts.go_to(self._wished):
            self._wished = ""

    def _show_headline(self, found: Findings) -> None:
        text, state = headline(found)
        self._headline.setText(text)
        self._shape.setText(SHAPES[state])
        self._shape.setStyleSheet(f"color: {colour_of(state, self._theme.colours)};")

    def _show_busy(self, busy: bool) -> None:
        self._working.setVisible(busy)
        self._tell(self.tr("Looking at each part, which may take some seconds…") if busy else "")

    def _was_repaired(self, reply: RepairReply) -> None:
        self._tell(repaired(reply))

    def _was_begun(self, reply: ReindexReply) -> None:
        self._tell(begun(reply))

    def _failed(self, error: Exception) -> None:
        self._tell(str(error))

    def _tell(self, text: str) -> None:
        self._news.setText(text)
        self._banner.setVisible(bool(text))

    def _recolour(self) -> None:
        self._parts.recolour(self._theme.colours)
        self._show()

    # ------------------------------------------------------------------ what can be done
    def _do(self, remedy: Remedy) -> None:
        {
            Remedy.START: self.start_requested.emit,
            Remedy.RESTART: self.restart_requested.emit,
            Remedy.REPAIR: self._checkup.repair,
            Remedy.KEYWORD: self._rebuild_keyword,
            Remedy.CHROMA: self._rebuild_chroma,
            Remedy.VECTORS: self._rebuild_vectors,
            Remedy.CLIENTS: self.clients_requested.emit,
            Remedy.FOLDER: self._open_folder,
            Remedy.LOGS: self.logs_requested.emit,
        }[remedy]()

    def _rebuild_quick(self) -> None:
        self._checkup.reindex(None)

    def _rebuild_keyword(self) -> None:
        self._checkup.reindex(Index.KEYWORD)

    def _rebuild_chroma(self) -> None:
        self._checkup.reindex(Index.CHROMA)

    def _rebuild_vectors(self) -> None:
        """Ask first: it takes minutes."""
        question = QMessageBox(
            QMessageBox.Icon.Question,
            self.tr("Rebuild vectors"),
            self.tr(
                "Each memory is embedded anew, which takes minutes for each 10,000. Search by "
                "words goes on meanwhile; the memories stay as they are."
            ),
            parent=self,
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rebuild = question.addButton(self.tr("Rebuild"), QMessageBox.ButtonRole.AcceptRole)
        question.addButton(QMessageBox.StandardButton.Cancel)
        rebuild.clicked.connect(self._rebuild_vectors_now)
        question.open()

    def _rebuild_vectors_now(self) -> None:
        self._checkup.reindex(Index.VECTORS)

    def _open_folder(self) -> None:
        if not open_outside(self._paths.data_dir):
            self._tell(
                self.tr("No program opens folders here. The folder is {folder}").format(
                    folder=self._paths.data_dir
                )
            )
