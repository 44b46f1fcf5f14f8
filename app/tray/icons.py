"""The icon: five states that differ in shape, drawn so that no file has to be found."""

from collections.abc import Callable
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QIcon,
    QImage,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPixmap,
    QPolygonF,
)

from app.status import Look

SIZES = (16, 22, 24, 32, 44, 48, 64, 96)  # pixels; panels use those up to 32, or their doubles
_APPLICATION_SIZES = (*SIZES, 128, 256)
_GRID = 32.0  # the shapes are drawn on so many units
_OUTLINE = 2.6  # units, around each shape
_LINE = 3.2


class Panel(StrEnum):
    """What the icon lies on."""

    LIGHT = "light"
    DARK = "dark"
    MASK = "mask"  # macOS: black and nothing, the system chooses the colour


# of each panel: the fill of each state, and the outline that any other background needs
_FILLS = {
    Panel.LIGHT: {
        Look.RUNNING: "#14713a",
        Look.BUSY: "#2450bd",
        Look.DEGRADED: "#8a5200",
        Look.STOPPED: "#4a505e",
        Look.ERROR: "#b3261e",
    },
    Panel.DARK: {
        Look.RUNNING: "#63d68a",
        Look.BUSY: "#8fb0ff",
        Look.DEGRADED: "#f7c04f",
        Look.STOPPED: "#d4d8e0",
        Look.ERROR: "#ff8f85",
    },
    Panel.MASK: dict.fromkeys(Look, "#000000"),
}
_OUTLINES = {Panel.LIGHT: "#ffffff", Panel.DARK: "#101216"}


def panel_of(platform: str, *, dark: bool) -> Panel:
    """Return what to draw for, on `sys.platform` with a dark or a light system theme."""
    if platform == "darwin":
        return Panel.MASK
    return Panel.DARK if dark else Panel.LIGHT


@cache
def state_icon(look: Look, panel: Panel) -> QIcon:
    """Return the icon of a state, in all sizes of panels."""
    icon = QIcon()
    for size in SIZES:
        icon.addPixmap(QPixmap.fromImage(state_image(look, panel, size)))
    icon.setIsMask(panel is Panel.MASK)
    return icon


def state_image(look: Look, panel: Panel, size: int) -> QImage:
    """Return the icon of a state as a picture of `size` by `size` pixels."""
    shape = _SHAPES[look]()
    image, painter = _canvas(size)
    if panel in _OUTLINES:
        painter.fillPath(_grown(shape), QColor(_OUTLINES[panel]))
    painter.fillPath(shape, QColor(_FILLS[panel][look]))
    painter.end()
    return image


@cache
def application_icon() -> QIcon:
    """Return the icon of windows and of the program: a card of memories, and a glass on it."""
    icon = QIcon()
    for size in _APPLICATION_SIZES:
        icon.addPixmap(QPixmap.fromImage(application_image(size)))
    return icon


def application_image(size: int) -> QImage:
    """Return the program's icon as a picture of `size` by `size` pixels."""
    image, painter = _canvas(size)
    tile = _box(1, 1, 30, 30, 7)
    painter.fillPath(tile, QColor("#2450bd"))
    for top, width in ((7, 17), (13, 9), (19, 6)):
        painter.fillPath(_box(6.5, top, width, 3, 1.5), QColor("#dbe5fb"))
    glass = _ring(19.5, 19, 5.6, 2.6).united(_stroke([(23.6, 23.1), (26, 25.5)], 3.4))
    painter.fillPath(_grown(glass).intersected(tile), QColor("#2450bd"))
    painter.fillPath(glass, QColor("#ffffff"))
    painter.end()
    return image


def _running() -> QPainterPath:
    """A card of memories: three lines on a tile."""
    shape = _box(3, 3, 26, 26, 6)
    for top, width in ((8.4, 16), (14.4, 16), (20.4, 9)):
        shape = shape.subtracted(_box(8, top, width, _LINE, 1.6))
    return shape


def _busy() -> QPainterPath:
    """A disc with three dots: wait."""
    shape = _disc(16, 16, 13.4)
    for x in (9, 16, 23):
        shape = shape.subtracted(_disc(x, 16, 2.3))
    return shape


def _degraded() -> QPainterPath:
    """A triangle with an exclamation mark."""
    corners = QPolygonF([QPointF(16, 4.6), QPointF(28.4, 27), QPointF(3.6, 27)])
    shape = QPainterPath()
    shape.addPolygon(corners)
    shape.closeSubpath()
    shape = shape.united(_stroked(shape, 3.0))
    return shape.subtracted(_box(14.3, 11, 3.4, 8.6, 1.7)).subtracted(_disc(16, 23.6, 2.1))


def _stopped() -> QPainterPath:
    """An empty tile with a small square: the sign for stop."""
    frame = _box(3, 3, 26, 26, 6).subtracted(_box(6.6, 6.6, 18.8, 18.8, 3))
    return frame.united(_box(11.5, 11.5, 9, 9, 1))


def _error() -> QPainterPath:
    """A cross and no tile at all."""
    return _stroke([(6, 6), (26, 26)], 6.4).united(_stroke([(26, 6), (6, 26)], 6.4))


_SHAPES: dict[Look, Callable[[], QPainterPath]] = {
    Look.RUNNING: _running,
    Look.BUSY: _busy,
    Look.DEGRADED: _degraded,
    Look.STOPPED: _stopped,
    Look.ERROR: _error,
}


def _canvas(size: int) -> tuple[QImage, QPainter]:
    image = QImage(QSize(size, size), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / _GRID, size / _GRID)
    return image, painter


def _box(x: float, y: float, width: float, height: float, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(x, y, width, height), radius, radius)
    return path


def _disc(x: float, y: float, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(x, y), radius, radius)
    return path


def _ring(x: float, y: float, radius: float, width: float) -> QPainterPath:
    return _stroked(_disc(x, y, radius), width)


def _stroke(points: list[tuple[float, float]], width: float) -> QPainterPath:
    path = QPainterPath(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(*point)
    return _stroked(path, width)


def _stroked(path: QPainterPath, width: float) -> QPainterPath:
    stroker = QPainterPathStroker()
    stroker.setWidth(width)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return stroker.createStroke(path)


def _grown(path: QPainterPath) -> QPainterPath:
    return path.united(_stroked(path, 2 * _OUTLINE))
