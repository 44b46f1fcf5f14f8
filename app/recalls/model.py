"""The calls of Claude as rows, newest first; older ones are asked for when they are scrolled to."""

import datetime as dt
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.recalls.wording import (
    asked_text,
    client_name,
    full_moment,
    hits_text,
    moment_text,
    tool_name,
)
from worker.shared.recalls_contract import Recall, RecallsReply

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_Role = Qt.ItemDataRole


class Column(IntEnum):
    """What a row shows, from left to right."""

    TIME = 0
    CLIENT = 1
    TOOL = 2
    ASKED = 3
    HITS = 4
    TOKENS = 5
    MS = 6


_NUMBERS = (Column.HITS, Column.TOKENS, Column.MS)


class RecallsModel(QAbstractTableModel):
    """Holds what was loaded so far; UserRole is the Recall."""

    more_wanted = Signal(int)  # `before`

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Recall] = []
        self._next: int | None = None
        self._asked: int | None = None  # the page that is awaited

    # ------------------------------------------------------------------ content
    def show(self, reply: RecallsReply) -> None:
        """Show the newest page: what is new goes on top, unless others came between or went."""
        fresh = list(reply.recalls)
        known = {recall.id for recall in self._rows}
        new = [recall for recall in fresh if recall.id not in known]
        joined = [*new, *self._rows][: len(fresh)]
        if len(new) < len(fresh) and [r.id for r in joined] == [r.id for r in fresh]:
            self._put_on_top(new)
            return
        self.beginResetModel()
        self._rows, self._next, self._asked = fresh, reply.next, None
        self.endResetModel()

    def extend(self, reply: RecallsReply) -> None:
        """Add the page that was asked for below the others."""
        self._asked, self._next = None, reply.next
        last = self._rows[-1].id if self._rows else None
        older = [recall for recall in reply.recalls if last is None or recall.id < last]
        if older:
            self.beginInsertRows(_ROOT, len(self._rows), len(self._rows) + len(older) - 1)
            self._rows += older
            self.endInsertRows()

    def give_up(self) -> None:
        """The page that was asked for does not come; it may be asked for again."""
        self._asked = None

    def recall(self, row: int) -> Recall:
        """Return the call in a row."""
        return self._rows[row]

    def _put_on_top(self, new: Sequence[Recall]) -> None:
        if new:
            self.beginInsertRows(_ROOT, 0, len(new) - 1)
            self._rows[:0] = new
            self.endInsertRows()

    # ------------------------------------------------------------------ the model
    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def canFetchMore(self, parent: _Index) -> bool:
        return not parent.isValid() and self._next is not None and self._asked != self._next

    def fetchMore(self, parent: _Index) -> None:
        if self.canFetchMore(parent) and self._next is not None:
            self._asked = self._next
            self.more_wanted.emit(self._next)

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:  # noqa: ANN401 - as in Qt
        if not index.isValid():
            return None
        recall, column = self._rows[index.row()], Column(index.column())
        if role == _Role.DisplayRole:
            return _shown(recall, column)
        if role == _Role.UserRole:
            return recall
        if role == _Role.ToolTipRole:
            return _explained(recall, column)
        if role == _Role.TextAlignmentRole and column in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = _Role.DisplayRole,
    ) -> Any:  # noqa: ANN401 - as in Qt
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _Role.TextAlignmentRole and section in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return self._titles()[section] if role == _Role.DisplayRole else None

    def _titles(self) -> tuple[str, ...]:
        return (
            self.tr("Time"),
            self.tr("Client"),
            self.tr("Step"),
            self.tr("Asked for"),
            self.tr("Memories"),
            self.tr("Tokens"),
            self.tr("ms"),
        )


def _shown(recall: Recall, column: Column) -> str:
    if column is Column.TIME:
        return moment_text(recall, dt.datetime.now(dt.UTC).astimezone().date())
    return {
        Column.CLIENT: client_name(recall.client),
        Column.TOOL: tool_name(recall.tool),
        Column.ASKED: asked_text(recall),
        Column.HITS: hits_text(recall),
        Column.TOKENS: str(recall.tokens),
        Column.MS: str(recall.ms),
    }[column]


def _explained(recall: Recall, column: Column) -> str | None:
    """Return a plain text for the tip; Qt would take what looks like markup for it."""
    text = {Column.TIME: full_moment(recall), Column.ASKED: asked_text(recall)}.get(column, "")
    text = recall.problem if column is Column.HITS else text
    return f"<p style='white-space:pre-wrap'>{_escaped(text)}</p>" if text else None


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
