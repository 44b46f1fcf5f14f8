"""A memory written by hand."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.clients.labels import plain, show_text
from app.search.wording import type_name
from app.worker_client import WorkerClient
from worker.shared.contract import SaveReply, SaveRequest
from worker.shared.errors import MemtrayError

TYPES = ("discovery", "decision", "bugfix", "feature", "refactor", "change")
_DEFAULTS = SaveRequest(text="-")


class NewMemoryDialog(QDialog):
    """Stays open until the worker has stored the memory; `saved` tells what came of it."""

    saved = Signal(object)  # SaveReply

    def __init__(self, client: WorkerClient, projects: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("new-memory")
        self.setWindowTitle(self.tr("New memory – Memtray"))
        self._client = client
        self._text = QPlainTextEdit(tabChangesFocus=True)
        self._title = QLineEdit()
        self._title.setPlaceholderText(self.tr("How the text begins, if you give none"))
        self._project = QComboBox(editable=True)
        self._project.addItems(list(projects))
        self._project.setCurrentText(projects[0] if projects else _DEFAULTS.project)
        self._type = QComboBox()
        for value in TYPES:
            self._type.addItem(type_name(value), value)
        self._problem = plain(kind="error")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._save = self._buttons.addButton(
            self.tr("&Save"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._save.setDefault(True)
        self._buttons.accepted.connect(self._send)
        self._buttons.rejected.connect(self.reject)
        self._text.textChanged.connect(self._check)
        self._arrange()
        self._check()

    def _check(self) -> None:
        self._save.setEnabled(bool(self._text.toPlainText().strip()))

    def _send(self) -> None:
        body = {
            "text": self._text.toPlainText(),
            "title": self._title.text().strip(),
            "project": self._project.currentText().strip() or _DEFAULTS.project,
            "type": self._type.currentData(),
        }
        self._save.setEnabled(False)
        call = self._client.post("/api/memory/save", body, SaveReply)
        call.done.connect(self._done)
        call.failed.connect(self._failed)

    def _done(self, reply: SaveReply) -> None:
        self.saved.emit(reply)
        self.accept()

    def _failed(self, error: MemtrayError) -> None:
        show_text(self._problem, f"✕ {error.detail}", kind="error")
        self._check()

    def _arrange(self) -> None:
        hint = self.tr("Passwords, keys and tokens in it are left out, and you are told.")
        rows = QFormLayout()
        rows.setHorizontalSpacing(12)
        rows.setVerticalSpacing(8)
        for name, field in (
            (self.tr("&Text"), self._text),
            (self.tr("T&itle"), self._title),
            (self.tr("&Project"), self._project),
            (self.tr("T&ype"), self._type),
        ):
            label = QLabel(name)
            label.setBuddy(field)
            rows.addRow(label, field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addLayout(rows, 1)
        layout.addWidget(plain(hint, kind="muted"))
        layout.addWidget(self._problem)
        layout.addWidget(self._buttons)
        self.resize(60 * self.fontMetrics().averageCharWidth(), 24 * self.fontMetrics().height())
