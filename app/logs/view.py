"""The list of entries: follows its end until the user scrolls up."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from app.logs.model import SHAPES, Column, LogModel, shown_level
from app.logs.reader import Page
from worker.shared.log_lines import Entry

_TIME, _COMPONENT = "2026-12-28 20:00:00", "worker.search.service"


class LogView(QTableView):
    """Shows a LogModel; `following` is false from when the user scrolls up.

    A table, as a tree asks its model for each row whenever rows come.
    """

    following_changed = Signal(bool)
    chosen = Signal(object)  # the current Entry, None for none

    def __init__(self, model: LogModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = model
        self.following = True
        self.setModel(model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setAccessibleName(self.tr("Log"))
        level = max((shown_level(name) for name in SHAPES), key=len)
        for column, sample in enumerate((_TIME, level, _COMPONENT)):
            self.setColumnWidth(column, self.fontMetrics().horizontalAdvance(sample) + 28)
        self.selectionModel().currentRowChanged.connect(self._tell_chosen)
        self.selectionModel().selectionChanged.connect(self._tell_chosen)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().rangeChanged.connect(self._grown)

    def take(self, page: Page) -> None:
        """Show what was read; the current entry stays in sight where it is still there."""
        if not page.anew:
            self._rows.append(page.entries)
            if self.following:
                self._rows.trim()
            return
        follow, current = self.following, self.current()
        self._rows.replace(page.entries)
        if current is not None and not follow:
            self._choose_same(current)
        else:
            self.jump_to_end()
        self._tell_chosen()

    def jump_to_end(self) -> None:
        """Show the newest entry, and follow again."""
        self.scrollToBottom()
        self._follow(True)

    def go_to_error(self, step: int) -> bool:
        """Choose the next error, or with a `step` of -1 the one before; False if none is there."""
        row = self._chosen_row()
        start = row if row is not None else (-1 if step > 0 else self._rows.rowCount())
        found = self._rows.error_from(start, step)
        if found is not None:
            self._choose(found)
        return found is not None

    def current(self) -> Entry | None:
        """Return the entry that is chosen."""
        row = self._chosen_row()
        return self._rows.entry(row) if row is not None else None

    def selected(self) -> tuple[Entry, ...]:
        """Return all that are chosen, in the order of time."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(self._rows.entry(row) for row in rows)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Let Home and End go to the first and the last entry, not to the ends of a line."""
        return super().moveCursor(action, modifiers | Qt.KeyboardModifier.ControlModifier)

    def _chosen_row(self) -> int | None:
        """Return the current row; one that merely has the focus was not chosen by anybody."""
        row = self.currentIndex().row()
        chosen = row >= 0 and self.selectionModel().isRowSelected(row, QModelIndex())
        return row if chosen else None

    def _tell_chosen(self) -> None:
        self.chosen.emit(self.current())

    def _choose(self, row: int) -> None:
        index = self._rows.index(row, Column.TIME)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        self._follow(self._is_at_end())

    def _choose_same(self, entry: Entry) -> None:
        rows = range(self._rows.rowCount())
        row = next((row for row in rows if self._rows.entry(row) is entry), None)
        if row is None:
            self.jump_to_end()
        else:
            self._choose(row)

    def _scrolled(self) -> None:
        self._follow(self._is_at_end())

    def _grown(self, _: int, most: int) -> None:
        if self.following:
            self.verticalScrollBar().setValue(most)

    def _is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    def _follow(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.following_changed.emit(following)
