"""The green tick, and until then the sentence to give to Claude."""

import datetime as dt

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.clients.asked import Asked, Seen, Watch
from app.clients.connections import Connections
from app.clients.labels import plain, show_text
from app.clients.words import name_of, question
from app.worker_client import WorkerClient

translate = QCoreApplication.translate


def words_of(asked: Asked) -> tuple[str, str]:
    """Return what is to be said about it, and the kind of label that says it."""
    match asked.seen:
        case Seen.ASKED:
            text = translate("Clients", "✓ {client} really asked Memtray at {time}.")
            shown = text.format(client=name_of(asked.client), time=_local(asked.at))
            return shown, "good"
        case Seen.WAITING:
            return translate(
                "Clients", "○ Claude has not asked Memtray yet. Restart Claude, then give it this:"
            ), ""
        case Seen.NOT_RECORDED:
            return translate(
                "Clients", "– What Claude asks is not recorded (Settings, Privacy)."
            ), "muted"
        case Seen.NO_ANSWER:
            return translate(
                "Clients", "– The worker does not answer, so it cannot be seen whether Claude asks."
            ), ""
        case Seen.NOBODY:
            return translate("Clients", "– Claude cannot ask yet: it is not connected."), "muted"


class AskedLabel(QWidget):
    """Says whether Claude really asked; looks for it only while it is seen."""

    def __init__(self, connections: Connections, client: WorkerClient) -> None:
        super().__init__()
        self._watch = Watch(client, connections, self)
        self._watch.changed.connect(self._show)
        self._said = plain()
        self._question = plain(f"“{question()}”", kind="muted")
        self._copy = QPushButton(self.tr("Copy &question"))
        self._copy.clicked.connect(self._copy_question)
        line = QHBoxLayout()
        line.addWidget(self._question, 1)
        line.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._said)
        layout.addLayout(line)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._watch.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._watch.stop()

    def _show(self) -> None:
        text, kind = words_of(self._watch.asked)
        show_text(self._said, text, kind=kind)
        waiting = self._watch.asked.seen is Seen.WAITING
        self._question.setVisible(waiting)
        self._copy.setVisible(waiting)

    def _copy_question(self) -> None:
        QGuiApplication.clipboard().setText(question())


def _local(at: dt.datetime | None) -> str:
    """Return the time of day, with the date where that is not today."""
    if at is None:
        return ""
    local, locale = QDateTime.fromSecsSinceEpoch(int(at.timestamp())), QLocale()
    today = local.date() == QDateTime.currentDateTime().date()
    return locale.toString(local.time() if today else local, QLocale.FormatType.ShortFormat)
