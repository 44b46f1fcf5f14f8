"""What is written in the colours of a theme can be read on each of its grounds."""

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

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


def test_a_choice_is_followed_at_once(qapp: QApplication) -> None:
    theme = Theme(qapp)

    theme.choose(Choice.DARK)
    assert theme.colours is DARK
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == DARK.base
    theme.choose(Choice.LIGHT)

    assert theme.colours is LIGHT
