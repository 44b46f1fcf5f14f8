"""What a row looks like, whatever its texts hold."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter
from pytestqt.qtbot import QtBot

from app.search.badges import badge_of
from app.search.hits_model import HitsModel
from app.search.result_list import ResultList
from app.search.row_text import MarkedText
from app.search.wording import found_by, spoken, why
from app.theme import DARK, LIGHT, Colours, Theme
from tests.app.search.conftest import hit
from worker.shared.contract import Snippet

pytestmark = pytest.mark.usefixtures("qapp")  # fonts need it

WIDTH, HEIGHT = 240, 40
ODD = [
    "连接池" * 60,
    "🎉" * 90,
    "x" * 400,
    "\ud800 half",
    "a\nb\tc\u2028d",
    "مرحبا بالعالم" * 9,
    "",
]


def painted(text: str, marks: list[tuple[int, int]], colours: Colours = LIGHT) -> QImage:
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor(colours.base))
    painter = QPainter(image)
    painter.setPen(QColor(colours.text))
    MarkedText(text, marks, QFont()).paint(
        painter, QPointF(0, 0), width=WIDTH, lines=2, colours=colours
    )
    painter.end()
    return image


def colours_in(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@pytest.mark.parametrize("colours", [LIGHT, DARK])
@pytest.mark.parametrize("text", ["the pool", "🎉🎉 pool", "连接池 pool"])
def test_marks_are_seen_in_light_and_dark(colours: Colours, text: str) -> None:
    start = text.index("pool")

    assert colours.mark in colours_in(painted(text, [(start, start + 4)], colours))
    assert colours.mark not in colours_in(painted(text, [], colours))


def test_a_mark_beyond_what_is_shown_is_not_painted() -> None:
    text = "word " * 200 + "pool"

    assert LIGHT.mark not in colours_in(painted(text, [(1000, 1004)]))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=300), st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300))))
def test_any_text_with_any_marks_is_painted(text: str, marks: list[tuple[int, int]]) -> None:
    painted(text, [(min(mark), max(mark)) for mark in marks])


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_a_row_of_odd_texts_is_painted(theme: Theme, text: str) -> None:
    model = HitsModel()
    snippet = Snippet(field="text", text=text, marks=[(0, len(text))])
    model.begin([hit(1, title=text, project=text, snippet=snippet), hit(2, snippet=None)], 3)
    hits = ResultList(model, theme)
    hits.resize(300, 400)

    assert len(colours_in(hits.grab().toImage())) > 2


def test_types_differ_in_shape_and_not_only_in_colour() -> None:
    types = [
        "bugfix",
        "feature",
        "decision",
        "discovery",
        "refactor",
        "change",
        "session",
        "prompt",
    ]
    shapes = {(badge_of(name).corners, badge_of(name).degrees) for name in types}

    assert len(shapes) == len(types)
    assert badge_of("of their own").colour_in(LIGHT) == LIGHT.muted


def test_a_weak_hit_says_so_in_words() -> None:
    weak, strong = hit(1, weak=True), hit(2)

    assert (found_by(weak), found_by(strong)) == ("weak · ≡≈ both", "≡≈ both")
    assert "weak" in spoken(weak)
    assert "Weak: little in it" in why(weak)
    assert not any("weak" in text.casefold() for text in (spoken(strong), why(strong)))


def test_a_chinese_title_stands_out_from_its_text(theme: Theme, qtbot: QtBot) -> None:
    if not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
        pytest.skip("no font has Chinese letters")
    model = HitsModel()
    text = "数据库连接池死锁"
    model.begin([hit(1, title=text, title_marks=[], snippet=Snippet(field="text", text=text))], 1)
    hits = ResultList(model, theme)
    qtbot.addWidget(hits)
    hits.resize(400, 200)
    hits.show()

    row = hits.viewport().grab(hits.visualRect(model.index(0, 0))).toImage()

    third = row.height() // 3
    title, below = (
        sum(row.pixelColor(x, y).lightness() < 96 for x in range(200) for y in lines)
        for lines in (range(third), range(row.height() - 2 * third + third // 3, row.height()))
    )
    assert title > 1.15 * below > 0
