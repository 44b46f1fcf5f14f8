"""A text with marks, laid out in one or two lines and painted."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)

from app.search.marks import Spans, cut, in_qt, one_line
from app.theme import Colours

_TRIES = 4  # the ellipsis may push a word into the next line


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text and the stretches of it that are marked, in characters."""

    text: str
    marks: Spans
    font: QFont

    def paint(
        self, painter: QPainter, place: QPointF, *, width: float, lines: int, colours: Colours
    ) -> None:
        """Paint so many lines below each other; what has no room ends with an ellipsis."""
        layout = self._layout(self.text, self.marks, colours)
        step = line_height(self.font)
        fits = _break(layout, width, lines, step)
        for _ in range(_TRIES):
            shown = cut(layout.text(), fits)
            if shown == layout.text():
                break
            layout = self._shortened(shown[:-1].rstrip() + "…", colours)
            fits = _break(layout, width, lines, step)
        layout.draw(painter, place)

    def _shortened(self, text: str, colours: Colours) -> QTextLayout:
        kept = [(start, end) for start, end in self.marks if end < len(text)]
        return self._layout(text, kept, colours)

    def _layout(self, text: str, marks: Spans, colours: Colours) -> QTextLayout:
        layout = QTextLayout(one_line(text), self.font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats([_marked(at, length, colours) for at, length in in_qt(text, marks)])
        return layout


def line_height(font: QFont) -> float:
    """Return the distance of two lines: with some air, also for high scripts."""
    return QFontMetricsF(font).height() * 1.15


def _break(layout: QTextLayout, width: float, lines: int, step: float) -> int:
    """Break into at most so many lines, and return how many of Qt's characters they hold."""
    layout.beginLayout()
    fits = 0
    for number in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, number * step))
        fits = line.textStart() + line.textLength()
    layout.endLayout()
    return fits


def _marked(start: int, length: int, colours: Colours) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    look.setBackground(QColor(colours.mark))
    look.setForeground(QColor(colours.on_mark))
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, look
    return found
