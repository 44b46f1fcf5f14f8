"""The list of hits: tells which rows are in view, and goes back to the box from its top."""

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QToolTip, QWidget

from app.search.hits_model import HitsModel
from app.search.row_painter import RowPainter, row_height
from app.theme import Theme
from worker.shared.contract import Item

_SETTLE_MS = 30  # in which nothing is scrolled


class ResultList(QTableView):
    """Rows of one height, however many there are.

    A table of one column: Qt's list asks the model for each of its rows before it shows any.
    """

    in_view = Signal(int, int)  # first and last row, once scrolling has settled
    box_wanted = Signal()  # Up from the first row
    typed = Signal(str)  # letters, which are meant for the box
    opened = Signal()  # Enter or a double click
    chosen = Signal(object)  # Item, or None
    delete_wanted = Signal()

    def __init__(self, model: HitsModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hits = model
        self.setAccessibleName(self.tr("Hits"))
        self.setModel(model)
        self.setItemDelegate(RowPainter(theme, self))
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().hide()
        self._fit_rows()
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._tell)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        model.modelReset.connect(self._scrolled)
        model.dataChanged.connect(self._came)
        self.selectionModel().currentChanged.connect(self._choose)
        self.clicked.connect(self._choose)  # also the row that is chosen already
        self.doubleClicked.connect(self.opened)
        theme.changed.connect(self.viewport().update)

    def item(self) -> Item | None:
        """Return the chosen hit, if it has come."""
        return self._hits.item(self.currentIndex().row())

    def items(self) -> list[Item]:
        """Return all chosen hits that have come, from the top."""
        rows = sorted(index.row() for index in self.selectedIndexes())
        return [item for row in rows if (item := self._hits.item(row))]

    def select_row(self, row: int) -> None:
        """Choose a row and show it."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self._hits.index(row), flags)

    def tell_why(self) -> None:
        """Show the tool tip of the chosen row, for who has no mouse."""
        index = self.currentIndex()
        place = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
        QToolTip.showText(place, str(index.data(Qt.ItemDataRole.ToolTipRole) or ""), self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.box_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.matches(QKeySequence.StandardKey.Delete):
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters belong into the box; Qt would look through all rows for them."""
        self.typed.emit(search)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scrolled()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()

    def _fit_rows(self) -> None:
        self.verticalHeader().setDefaultSectionSize(row_height(self.font()))

    def _scrolled(self) -> None:
        self._settle.start()

    def _tell(self) -> None:
        height = self.verticalHeader().defaultSectionSize()
        first = self.verticalScrollBar().value() // height
        self.in_view.emit(first, first + self.viewport().height() // height + 1)

    def _choose(self) -> None:
        self.chosen.emit(self.item())

    def _came(self) -> None:
        """A row that was chosen before its page came is known now."""
        if self.item():
            self._choose()
