"""Larger and smaller text, by Ctrl and the wheel or by keys."""

import re

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

_SMALLEST, _LARGEST = -3, 14  # points more than usual


def points_of(kept: bytes) -> int:
    """Return the size that was kept; the usual one where that is no number."""
    return int(kept) if re.fullmatch(rb"-?\d{1,2}", kept) else 0


class Zoom(QObject):
    """Holds the size of the text in all views of a widget.

    By its style sheet: with one in force for the whole app, fonts are not handed down.
    """

    changed = Signal(int)  # points more than usual

    def __init__(self, widget: QWidget, points: int) -> None:
        super().__init__(widget)
        self._widget, self._sheet = widget, widget.styleSheet()
        self._usual = widget.font().pointSizeF()
        self.points = 0
        for area in widget.findChildren(QAbstractScrollArea):
            area.viewport().installEventFilter(self)
        self._set(points)

    def larger(self) -> None:
        self._set(self.points + 1)

    def smaller(self) -> None:
        self._set(self.points - 1)

    def reset(self) -> None:
        self._set(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        control = Qt.KeyboardModifier.ControlModifier
        if isinstance(event, QWheelEvent) and event.modifiers() & control:
            self._set(self.points + (1 if event.angleDelta().y() > 0 else -1))
            return True
        return super().eventFilter(watched, event)

    def _set(self, points: int) -> None:
        points = max(_SMALLEST, min(points, _LARGEST))
        if points == self.points:
            return
        self.points = points
        size = f"font-size: {self._usual + points:g}pt;" if points else ""
        self._widget.setStyleSheet(f"{self._sheet} QAbstractScrollArea {{ {size} }}")
        self.changed.emit(points)
