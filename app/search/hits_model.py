"""The hits as a list of any length, of which only the pages near what is looked at are kept."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app.search.wording import spoken, why
from worker.shared.contract import Item

PAGE = 25  # rows
KEPT = 60  # pages
MOST = 1_000_000  # rows; the worker gives no more

_Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole


class HitsModel(QAbstractListModel):
    """One row a hit; a row whose page has not come yet is blank."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._total = 0
        self._pages: dict[int, Sequence[Item]] = {}  # the page that was needed last is the last

    def begin(self, items: Sequence[Item], total: int) -> None:
        """Show the answer to another question: its first page, and how many rows there are."""
        self.beginResetModel()
        self._total = min(max(total, len(items)), MOST)
        self._pages = {0: items}
        self.endResetModel()

    def put(self, page: int, items: Sequence[Item]) -> None:
        """Fill in a page; the one that nobody needed for the longest time goes."""
        self._pages[page] = items
        while len(self._pages) > KEPT:
            self._pages.pop(next(iter(self._pages)))
        first = self.index(page * PAGE)
        self.dataChanged.emit(first, self.index(min(self._total, (page + 1) * PAGE) - 1))

    def missing(self, first: int, last: int) -> list[int]:
        """Return the pages that these rows need and that are not there."""
        wanted = range(max(0, first) // PAGE, min(last, self._total - 1) // PAGE + 1)
        for page in wanted:
            if page in self._pages:
                self._pages[page] = self._pages.pop(page)
        return [page for page in wanted if page not in self._pages]

    def item(self, row: int) -> Item | None:
        """Return what stands in a row; nothing where it has not come yet or has been deleted."""
        items = self._pages.get(row // PAGE, ())
        return items[row % PAGE] if 0 <= row % PAGE < len(items) else None

    def row_of(self, ref: str) -> int | None:
        """Return where a memory stands among the rows that are there."""
        for page, items in self._pages.items():
            for place, item in enumerate(items):
                if item.ref == ref:
                    return page * PAGE + place
        return None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self._total

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        item = self.item(index.row()) if index.isValid() else None
        if item is None:
            return None
        if role == _Role.UserRole:
            return item
        if role in (_Role.DisplayRole, _Role.AccessibleTextRole):
            return spoken(item)
        return why(item) if role == _Role.ToolTipRole else None
