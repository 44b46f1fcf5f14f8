"""What a page has besides settings: the system's login entry, folders, and what can be cleared."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.outside import open_outside
from app.tray.login import Login, LoginSwitch
from app.worker_client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.recalls_contract import ClearedReply

translate = QCoreApplication.translate


class LoginRow(QWidget):
    """The real entry of the system, looked at each time that it is shown."""

    def __init__(self, login: Login, background: Background) -> None:
        super().__init__()
        self._action = QAction(self, checkable=True)
        self._switch = LoginSwitch(self._action, login, background, self)
        self._box = QCheckBox(self.tr("Start at lo&gin"))
        self._trouble = note("error")
        self._trouble.hide()
        hint = note("muted")
        hint.setText(self.tr("The entry of your system itself; no window opens at such a start."))
        layout = _column(self)
        for part in (self._box, self._trouble, hint):
            layout.addWidget(part)
        self._box.clicked.connect(self._change)
        self._action.toggled.connect(self._box.setChecked)
        self._switch.failed.connect(self._complain)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._trouble.hide()
        self._switch.look()

    def _change(self) -> None:
        self._trouble.hide()
        self._action.trigger()

    def _complain(self, error: Exception) -> None:
        self._box.setChecked(self._action.isChecked())
        self._trouble.setText(str(error))
        self._trouble.show()


class FolderRow(QWidget):
    """A path and what is there, with a button to open it; nothing is changed here."""

    def __init__(self, path: Path, explanation: str) -> None:
        super().__init__()
        self._path = path
        shown = note("")
        shown.setText(str(path))
        shown.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        hint = note("muted")
        hint.setText(explanation)
        line = QHBoxLayout()
        if path.suffix == ".json":
            line.addWidget(self._opener(self.tr("&Open the file"), self._open))
        line.addWidget(self._opener(self.tr("Open the &folder"), self._open_folder))
        line.addStretch()
        layout = _column(self)
        layout.addWidget(shown)
        layout.addWidget(hint)
        layout.addLayout(line)

    def _opener(self, text: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(slot)
        return button

    def _open(self) -> None:
        there = next(place for place in (self._path, *self._path.parents) if place.exists())
        open_outside(there)

    def _open_folder(self) -> None:
        folders = (place for place in (self._path, *self._path.parents) if place.is_dir())
        open_outside(next(folders))


class ClearRow(QWidget):
    """A button that asks before it forgets something, and says what came of it."""

    confirmed = Signal()

    def __init__(self, button: str, question: str) -> None:
        super().__init__()
        self._question = QMessageBox(self)
        self._question.setIcon(QMessageBox.Icon.Question)
        self._question.setText(question)
        self._question.setStandardButtons(
            QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.Cancel
        )
        self._question.setDefaultButton(QMessageBox.StandardButton.Cancel)
        self._question.finished.connect(self._answered)
        clear = QPushButton(button)
        clear.clicked.connect(self._ask)
        self._outcome = note("muted")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(clear)
        line.addWidget(self._outcome, 1)

    def say(self, text: str) -> None:
        """Show what came of it."""
        self._outcome.setText(text)

    def _ask(self) -> None:
        self._question.open()

    def _answered(self, button: int) -> None:
        if button == QMessageBox.StandardButton.Yes:
            self.confirmed.emit()


class ClearRecallsRow(ClearRow):
    """Has the worker forget what Claude asked for."""

    def __init__(self, client: WorkerClient) -> None:
        super().__init__(
            translate("Settings", "&Forget all calls…"),
            translate(
                "Settings",
                "Forget all that Claude has asked for? Memories stay. Backups that were made "
                "before hold it until they are replaced.",
            ),
        )
        self._client = client
        self.confirmed.connect(self._clear)

    def _clear(self) -> None:
        call = self._client.post("/api/recalls/clear", {}, ClearedReply)
        call.done.connect(self._done)
        call.failed.connect(self._failed)

    def _done(self, reply: ClearedReply) -> None:
        self.say(self.tr("%n calls were forgotten.", "", reply.cleared))

    def _failed(self, error: MemtrayError) -> None:
        self.say(f"{error.title}: {error.detail}")


def note(kind: str) -> QLabel:
    """Return a label for text of any length and any content."""
    label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setProperty("kind", kind)
    return label


def _column(parent: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4)
    return layout
