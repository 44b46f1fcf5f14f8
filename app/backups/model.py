"""The backups as rows of a table."""

import datetime as dt
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from app.backups.wording import counted, kind_name, size_text, when
from worker.shared.upkeep import BackupReply

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_Role = Qt.ItemDataRole


class Column(IntEnum):
    """What is told of each."""

    MADE = 0
    KIND = 1
    SIZE = 2
    HOLDS = 3
    CHECKED = 4


class BackupsModel(QAbstractTableModel):
    """Newest first, as the worker lists them; UserRole is the backup itself."""

    def __init__(self) -> None:
        super().__init__()
        self._backups: Sequence[BackupReply] = ()

    def show_backups(self, backups: Sequence[BackupReply]) -> None:
        """Replace all rows."""
        if list(backups) != list(self._backups):
            self.beginResetModel()
            self._backups = backups
            self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._backups)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> Any:  # noqa: ANN401 - as in its parent
        if role != _Role.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        names = (
            self.tr("Made"),
            self.tr("Why"),
            self.tr("Size"),
            self.tr("Holds"),
            self.tr("State"),
        )
        return names[section] if 0 <= section < len(names) else None

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> Any:  # noqa: ANN401
        if not index.isValid() or index.row() >= len(self._backups):
            return None
        backup = self._backups[index.row()]
        if role == _Role.UserRole:
            return backup
        if role == _Role.ToolTipRole:
            return backup.problem or backup.name
        if role == _Role.DisplayRole:
            return self._text(backup, Column(index.column()))
        return None

    def _text(self, backup: BackupReply, column: Column) -> str:
        match column:
            case Column.MADE:
                return when(backup.made, dt.datetime.now(dt.UTC))
            case Column.KIND:
                return kind_name(backup.kind)
            case Column.SIZE:
                return size_text(backup.bytes)
            case Column.HOLDS:
                return counted(backup.memories)
            case Column.CHECKED:
                return self.tr("✕ damaged") if backup.problem else self.tr("✓ verified")
