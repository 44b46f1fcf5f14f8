"""What is written in the colours of a theme can be read on each of its grounds."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QTableWidget, QTableWidgetItem
from pytestqt.qtbot import QtBot

from app.theme import DARK, LIGHT, Choice, Colours, Theme

GROUNDS = ("base", "window", "raised", "selection")
WRITING = ("text", "muted", "accent", "good", "warning", "error")
LEAST = 4.5  # WCAG 2, level AA
LEAST_OF_SHAPES = 3.0


def luminance(colour: str) -> float:
    """Return the relative luminance, as WCAG 2 defines it."""
    shade = QColor(colour)
    red, green, blue = map(_linear, (shade.redF(), shade.greenF(), shade.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.03928 else float(((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_every_writing_is_read_on_every_ground(colours: Colours) -> None:
    pale = [
        f"{writing} on {ground}"
        for ground in GROUNDS
        for writing in WRITING
        if contrast(getattr(colours, writing), getattr(colours, ground)) < LEAST
    ]

    assert pale == []
    assert contrast(colours.on_mark, colours.mark) >= LEAST
    assert contrast(colours.on_accent, colours.accent) >= LEAST
    assert contrast(colours.handle, colours.window) >= LEAST_OF_SHAPES
    assert contrast(colours.handle, colours.base) >= LEAST_OF_SHAPES


def test_a_row_is_marked_as_a_whole_and_stands_below_its_heading(
    qtbot: QtBot, qapp: QApplication
) -> None:
    Theme(qapp)
    table = QTableWidget(1, 1)
    qtbot.addWidget(table)
    table.verticalHeader().hide()
    table.setHorizontalHeaderLabels(["H"])
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    table.setItem(0, 0, QTableWidgetItem("H"))
    table.setColumnWidth(0, 200)
    table.show()
    table.setFocus()
    table.setCurrentCell(0, 0)
    qtbot.waitUntil(table.hasFocus)

    cell = table.viewport().grab(table.visualRect(table.model().index(0, 0))).toImage()
    heading = table.horizontalHeader().grab().toImage()

    empty = [cell.pixelColor(x, y).name() for x in range(100, 199) for y in range(cell.height())]
    assert set(empty) == {LIGHT.selection}
    assert abs(begins(cell) - begins(heading)) <= 1


def begins(picture: QImage) -> int:
    """Return how far in the writing begins."""
    ground = picture.pixel(picture.width() - 2, picture.height() // 2)
    middle = range(picture.height() // 3, 2 * picture.height() // 3)
    return next(
        x for x in range(1, picture.width()) if any(picture.pixel(x, y) != ground for y in middle)
    )


def test_a_choice_is_followed_at_once(qapp: QApplication) -> None:
    theme = Theme(qapp)

    theme.choose(Choice.DARK)
    assert theme.colours is DARK
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK.base
    theme.choose(Choice.LIGHT)

    assert theme.colours is LIGHT
