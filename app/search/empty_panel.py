"""What stands in place of the hits when there are none."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.search.nothing import Nothing, Step

_MARGIN = 24
_INSIDE = 32  # pixels of a button beside its text


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
        layout.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
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
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for button in self.findChildren(StepButton):
            button.fit(self.width() - 2 * _MARGIN)


class StepButton(QPushButton):
    """One step, in as many lines as it needs."""

    chosen = Signal(object)

    def __init__(self, step: Step, parent: QWidget) -> None:
        super().__init__(parent)
        self._step = step
        self.setAccessibleName(step.text)
        self.clicked.connect(self._choose)

    def fit(self, width: int) -> None:
        """Break the text into lines so that none is wider than the button may be."""
        lines = _lines(self._step.text, self.fontMetrics(), max(1, width - _INSIDE))
        self.setText("\n".join(lines).replace("&", "&&"))

    def _choose(self) -> None:
        self.chosen.emit(self._step)


def _lines(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Return the words in lines; of a word that is wider, the middle is left out."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, width) for line in lines]


def _label(kind: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    label.setProperty("kind", kind)
    return label
