"""What stands in place of the hits when there are none."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.search.nothing import Nothing, Step


class EmptyPanel(QWidget):
    """Says why, and offers steps."""

    chosen = Signal(object)  # Step

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = _label("title")
        self._lines = _label("muted")
        self._offered: tuple[Step, ...] = ()
        self._steps = QVBoxLayout()
        self._steps.setSpacing(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.setSpacing(12)
        layout.addStretch(1)
        layout.addWidget(self._title)
        layout.addWidget(self._lines)
        layout.addLayout(self._steps)
        layout.addStretch(2)

    def show_nothing(self, nothing: Nothing) -> None:
        """Show these reasons and steps; a step that stays keeps the focus."""
        self._title.setText(nothing.title)
        self._lines.setText("\n".join(nothing.lines))
        if nothing.steps == self._offered:
            return
        self._offered = nothing.steps
        while item := self._steps.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for step in nothing.steps:
            button = StepButton(step, self)
            button.chosen.connect(self.chosen)
            self._steps.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)


class StepButton(QPushButton):
    """One step."""

    chosen = Signal(object)

    def __init__(self, step: Step, parent: QWidget) -> None:
        super().__init__(step.text.replace("&", "&&"), parent)
        self._step = step
        self.clicked.connect(self._choose)

    def _choose(self) -> None:
        self.chosen.emit(self._step)


def _label(kind: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    label.setProperty("kind", kind)
    return label
