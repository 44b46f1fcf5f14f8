"""What happened before and after a memory, as rows of a list."""

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFont

from app.search.marks import one_line
from app.search.wording import local_time, type_name
from worker.shared.contract import Item

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Role(IntEnum):
    """What a row tells beyond its text."""

    ITEM = Qt.ItemDataRole.UserRole


class TimelineModel(QAbstractListModel):
    """The items of one timeline, oldest first; the anchor is set off by weight and a sign."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: Sequence[Item] = ()
        self._anchor = ""

    @property
    def anchor_row(self) -> int:
        """The row of the anchor, -1 where it is not there."""
        return next((n for n, item in enumerate(self._items) if item.ref == self._anchor), -1)

    @property
    def refs(self) -> list[str]:
        """The ids of all rows."""
        return [item.ref for item in self._items]

    def show(self, items: Sequence[Item], anchor: str) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._items, self._anchor = items, anchor
        self.endResetModel()

    def move_anchor(self, anchor: str) -> None:
        """Set off another row."""
        self._anchor = anchor
        if self._items:
            self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._items):
            return None
        item = self._items[index.row()]
        is_anchor = item.ref == self._anchor
        if role == Qt.ItemDataRole.DisplayRole:
            sign = "▸ " if is_anchor else "\u2003"
            return f"{sign}{local_time(item)}  ·  {type_name(item.type)}  ·  {one_line(item.title)}"
        if role == Qt.ItemDataRole.FontRole and is_anchor:
            font = QFont()
            font.setBold(True)
            return font
        if role == Role.ITEM:
            return item
        return None
