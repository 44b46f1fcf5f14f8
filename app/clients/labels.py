"""Labels for text from outside: never read as HTML, wrapped, and to be copied."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def plain(text: str = "", *, kind: str = "") -> QLabel:
    """Return a label that shows a text as it is; `kind` is one of the style sheet's."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setProperty("kind", kind)
    if not text:
        label.hide()
    return label


def show_text(label: QLabel, text: str, *, kind: str = "") -> None:
    """Change text and kind of a label in a window; without a text it takes no room."""
    label.setText(text)
    label.setVisible(bool(text))
    if label.property("kind") != kind:
        label.setProperty("kind", kind)
        label.style().unpolish(label)
        label.style().polish(label)
