"""Facets, hits and preview side by side."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QTextBrowser, QWidget

from app.search.empty_panel import EmptyPanel
from app.search.facet_tree import FacetTree
from app.search.hits_model import HitsModel
from app.search.preview.preview import Preview
from app.search.result_list import ResultList
from app.search.shown import Shown
from app.theme import Theme
from app.worker_client import WorkerClient

_LEAST_FACETS = 20  # characters of a name and its count


class Pane(QSplitter):
    """Three columns; the preview is split again, into text and timeline."""

    def __init__(
        self, model: HitsModel, client: WorkerClient, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.facets = FacetTree()
        self.hits = ResultList(model, theme)
        self.empty = EmptyPanel()
        self.preview = Preview(client, theme)
        if page := self.preview.findChild(QTextBrowser):
            self.preview.setFocusProxy(page)
        self._middle = QStackedWidget()
        self._middle.setMinimumWidth(36 * self.fontMetrics().averageCharWidth())
        self._middle.addWidget(self.hits)
        self._middle.addWidget(self.empty)
        self.setHandleWidth(9)
        self.setStyleSheet("QSplitter::handle:horizontal { background: transparent; }")
        for column, stretch in ((self.facets, 0), (self._middle, 3), (self.preview, 3)):
            self.addWidget(column)
            self.setStretchFactor(self.indexOf(column), stretch)
        self.setCollapsible(1, False)
        self.setSizes([214, 448, 448])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the facets where they can be read beside list and memory."""
        super().resizeEvent(event)
        least = _LEAST_FACETS * self.fontMetrics().averageCharWidth()
        others = self._middle.minimumWidth() + self.preview.minimumSizeHint().width()
        self.facets.setVisible(self.width() - others - 2 * self.handleWidth() >= least)
        if self.facets.isVisibleTo(self) and 0 < self.sizes()[0] < least:
            self.moveSplitter(least, 1)

    def show_results(self, shown: Shown) -> None:
        """Show facets and, where there are no hits, why."""
        if (values := shown.facets) is not None:
            self.facets.show_values(values)
        nothing = shown.nothing
        if nothing:
            self.empty.show_nothing(nothing)
        self._middle.setCurrentWidget(self.empty if nothing else self.hits)
