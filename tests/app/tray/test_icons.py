"""The icons: told apart by shape, seen on any panel."""

import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from app.status import Look
from app.tray.icons import (
    SIZES,
    Panel,
    application_icon,
    application_image,
    panel_of,
    state_icon,
    state_image,
)

PANEL_SIZES = (16, 22, 24, 32)
COLOURED = (Panel.LIGHT, Panel.DARK)
PAIRS = list(itertools.combinations(Look, 2))


def colours(image: QImage, background: str) -> Iterator[QColor]:
    """Yield what is seen of each pixel on a background."""
    under = QImage(image.size(), QImage.Format.Format_RGB32)
    under.fill(QColor(background))
    painter = QPainter(under)
    painter.drawImage(0, 0, image)
    painter.end()
    for y, x in itertools.product(range(image.height()), range(image.width())):
        yield under.pixelColor(x, y)


def luminance(colour: QColor) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    red, green, blue = map(linear, (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("size", PANEL_SIZES)
@pytest.mark.parametrize("background", ["#000000", "#ffffff", "#31363b"])
@pytest.mark.parametrize("panel", COLOURED)
@pytest.mark.parametrize("look", Look)
def test_an_eighth_of_each_icon_stands_out_on_any_panel(
    look: Look, panel: Panel, background: str, size: int
) -> None:
    seen = colours(state_image(look, panel, size), background)

    clear = sum(contrast(colour, QColor(background)) >= 3 for colour in seen)

    assert clear >= size * size / 8


@pytest.mark.parametrize("panel", Panel)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_any_two_states_differ_in_greyscale_at_the_smallest_size(
    one: Look, other: Look, panel: Panel
) -> None:
    background = "#31363b" if panel is Panel.DARK else "#ffffff"
    pairs = zip(
        colours(state_image(one, panel, 16), background),
        colours(state_image(other, panel, 16), background),
        strict=True,
    )

    differing = sum(abs(luminance(a) - luminance(b)) > 0.2 for a, b in pairs)

    assert differing >= 16 * 16 / 8


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_any_two_states_have_other_shapes(one: Look, other: Look) -> None:
    first, second = state_image(one, Panel.MASK, 32), state_image(other, Panel.MASK, 32)

    differing = sum(
        abs(first.pixelColor(x, y).alpha() - second.pixelColor(x, y).alpha()) > 128
        for y, x in itertools.product(range(32), range(32))
    )

    assert differing >= 32 * 32 / 10


@pytest.mark.parametrize("look", Look)
def test_the_mask_for_macos_is_black_alone(look: Look) -> None:
    image = state_image(look, Panel.MASK, 22)

    shades = {
        image.pixelColor(x, y).lightness()
        for y, x in itertools.product(range(22), range(22))
        if image.pixelColor(x, y).alpha()
    }

    assert shades == {0}


def test_icons_come_in_all_sizes_of_panels(qtbot: QtBot) -> None:
    icon = state_icon(Look.RUNNING, Panel.DARK)

    assert {size.width() for size in icon.availableSizes()} == set(SIZES) >= set(PANEL_SIZES)
    assert not icon.isMask()
    assert state_icon(Look.RUNNING, Panel.MASK).isMask()


def test_the_program_has_an_icon_of_its_own(qtbot: QtBot) -> None:
    assert {size.width() for size in application_icon().availableSizes()} >= {16, 32, 256}
    assert application_image(64) not in [state_image(x, Panel.LIGHT, 64) for x in Look]


@pytest.mark.parametrize(
    ("platform", "dark", "panel"),
    [
        ("linux", True, Panel.DARK),
        ("win32", False, Panel.LIGHT),
        ("darwin", False, Panel.MASK),
        ("darwin", True, Panel.MASK),
    ],
)
def test_each_system_gets_what_its_panel_needs(platform: str, dark: bool, panel: Panel) -> None:
    assert panel_of(platform, dark=dark) is panel


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("size", [16, 22, 24, 32, 48])
def test_at_twice_the_size_it_has_all_its_dots(size: int) -> None:
    for look in Look:
        drawn = state_icon(look, Panel.LIGHT).pixmap(QSize(size, size), 2.0)

        assert drawn.size() == QSize(2 * size, 2 * size)
        assert drawn.devicePixelRatio() == 2.0
