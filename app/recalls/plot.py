"""The one file that imports pyqtgraph: stacked bars in the colours of the theme."""

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.recalls.series import Chart
from app.search.flow import FlowLayout
from app.theme import Colours

_LIGHT = ("#2856c4", "#b3561e", "#1a7a3c", "#8a3fb0", "#8f5a00", "#b3261e", "#5a6070")
_DARK = ("#8fb0ff", "#f0a070", "#6fd08c", "#d09cf0", "#f0c84a", "#ff8f85", "#a3aaba")
_PATTERNS = (  # so that nothing is told by colour alone
    Qt.BrushStyle.SolidPattern,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.Dense5Pattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.DiagCrossPattern,
    Qt.BrushStyle.VerPattern,
    Qt.BrushStyle.FDiagPattern,
)
_LABELS = 8  # that fit below the axis
_WIDTH = 0.7  # of a bar, of the room that it has
_SWATCH = 16  # pixels


class Plot(QWidget):
    """Draws one chart."""

    def __init__(self, chart: Chart, colours: Colours) -> None:
        super().__init__()
        self._widget = pg.PlotWidget(background=colours.base, axisItems={"left": _Counts("left")})
        self._item = self._widget.getPlotItem()
        self._item.hideButtons()
        self._item.setMenuEnabled(False)
        self._item.setMouseEnabled(x=False, y=False)
        self._widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._widget.setAccessibleName(chart.title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._widget, 1)
        if len(chart.series) > 1:
            layout.addWidget(self._legend(chart, colours))
        self._draw(chart, colours)

    def _draw(self, chart: Chart, colours: Colours) -> None:
        for name in ("left", "bottom"):
            axis = self._item.getAxis(name)
            axis.setPen(colours.border)
            axis.setTextPen(colours.muted)
        step = max(1, -(-len(chart.labels) // _LABELS))
        ticks = [(place, chart.labels[place]) for place in range(len(chart.labels))][::-step]
        self._item.getAxis("bottom").setTicks([ticks[::-1]])
        below = [0] * len(chart.labels)
        for number, series in enumerate(chart.series):
            self._item.addItem(_bars(series.numbers, below, brush_of(number, colours)))
            below = [low + more for low, more in zip(below, series.numbers, strict=True)]
        self._item.setYRange(0, max(4, *below) * 1.08, padding=0)
        self._item.setXRange(-0.6, max(1, len(chart.labels)) - 0.4, padding=0)

    def _legend(self, chart: Chart, colours: Colours) -> QWidget:
        """Return each name beside its pattern."""
        legend = QWidget()
        flow = FlowLayout(legend)
        for number, series in enumerate(chart.series):
            flow.addWidget(_Entry(series.name, brush_of(number, colours)))
        return legend


class _Counts(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis of whole numbers."""

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Return the spacings between ticks, none smaller than one."""
        spacings = super().tickSpacing(low, high, size) or []
        return [(space, offset) for space, offset in spacings if space >= 1] or [(1, 0)]


class _Entry(QWidget):
    """A name and how its bars look."""

    def __init__(self, name: str, brush: QBrush) -> None:
        super().__init__()
        swatch = QLabel(pixmap=_swatch(brush))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 12, 0)
        layout.addWidget(swatch)
        layout.addWidget(QLabel(name, textFormat=Qt.TextFormat.PlainText))


def brush_of(number: int, colours: Colours) -> QBrush:
    """Return how the bars of a series look."""
    palette = _DARK if colours.dark else _LIGHT
    return QBrush(QColor(palette[number % len(palette)]), _PATTERNS[number % len(_PATTERNS)])


def _swatch(brush: QBrush) -> QPixmap:
    pixmap = QPixmap(_SWATCH, _SWATCH)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setPen(brush.color())
    painter.setBrush(brush)
    painter.drawRect(0, 0, _SWATCH - 1, _SWATCH - 1)
    painter.end()
    return pixmap


def _bars(heights: tuple[int, ...], below: list[int], brush: QBrush) -> pg.BarGraphItem:
    places = [place for place, height in enumerate(heights) if height]  # of none not even a line
    return pg.BarGraphItem(
        x=places,
        y0=[below[place] for place in places],
        height=[heights[place] for place in places],
        width=_WIDTH,
        brush=brush,
        pen=pg.mkPen(brush.color()),
    )
