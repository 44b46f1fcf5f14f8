"""The top of the search window: box, recent queries, legs, order, and the filters as chips."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app.search.box import SearchBox
from app.search.chip_bar import ChipBar
from app.search.queries import Queries
from app.search.request import Query
from worker.shared.contract import Mode, OrderBy


class Head(QWidget):
    """Shows a query, and tells what of it is changed."""

    mode_chosen = Signal(object)  # Mode
    order_chosen = Signal(object)  # OrderBy
    query_chosen = Signal(str)  # a recent or saved one
    save_wanted = Signal()
    unsave_wanted = Signal()
    clear_wanted = Signal()  # of the recent ones

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = SearchBox()
        self.chips = ChipBar(self.box)
        self._queries, self._text = Queries(), ""
        self._recent = QToolButton()
        self._recent.setText(self.tr("&Recent") + " ▾")
        self._recent.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self._recent.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self._recent)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._recent.setMenu(self._menu)
        self._modes = _choice(self.tr("What is searched"), self._mode_names())
        self._orders = _choice(self.tr("Order of the hits"), self._order_names())
        self._modes.activated.connect(self._choose_mode)
        self._orders.activated.connect(self._choose_order)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.box, 1)
        for widget in (self._recent, self._modes, self._orders):
            row.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(row)
        layout.addWidget(self.chips)

    def show_query(self, query: Query) -> None:
        """Show a query; words that are being typed stay as they are."""
        self._text = query.text
        self.chips.show_chips(query.chips)
        self._modes.setCurrentIndex(self._modes.findData(query.mode.value))
        self._orders.setCurrentIndex(self._orders.findData(query.shown_order.value))
        _enable(self._orders, OrderBy.RELEVANCE, enabled=bool(query.words))

    def show_queries(self, queries: Queries | None) -> None:
        """Offer these queries; None where the user wants none to be kept."""
        self._recent.setVisible(queries is not None)
        self._queries = queries or Queries()

    def _fill_menu(self) -> None:
        self._menu.clear()
        self._section(self.tr("Saved"), self._queries.saved)
        self._section(self.tr("Recent"), self._queries.recent)
        if self._text in self._queries.saved:
            self._menu.addAction(self.tr("&Forget this saved search"), self.unsave_wanted.emit)
        else:
            save = self._menu.addAction(self.tr("&Save this search"), self.save_wanted.emit)
            save.setEnabled(bool(self._text))
        clear = self._menu.addAction(self.tr("&Clear recent searches"), self.clear_wanted.emit)
        clear.setEnabled(bool(self._queries.recent))

    def _section(self, title: str, texts: tuple[str, ...]) -> None:
        if texts:
            self._menu.addAction(title).setEnabled(False)
        for text in texts:
            shown = text if len(text) <= 60 else f"{text[:59]}…"
            action = self._menu.addAction(shown.replace("&", "&&"))
            action.setData(text)
            action.triggered.connect(self._choose_query)
        if texts:
            self._menu.addSeparator()

    def _choose_query(self) -> None:
        self.query_chosen.emit(str(self.sender().data()))  # type: ignore[attr-defined]

    def _choose_mode(self) -> None:
        self.mode_chosen.emit(Mode(self._modes.currentData()))

    def _choose_order(self) -> None:
        self.order_chosen.emit(OrderBy(self._orders.currentData()))

    def _mode_names(self) -> dict[str, str]:
        return {
            Mode.BOTH: self.tr("Words and meaning"),
            Mode.KEYWORD: self.tr("Words"),
            Mode.MEANING: self.tr("Meaning"),
        }

    def _order_names(self) -> dict[str, str]:
        return {
            OrderBy.RELEVANCE: self.tr("Best first"),
            OrderBy.DATE_DESC: self.tr("Newest first"),
            OrderBy.DATE_ASC: self.tr("Oldest first"),
        }


def _enable(box: QComboBox, value: str, *, enabled: bool) -> None:
    model = box.model()
    assert isinstance(model, QStandardItemModel)  # noqa: S101 - of each QComboBox, by default
    model.item(box.findData(str(value))).setEnabled(enabled)


def _choice(name: str, texts: dict[str, str]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    for value, text in texts.items():
        box.addItem(text, str(value))
    return box
