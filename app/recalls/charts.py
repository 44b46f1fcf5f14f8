"""A chart and, with the same numbers, its table; what draws is loaded when it is first shown."""

import importlib
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.recalls.series import Chart
from app.theme import Theme


class ChartPage(QWidget):
    """A page for one chart, empty until it is seen: no window has to wait for what is behind."""

    def __init__(self, background: Background, theme: Theme, nothing: str) -> None:
        super().__init__()
        self._new_view = partial(ChartView, background, theme, nothing)
        self._view: ChartView | None = None
        self._chart: Chart | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 12, 0, 0)

    def set_chart(self, chart: Chart) -> None:
        """Show these numbers from now on."""
        self._chart = chart
        if self._view is not None:
            self._view.set_chart(chart)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._view is None:
            self._view = self._new_view()
            self._column.addWidget(self._view)
            if self._chart is not None:
                self._view.set_chart(self._chart)


class ChartView(QWidget):
    """Shows one chart once it is visible, anew when its numbers or the theme change."""

    def __init__(self, background: Background, theme: Theme, nothing: str) -> None:
        super().__init__()
        self._background, self._theme = background, theme
        self._chart: Chart | None = None
        self._plot: QWidget | None = None
        self._can_draw = False
        self._nothing = QLabel(nothing, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._nothing.setProperty("kind", "muted")
        self._table = _new_table()
        self._as_table = QCheckBox(self.tr("Show as &table"))
        self._as_table.toggled.connect(self._show)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._nothing)
        self._stack.addWidget(self._table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._as_table)
        theme.changed.connect(self._draw_anew)

    def set_chart(self, chart: Chart) -> None:
        """Show these numbers from now on."""
        if chart == self._chart:
            return
        self._chart = chart
        self._table.setAccessibleName(chart.title)
        _fill(self._table, chart)
        self._draw_anew()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._can_draw:
            job = self._background.run("charts", _load)
            job.done.connect(self._loaded)
        self._show()

    def _loaded(self) -> None:
        self._can_draw = True
        self._show()

    def _draw_anew(self) -> None:
        if self._plot is not None:
            self._stack.removeWidget(self._plot)
            self._plot.deleteLater()
            self._plot = None
        self._show()

    def _show(self) -> None:
        if not self.isVisible() or self._chart is None:
            return
        self._as_table.setVisible(not self._chart.is_empty)
        if self._chart.is_empty:
            self._stack.setCurrentWidget(self._nothing)
        elif self._as_table.isChecked() or not self._can_draw:
            self._stack.setCurrentWidget(self._table)
        else:
            self._stack.setCurrentWidget(self._drawn(self._chart))

    def _drawn(self, chart: Chart) -> QWidget:
        if self._plot is None:
            from app.recalls.plot import Plot

            self._plot = Plot(chart, self._theme.colours)
            self._stack.addWidget(self._plot)
        return self._plot


def _load() -> None:
    """Load what draws: it takes a second, and the window goes on meanwhile."""
    importlib.import_module("pyqtgraph")


def _new_table() -> QTableWidget:
    table = QTableWidget()
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.verticalHeader().hide()
    table.setTabKeyNavigation(False)
    return table


def _fill(table: QTableWidget, chart: Chart) -> None:
    """Put the newest on top: that is what is looked for."""
    columns = (*chart.series, *chart.beside)
    table.clear()
    table.setColumnCount(1 + len(columns))
    table.setHorizontalHeaderLabels([chart.axis, *(series.name for series in columns)])
    table.setRowCount(len(chart.labels))
    for row, place in enumerate(reversed(range(len(chart.labels)))):
        table.setItem(row, 0, QTableWidgetItem(chart.labels[place]))
        for column, series in enumerate(columns, start=1):
            item = QTableWidgetItem(str(series.numbers[place]))
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            table.setItem(row, column, item)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
