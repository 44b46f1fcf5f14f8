"""The window of backups: what there is, one more, and the way back."""

import datetime as dt

from PySide6.QtCore import QModelIndex, QSettings, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QTableView,
    QVBoxLayout,
)

from app.backups.keeper import Keeper
from app.backups.model import BackupsModel, Column
from app.backups.wording import kept_line, question, question_detail
from app.clients.labels import plain, show_text
from app.outside import open_outside
from app.status import AppStatus
from app.window import Window
from app.worker_client import WorkerClient
from worker.shared.upkeep import BackupReply


class BackupsWindow(Window):
    """Shows what the worker keeps; nothing is restored without a question."""

    start_requested = Signal()
    memories_changed = Signal()  # others have taken their place

    def __init__(self, client: WorkerClient, places: QSettings) -> None:
        super().__init__("backups", places, width=860, height=560)
        self.setWindowTitle(self.tr("Backups – Memtray"))
        self._keeper = Keeper(client, self)
        self._answers = False
        self._away, self._told = plain(), plain()
        self._kept = plain(kind="muted")
        self.model = BackupsModel()
        self._table = self._new_table()
        self._start = QPushButton(self.tr("Sta&rt worker"))
        self._make = QPushButton(self.tr("&Back up now"), default=True)
        self._restore = QPushButton(self.tr("R&estore…"))
        self._folder = QPushButton(self.tr("Open the &folder"))
        self._question = self._new_question()
        self._connect()
        self._arrange()
        self._show()

    def open(self) -> None:
        """Show the window before all others."""
        self.present()

    def show_status(self, status: AppStatus) -> None:
        """Say where the worker is away, and offer to start it."""
        came = status.answers and not self._answers
        self._answers = status.answers
        text = self.tr("The worker does not answer ({state}). It makes the backups.")
        show_text(self._away, "" if status.answers else text.format(state=status.headline))
        self._banner.setVisible(not status.answers)
        self._start.setVisible(status.can_start)
        if came and self.isVisible():
            self._keeper.look()
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keeper.look()

    # ------------------------------------------------------------------ what is asked
    def _chosen(self) -> BackupReply | None:
        rows = self._table.selectionModel().selectedRows()
        found = rows[0].data(Qt.ItemDataRole.UserRole) if rows else None
        return found if isinstance(found, BackupReply) else None

    def _ask(self) -> None:
        if (backup := self._chosen()) and not backup.problem:
            self._question.setText(question(backup, dt.datetime.now(dt.UTC)))
            self._question.setInformativeText(question_detail(backup))
            self._question.setProperty("backup", backup.name)
            self._question.open()

    def _answered(self, button: int) -> None:
        if button == QMessageBox.StandardButton.Yes:
            self._keeper.restore(str(self._question.property("backup")))

    def _open_folder(self) -> None:
        if self._keeper.backups:
            open_outside(self._keeper.backups.folder)

    # ------------------------------------------------------------------ what is shown
    def _show(self) -> None:
        keeper = self._keeper
        backups = keeper.backups
        self.model.show_backups(backups.backups if backups else ())
        show_text(self._told, keeper.told, kind=keeper.told_kind)
        show_text(self._kept, kept_line(backups) if backups else "", kind="muted")
        self._enable()

    def _enable(self) -> None:
        free = self._answers and not self._keeper.busy
        chosen = self._chosen()
        self._make.setEnabled(free)
        self._restore.setEnabled(free and chosen is not None and not chosen.problem)
        self._folder.setEnabled(bool(self._keeper.backups and self._keeper.backups.backups))

    # ------------------------------------------------------------------ the parts
    def _connect(self) -> None:
        self._start.clicked.connect(self.start_requested)
        self._make.clicked.connect(self._keeper.make)
        self._restore.clicked.connect(self._ask)
        self._folder.clicked.connect(self._open_folder)
        self._question.finished.connect(self._answered)
        self._table.selectionModel().selectionChanged.connect(self._enable)
        self._table.activated.connect(self._activated)
        self.model.modelReset.connect(self._enable)
        self._keeper.changed.connect(self._show)
        self._keeper.restored.connect(self.memories_changed)

    def _activated(self, _: QModelIndex) -> None:
        if self._restore.isEnabled():
            self._ask()

    def _new_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Backups"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(header.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(Column.HOLDS, header.ResizeMode.Stretch)
        return table

    def _new_question(self) -> QMessageBox:
        box = QMessageBox(self)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(self.tr("Restore – Memtray"))
        box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.Cancel)
        box.button(QMessageBox.StandardButton.Yes).setText(self.tr("&Restore"))
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        return box

    def _arrange(self) -> None:
        title = plain(self.tr("Backups"), kind="title")
        intro = self.tr(
            "Each is a whole copy of your memories, read back and counted before it gets its "
            "name. Going back to one keeps what is there now."
        )
        self._banner = _card(_row(self._away, self._start))
        self._banner.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        for widget in (title, plain(intro, kind="muted"), self._banner, self._told):
            layout.addWidget(widget)
        layout.addWidget(self._table, 1)
        layout.addLayout(_buttons(self._make, self._restore, self._folder))
        layout.addWidget(self._kept)


def _row(text: QLabel, button: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(12)
    row.addWidget(text, 1)
    row.addWidget(button)
    return row


def _buttons(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row


def _card(content: QHBoxLayout) -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "banner")
    content.setContentsMargins(12, 8, 12, 8)
    frame.setLayout(content)
    return frame
