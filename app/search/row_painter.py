"""How one row of the list is painted: title and snippet with their marks, and where it is from."""

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.search.badges import badge_of
from app.search.marks import one_line
from app.search.row_text import MarkedText, line_height
from app.search.wording import SIGNS, found_by, local_time, type_name
from app.theme import Colours, Theme
from worker.shared.contract import Item

_Index = QModelIndex | QPersistentModelIndex

_PADDING = 12
_GAP = 10
_BAR = 3  # at the left of the chosen row
_SNIPPET_LINES = 2
_MOST_TITLE = 300  # characters; no screen has room for more


class RowPainter(QStyledItemDelegate):
    """Paints hits in the colours of the theme."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        rect: QRect = option.rect
        colours = self._theme.colours
        _paint_ground(painter, rect, option.state, colours)
        inner = QRectF(rect.adjusted(_PADDING + _BAR, _PADDING, -_PADDING, -_PADDING))
        item = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(item, Item):
            _paint_item(painter, inner, item, colours)
        else:
            _paint_blank(painter, inner, colours)
        painter.restore()


def row_height(font: QFont) -> int:
    """Return the height of each row, in pixels."""
    return round(line_height(font) * (2 + _SNIPPET_LINES)) + 2 * _PADDING


def _paint_ground(
    painter: QPainter, rect: QRect, state: QStyle.StateFlag, colours: Colours
) -> None:
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, QColor(colours.selection))
        bar = QRect(rect.left(), rect.top(), _BAR, rect.height())
        painter.fillRect(bar, QColor(colours.accent))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, QColor(colours.window))
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(colours.border))


def _paint_item(painter: QPainter, inner: QRectF, item: Item, colours: Colours) -> None:
    """Paint title, facts and snippet below each other, in the font of the list."""
    font = QFont(painter.font())
    step = line_height(font)
    heading = QFont(font)
    heading.setWeight(QFont.Weight.Bold)
    painter.setPen(QColor(colours.text))
    title = MarkedText(item.title[:_MOST_TITLE], item.title_marks, heading)
    title.paint(painter, inner.topLeft(), width=inner.width(), lines=1, colours=colours)
    if item.snippet:
        snippet = MarkedText(item.snippet.text, item.snippet.marks, font)
        place = QPointF(inner.left(), inner.top() + 2 * step)
        snippet.paint(painter, place, width=inner.width(), lines=_SNIPPET_LINES, colours=colours)
    painter.setFont(font)
    _paint_facts(
        painter, QRectF(inner.left(), inner.top() + step, inner.width(), step), item, colours
    )


def _paint_facts(painter: QPainter, rect: QRectF, item: Item, colours: Colours) -> None:
    """Paint type, time, project and who found it; the project is what is cut short."""
    metrics = QFontMetricsF(painter.font())
    badge, size = badge_of(item.type), metrics.ascent() * 0.75
    colour = QColor(badge.colour_in(colours))
    middle = QPointF(rect.left() + size / 2, rect.center().y())
    painter.fillPath(badge.path(middle, size), colour)
    left = rect.left() + size + _GAP / 2
    left += _word(painter, type_name(item.type), colour, rect, left) + _GAP
    muted = QColor(colours.muted)
    left += _word(painter, local_time(item), muted, rect, left) + _GAP
    project = one_line(item.project)
    leg = found_by(item)
    if left + metrics.horizontalAdvance(project + leg) + _GAP > rect.right():
        leg = SIGNS[item.leg]  # the tool tip says it in words
    leg_left = max(left, rect.right() - metrics.horizontalAdvance(leg))
    room = leg_left - left - _GAP
    project = metrics.elidedText(project, Qt.TextElideMode.ElideMiddle, room)
    _word(painter, project, muted, rect, left)
    _word(painter, leg, muted, rect, leg_left)


def _word(painter: QPainter, text: str, colour: QColor, rect: QRectF, left: float) -> float:
    """Paint a word in the middle of a line, and return its width."""
    painter.setPen(colour)
    place = QRectF(left, rect.top(), rect.right() - left, rect.height())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
    return QFontMetricsF(painter.font()).horizontalAdvance(text)


def _paint_blank(painter: QPainter, inner: QRectF, colours: Colours) -> None:
    """Paint what shows that a row has not come yet."""
    step = line_height(painter.font())
    for number, share in enumerate((0.5, 0.3, 0.9)):
        place = QRectF(inner.left(), inner.top() + number * step * 1.2, inner.width() * share, step)
        painter.fillRect(place.adjusted(0, step * 0.3, 0, -step * 0.2), QColor(colours.raised))
