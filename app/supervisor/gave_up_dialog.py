"""The message that the worker crashed too often: how it ended, what it said, what helps."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.supervisor.backoff import TOO_MANY
from app.supervisor.describe import exit_text
from app.supervisor.events import GaveUp
from app.supervisor.message_dialog import MessageDialog
from app.window import room


class GaveUpDialog(MessageDialog):
    """Shown by `present`; holds up nothing, and the buttons only tell what was chosen."""

    restart_requested = Signal()
    diagnostics_requested = Signal()
    logs_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gave-up")
        self.setWindowTitle(self.tr("The worker keeps crashing – Memtray"))
        title = QLabel(self.tr("The worker keeps crashing"))
        title.setProperty("kind", "title")
        title.setWordWrap(True)
        self.cause = QLabel()
        self.cause.setWordWrap(True)
        self._lines_label = QLabel(self.tr("What it said &last:"))
        self.lines = QPlainTextEdit()
        self.lines.setReadOnly(True)
        self.lines.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.lines.setTabChangesFocus(True)
        self.lines.setAccessibleName(self.tr("Last lines of the worker"))
        self._lines_label.setBuddy(self.lines)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        for widget in (title, self.cause, self._lines_label, self.lines, self._buttons()):
            layout.addWidget(widget)
        self.resize(QSize(640, 420).boundedTo(room()))

    def present(self, what: GaveUp) -> None:
        """Show how it ended; what is on the screen already is brought up to date."""
        many = self.tr(
            "It crashed %n times within ten minutes and is not started again.", "", TOO_MANY
        )
        self.cause.setText(f"{many} {exit_text(what.exit_code)}".strip())
        self.lines.setPlainText("\n".join(what.lines) or self.tr("(It said nothing.)"))
        self.lines.moveCursor(self.lines.textCursor().MoveOperation.End)
        self.show_over(self.restart)

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole
        self.restart = buttons.addButton(self.tr("&Restart worker"), role.AcceptRole)
        self.copy = buttons.addButton(self.tr("&Copy diagnostics"), role.ActionRole)
        self.logs = buttons.addButton(self.tr("&Open logs"), role.ActionRole)
        self.restart.clicked.connect(self.restart_requested)
        self.copy.clicked.connect(self.diagnostics_requested)
        self.logs.clicked.connect(self.logs_requested)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons
