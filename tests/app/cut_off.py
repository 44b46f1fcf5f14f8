"""Whether what a window says can be read whole."""

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget


def cut_off(window: QWidget) -> list[str]:
    """Return the texts that have less room than they need."""
    found = []
    for widget in window.findChildren(QWidget):
        worded = isinstance(widget, QLabel | QAbstractButton | QComboBox)
        if not worded or not widget.isVisible() or isinstance(widget.parent(), QLineEdit):
            continue
        wraps = isinstance(widget, QLabel) and widget.wordWrap()
        needed = widget.heightForWidth(widget.width()) if wraps else widget.sizeHint().height()
        narrow = not wraps and widget.width() < widget.sizeHint().width()
        if narrow or widget.height() < needed:
            found.append(f"{type(widget).__name__} {widget.accessibleName() or widget}")
    return found
