"""A quiet line below the text: what was copied, what is left out, that the worker is away."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

_SECONDS = 6  # that a passing remark stays


class Notice(QFrame):
    """One sentence and perhaps a button; `pressed` when that is."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "banner")
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._button = QPushButton()
        self._button.clicked.connect(self.pressed)
        self._passing = QTimer(self, singleShot=True, interval=_SECONDS * 1000)
        self._passing.timeout.connect(self.hide)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 4, 4, 4)
        layout.addWidget(self._label, 1)
        layout.addWidget(self._button)
        self.hide()

    @property
    def text(self) -> str:
        return "" if self.isHidden() else self._label.text()

    def say(self, text: str, button: str = "") -> None:
        """Show a sentence; without a button it goes away by itself."""
        self._label.setText(text)
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self.show()
        if button:
            self._passing.stop()
        else:
            self._passing.start()
