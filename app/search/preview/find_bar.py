"""A small bar that looks for a text in the memory that is shown."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget


class FindBar(QWidget):
    """Emits what is typed and what is pressed; who shows the text does the rest."""

    typed = Signal(str)
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._box = QLineEdit()
        self._box.setPlaceholderText(self.tr("Find in this memory"))
        self._box.setAccessibleName(self._box.placeholderText())
        self._box.textChanged.connect(self.typed)
        self._box.installEventFilter(self)
        self._counter = QLabel()
        self._counter.setProperty("kind", "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._box, 1)
        layout.addWidget(self._counter)
        for arrow, name, signal in (
            (Qt.ArrowType.UpArrow, self.tr("Previous place"), self.previous_wanted),
            (Qt.ArrowType.DownArrow, self.tr("Next place"), self.next_wanted),
        ):
            layout.addWidget(arrow_button(arrow, name, signal))
        close = QToolButton()
        close.setText("✕")
        close.setAccessibleName(self.tr("Close"))
        close.setToolTip(self.tr("Close") + " (Esc)")
        close.clicked.connect(self.close_bar)
        layout.addWidget(close)
        self.hide()

    @property
    def text(self) -> str:
        """What is looked for; "" while the bar is not open."""
        return "" if self.isHidden() else self._box.text()

    def open_bar(self, text: str) -> None:
        """Show the bar with a text to begin with, ready for another one."""
        self.show()
        if text:
            self._box.setText(text)
        self._box.selectAll()
        self._box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.typed.emit(self._box.text())

    def close_bar(self) -> None:
        """Hide the bar."""
        self.hide()
        self.closed.emit()

    def count(self, text: str) -> None:
        """Say how many places there are."""
        self._counter.setText(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take Esc and Enter before the window does."""
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if isinstance(event, QKeyEvent) and event.type() in kinds:
            act = self._act_of(event)
            if act is not None:
                event.accept()
                if event.type() is QEvent.Type.KeyPress:
                    act()
                return True
        return super().eventFilter(watched, event)

    def _act_of(self, event: QKeyEvent) -> Callable[[], None] | None:
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape:
            return self.close_bar
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.previous_wanted.emit if back else self.next_wanted.emit
        return None


def arrow_button(arrow: Qt.ArrowType, name: str, act: object) -> QToolButton:
    """Return a button that shows an arrow and is named by its tip."""
    button = QToolButton()
    button.setArrowType(arrow)
    button.setAccessibleName(name)
    button.setToolTip(name)
    button.clicked.connect(act)
    return button
