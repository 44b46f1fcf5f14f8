"""The widgets of one setting: its editor, what it means, and why something was refused."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from app.settings.fields import Field, Kind, Restart


class Switch(QCheckBox):
    """On or off."""

    edited = Signal(object)

    def __init__(self, field: Field) -> None:
        super().__init__(field.label)
        self.clicked.connect(self._tell)

    def show_value(self, value: object) -> None:
        self.setChecked(value is True)

    def _tell(self) -> None:
        self.edited.emit(self.isChecked())


class Choices(QComboBox):
    """One of a few values; one that is not among them shows as it is."""

    edited = Signal(object)

    def __init__(self, field: Field) -> None:
        super().__init__()
        for value, name in field.choices:
            self.addItem(name, value)
        self.activated.connect(self._tell)

    def show_value(self, value: object) -> None:
        if self.findData(value) < 0:
            self.addItem(str(value), value)
        self.setCurrentIndex(self.findData(value))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the page scroll: a setting is not changed in passing."""
        event.ignore()

    def _tell(self) -> None:
        self.edited.emit(self.currentData())


class Text(QLineEdit):
    """A text or a number, told when it is finished."""

    edited = Signal(object)

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field
        self._told = ""
        self.editingFinished.connect(self._tell)

    def show_value(self, value: object) -> None:
        self._told = "" if value is None else str(value)
        self.setText(self._told)

    def _tell(self) -> None:
        if self.text() != self._told:
            self._told = self.text()
            self.edited.emit(self._field.value_of(self.text()))


class Row(QWidget):
    """One setting on a page; `edited` when a person has changed it."""

    edited = Signal(str, object)  # the key and the value that is wanted

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field
        self.editor = _editor(field)
        self.editor.edited.connect(self._tell)
        self.label = None if field.kind is Kind.SWITCH else QLabel(field.label)
        self._refused = _small("error")
        self._refused.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(self._first_line())
        layout.addWidget(self._refused)
        if note := " ".join(filter(None, (field.hint, self._when()))):
            hint = _small("muted")
            hint.setText(note)
            layout.addWidget(hint)
            self.editor.setAccessibleDescription(note)

    def show_value(self, value: object) -> None:
        """Show what is so."""
        self._refused.hide()
        self.editor.show_value(value)

    def refuse(self) -> None:
        """Say beside the field why its value cannot be used; it stays there to be put right."""
        self._refused.setText(self.field.reason or self.tr("This value cannot be used."))
        self._refused.show()

    def _first_line(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(12)
        if self.label is not None:
            self.label.setBuddy(self.editor)
            self.editor.setAccessibleName(self.field.label.replace("&", ""))
            line.addWidget(self.label)
        line.addWidget(self.editor, 1 if self.field.kind is Kind.TEXT else 0)
        line.addStretch(0 if self.field.kind is Kind.TEXT else 1)
        return line

    def _when(self) -> str:
        return {
            Restart.NONE: "",
            Restart.WORKER: self.tr("Holds from the worker's next start."),
            Restart.APP: self.tr("Holds from the next start of Memtray."),
            Restart.CLIENT: self.tr("Holds from the next start of Claude."),
        }[self.field.restart]

    def _tell(self, value: object) -> None:
        self.edited.emit(self.field.name, value)


def align(rows: Sequence[Row]) -> None:
    """Have the fields of a page begin at the same place."""
    labels = [row.label for row in rows if row.label is not None]
    widest = max((label.sizeHint().width() for label in labels), default=0)
    for label in labels:
        label.setMinimumWidth(widest)


def _editor(field: Field) -> Switch | Choices | Text:
    if field.kind is Kind.SWITCH:
        return Switch(field)
    return Choices(field) if field.kind is Kind.CHOICE else Text(field)


def _small(kind: str) -> QLabel:
    label = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setProperty("kind", kind)
    return label
