"""The rows of the log, one an entry; a traceback belongs to its entry."""

import datetime as dt
from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QColor

from app.logs.reader import MOST
from app.logs.selection import ERROR, rank
from app.theme import Colours
from worker.shared.log_lines import Entry

_WIDTH = 400  # characters of a message in the list; the rest is below it
SHAPES = {"CRITICAL": "✖", "ERROR": "✖", "WARNING": "▲", "INFO": "●", "DEBUG": "○"}
_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_Role = Qt.ItemDataRole


class Column(IntEnum):
    """What a row shows."""

    TIME = 0
    LEVEL = 1
    COMPONENT = 2
    MESSAGE = 3


class LogModel(QAbstractTableModel):
    """The selected entries in the order of time."""

    def __init__(self, colours: Colours, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []
        self._colours = colours

    # ------------------------------------------------------------------ content
    def replace(self, entries: Sequence[Entry]) -> None:
        """Show these and no others."""
        self.beginResetModel()
        self._entries = list(entries)
        self.endResetModel()

    def append(self, entries: Sequence[Entry]) -> None:
        """Show these below the others."""
        if entries:
            there = len(self._entries)
            self.beginInsertRows(_ROOT, there, there + len(entries) - 1)
            self._entries += entries
            self.endInsertRows()

    def trim(self) -> None:
        """Leave out the oldest where there are more than anybody reads."""
        surplus = len(self._entries) - MOST
        if surplus > 0:
            self.beginRemoveRows(_ROOT, 0, surplus - 1)
            del self._entries[:surplus]
            self.endRemoveRows()

    def paint_with(self, colours: Colours) -> None:
        """Use the colours of another theme."""
        self._colours = colours
        if self._entries:
            last = self.index(len(self._entries) - 1, Column.MESSAGE)
            self.dataChanged.emit(self.index(0, 0), last, [_Role.ForegroundRole])

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    def entry(self, row: int) -> Entry:
        return self._entries[row]

    def error_from(self, row: int, step: int) -> int | None:
        """Return the row of the next error after `row`, or before it with a `step` of -1."""
        rows = range(row + step, len(self._entries) if step > 0 else -1, step)
        return next((at for at in rows if rank(self._entries[at]) >= ERROR), None)

    # ------------------------------------------------------------------ Qt
    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> str | None:
        if orientation is not Qt.Orientation.Horizontal or role != _Role.DisplayRole:
            return None
        return (self.tr("Time"), self.tr("Level"), self.tr("Part"), self.tr("Message"))[section]

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        match role:
            case _Role.DisplayRole:
                return self._shown(entry, Column(index.column()))
            case _Role.AccessibleTextRole:
                return f"{level_name(entry.level)}, {first_line(entry)}"
            case _Role.ForegroundRole:
                return self._colour(entry, Column(index.column()))
            case _Role.UserRole:
                return entry
        return None

    def _shown(self, entry: Entry, column: Column) -> str:
        match column:
            case Column.TIME:
                return local_time(entry.time)
            case Column.LEVEL:
                return shown_level(entry.level)
            case Column.COMPONENT:
                return entry.component
            case Column.MESSAGE:
                return first_line(entry)

    def _colour(self, entry: Entry, column: Column) -> QColor | None:
        if column in (Column.TIME, Column.COMPONENT) or entry.level == "DEBUG":
            return QColor(self._colours.muted)
        if rank(entry) >= ERROR:
            return QColor(self._colours.error)
        return QColor(self._colours.warning) if entry.level == "WARNING" else None


def first_line(entry: Entry) -> str:
    """Return what of an entry is in its row; an arrow says that there is more below."""
    looked_at = entry.message[: 4 * _WIDTH]  # a message may have megabytes
    first, _, rest = looked_at.strip().partition("\n")
    more = rest or entry.exception or len(first) > _WIDTH or looked_at != entry.message
    return first[:_WIDTH] + (" ⤵" if more else "")


def shown_level(level: str) -> str:
    """Return the shape and the word of a level."""
    return f"{SHAPES.get(level, '·')} {level_name(level)}"


def level_name(level: str) -> str:
    """Return a level for a person."""
    names = {
        "CRITICAL": QCoreApplication.translate("Logs", "Critical"),
        "ERROR": QCoreApplication.translate("Logs", "Error"),
        "WARNING": QCoreApplication.translate("Logs", "Warning"),
        "INFO": QCoreApplication.translate("Logs", "Info"),
        "DEBUG": QCoreApplication.translate("Logs", "Debug"),
    }
    return names.get(level, level)


def local_time(time: dt.datetime, *, exact: bool = False) -> str:
    """Return a time on this machine's clock, `exact` with milliseconds and the zone."""
    try:
        local = time.astimezone()
    except (OverflowError, ValueError, OSError):  # years that no clock shows
        local = time
    if exact:
        return f"{local.isoformat(' ', 'milliseconds')}"
    return local.replace(tzinfo=None).isoformat(" ", "seconds")
