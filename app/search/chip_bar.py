"""The filters of the query as chips, which mouse and keyboard remove or edit."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from app.search.flow import FlowLayout
from app.search.request import Chip


class ChipBar(QWidget):
    """All chips, in as many lines as they need; hidden where there are none."""

    removed = Signal(object)  # Chip
    edited = Signal(object)  # Chip, to be typed again

    def __init__(self, after: QWidget, parent: QWidget | None = None) -> None:
        """`after` is where Tab comes from."""
        super().__init__(parent)
        self._after = after
        self._flow = FlowLayout(self)
        self.hide()

    def show_chips(self, chips: Sequence[Chip]) -> None:
        """Show these filters and no others."""
        if chips == self._shown():
            return
        while item := self._flow.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        before = self._after
        for chip in chips:
            label = ChipLabel(chip, self)
            QWidget.setTabOrder(before, label)
            before = label
            label.removed.connect(self.removed)
            label.edited.connect(self.edited)
            self._flow.addWidget(label)
        self.setVisible(bool(chips))

    def labels(self) -> list["ChipLabel"]:
        """Return the chips, in order."""
        items = (self._flow.itemAt(place) for place in range(self._flow.count()))
        widgets = (item.widget() for item in items if item)
        return [widget for widget in widgets if isinstance(widget, ChipLabel)]

    def _shown(self) -> Sequence[Chip]:
        return tuple(label.chip for label in self.labels())


class ChipLabel(QFrame):
    """One filter: Delete or the cross removes it, Enter or a double click types it again."""

    removed = Signal(object)
    edited = Signal(object)

    def __init__(self, chip: Chip, parent: QWidget) -> None:
        super().__init__(parent)
        self.chip = chip
        self.setProperty("kind", "chip")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Filter {filter}").format(filter=chip.text))
        text = QLabel(chip.text, self)
        text.setTextFormat(Qt.TextFormat.PlainText)
        cross = QToolButton(self)
        cross.setText("×")
        cross.setAutoRaise(True)
        cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the chip itself takes Delete
        cross.setAccessibleName(self.tr("Remove filter {filter}").format(filter=chip.text))
        cross.setToolTip(cross.accessibleName())
        cross.clicked.connect(self._remove)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 2, 4, 2)
        row.setSpacing(2)
        row.addWidget(text)
        row.addWidget(cross)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._remove()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.edited.emit(self.chip)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.edited.emit(self.chip)

    def _remove(self) -> None:
        self.removed.emit(self.chip)
