"""What is seen in a window."""

from typing import TypeVar

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

T = TypeVar("T", bound=QWidget)


def child(parent: QWidget, kind: type[T]) -> T:
    """Return the one widget of a kind."""
    found = parent.findChild(kind)
    assert isinstance(found, kind)
    return found


def texts_in(widget: QWidget) -> str:
    """Return what its labels say."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def press(widget: QWidget) -> None:
    """Click its one button."""
    child(widget, QAbstractButton).click()
