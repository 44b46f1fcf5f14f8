"""The table of calls: what was asked for takes the room that the other columns leave."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QTableView

from app.recalls.model import Column, RecallsModel

_LEAST = 24  # characters of what was asked for


class CallsView(QTableView):
    """One row chosen at a time, by keys or clicks."""

    def __init__(self, model: RecallsModel) -> None:
        super().__init__(sortingEnabled=False, showGrid=False, wordWrap=False)
        self.setModel(model)
        self.setAccessibleName(self.tr("Calls of Claude"))
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(Column.ASKED, QHeaderView.ResizeMode.Fixed)
        header.setResizeContentsPrecision(0)  # what is in view, however many rows there are
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.sectionResized.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit(-1)

    def _fit(self, resized: int) -> None:
        if resized == Column.ASKED:
            return
        header = self.horizontalHeader()
        others = sum(header.sectionSize(column) for column in Column if column != Column.ASKED)
        least = self.fontMetrics().averageCharWidth() * _LEAST
        header.resizeSection(Column.ASKED, max(least, self.viewport().width() - others))
