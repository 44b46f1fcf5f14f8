"""Types of memories as small signs, told apart by shape as well as by colour."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from app.theme import Colours


@dataclass(frozen=True, slots=True)
class Badge:
    """A regular shape: how many corners (none: a circle), how it is turned, and its colour."""

    corners: int
    degrees: float
    colour: str  # a field of Colours

    def path(self, middle: QPointF, size: float) -> QPainterPath:
        """Return the outline around a point."""
        path, radius = QPainterPath(), size / 2
        if not self.corners:
            path.addEllipse(middle, radius * 0.85, radius * 0.85)
            return path
        turns = (math.radians(self.degrees + 360 * n / self.corners) for n in range(self.corners))
        points = [
            QPointF(middle.x() + radius * math.cos(turn), middle.y() + radius * math.sin(turn))
            for turn in turns
        ]
        path.addPolygon(QPolygonF(points))
        path.closeSubpath()
        return path

    def colour_in(self, colours: Colours) -> str:
        """Return its colour in a theme, as #rrggbb."""
        return str(getattr(colours, self.colour))


_BADGES: Mapping[str, Badge] = {
    "bugfix": Badge(3, -90, "error"),
    "feature": Badge(0, 0, "good"),
    "decision": Badge(4, 0, "accent"),
    "discovery": Badge(6, 0, "warning"),
    "refactor": Badge(4, 45, "muted"),
    "change": Badge(5, -90, "good"),
    "session": Badge(3, 90, "accent"),
    "prompt": Badge(3, 0, "muted"),
}


def badge_of(type_: str) -> Badge:
    """Return the sign of a type; a grey circle for one that is not known."""
    return _BADGES.get(type_, Badge(0, 0, "muted"))
