"""What is on the screen: marks where they belong, and nothing that a memory could do to it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QFont, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.search.preview.page import Page
from app.search.preview.reading import Act, Link, lines_of
from app.search.preview.writer import MOST
from app.theme import DARK, LIGHT, Colours
from tests.app.search_preview.records import Fields, record
from tests.shared.stub import Stub, said
from worker.search.marking import by_terms, field_marks
from worker.search.query import parse
from worker.shared.paths import Paths

STALL = 0.1  # seconds of work at a stretch; on a machine with nothing else to do below 0.05


class Beats(QObject):
    """Looks between any two beats how much this thread has worked, whatever others do."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.longest, self._last = 0.0, time.thread_time()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    def beat(self) -> None:
        now = time.thread_time()
        self.longest, self._last = max(self.longest, now - self._last), now


@pytest.fixture
def page(qtbot: QtBot) -> Page:
    shown = Page()
    qtbot.addWidget(shown)
    shown.resize(500, 400)
    shown.show()
    return shown


def write(
    qtbot: QtBot, page: Page, fields: Fields, *, query: str = "", colours: Colours = LIGHT
) -> None:
    memory = record(fields, marks=field_marks(fields, by_terms(parse(query))))
    with qtbot.waitSignal(page.writer.done, timeout=20_000):
        page.writer.begin(lines_of(memory), colours)


def fragments(page: Page) -> Iterator[tuple[str, QTextCharFormat]]:
    block = page.document().begin()
    while block.isValid():
        at = block.begin()
        while not at.atEnd():
            fragment = at.fragment()
            yield fragment.text(), fragment.charFormat()
            at += 1
        block = block.next()


def text_at(page: Page, place: tuple[int, int]) -> str:
    cursor = QTextCursor(page.document())
    cursor.setPosition(place[0])
    cursor.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def test_hits_stand_where_the_marks_are(qtbot: QtBot, page: Page) -> None:
    fields: Fields = {
        "title": "🎉 Pools of 连接池",
        "narrative": "𝔘nicode 🎉🎉 **pool** and `the pool`\n- retried",
        "facts": ["🎉", "a retry"],
    }

    write(qtbot, page, fields, query="pool retry 连接")

    places = [text_at(page, place) for place in page.writer.hits]
    assert places == ["Pools", "连接", "pool", "pool", "retried", "retry"]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_a_hit_is_bold_on_a_ground_of_its_own(qtbot: QtBot, page: Page, colours: Colours) -> None:
    write(qtbot, page, {"narrative": "the pool is empty"}, query="pool", colours=colours)

    looks = {text: chars for text, chars in fragments(page) if text.strip()}
    assert looks["pool"].fontWeight() == QFont.Weight.Bold
    assert looks["pool"].background().color().name() == colours.mark
    assert looks["pool"].foreground().color().name() == colours.on_mark
    assert looks["the "].fontWeight() != QFont.Weight.Bold


def test_a_click_on_a_link_tells_what_it_is(qtbot: QtBot, page: Page) -> None:
    write(qtbot, page, {"files_read": ["src/<b>pool</b>.py"], "narrative": "run `make test`"})

    cursor = page.document().find("make")
    spot = page.cursorRect(cursor).center()
    with qtbot.waitSignal(page.followed) as followed:
        QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=spot)

    assert followed.args == [Link(Act.COPY, "make test")]


def test_what_is_selected_is_copied_as_plain_text(qtbot: QtBot, page: Page) -> None:
    write(qtbot, page, {"title": "Pool", "narrative": "run `make`\nnow"}, query="pool")

    page.selectAll()

    data = page.createMimeDataFromSelection()
    assert data.text() == page.selected() == "Pool\nrun make\nnow"
    assert not data.hasHtml()


def test_a_text_is_found_in_whatever_case(qtbot: QtBot, page: Page) -> None:
    write(qtbot, page, {"title": "🎉 Pool", "narrative": "a POOL\npool 连接池"})

    assert [text_at(page, p) for p in page.places_of("pool")] == ["Pool", "POOL", "pool"]
    assert len(page.places_of("接")) == 1
    assert page.places_of("") == page.places_of("zebra") == []


HOSTILE = [
    "<script>alert(1)</script>",
    '<img src="http://127.0.0.1:{port}/x.png">',
    "![x](http://127.0.0.1:{port}/x.png) <img src='file://{file}'>",
    "[x](javascript:alert(1)) [y](http://127.0.0.1:{port}/y) <a href='javascript:1'>z</a>",
    "<style>@import url(http://127.0.0.1:{port}/x.css)</style><link href='file://{file}'>",
    "`javascript:alert(1)` `file://{file}` **<b>**",
    "</body></html><!-- <object data='http://127.0.0.1:{port}/'>",
    "\u202egnp.exe\u202c مرحبا بالعالم עברית",
    "&lt;img src=x&gt; &amp; &#0;",
    "\ufffc\ufdd0\ufdd1\ufdef\ufeff\u200b\0\x07\x1b[31m",
    "half \ud83d of a sign \udc00",
    "e" + "\u0301" * 2_000,
    "Z̸̡̢̛a̵l̷g̶o̴ " * 50,
    "```\n<img src='http://127.0.0.1:{port}/c.png'>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_shown_and_does_nothing(
    qtbot: QtBot, page: Page, text: str, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret", encoding="utf-8")
    with Stub(Paths(tmp_path), lambda _: said("")).serving() as server:
        text = text.replace("{port}", str(server.port)).replace("{file}", str(secret))
        write(
            qtbot, page, {"title": text, "narrative": text, "facts": [text], "files_read": [text]}
        )
        page.grab()
        qtbot.wait(50)  # for what should not be asked

        assert server.asked == []
    assert "secret" not in page.toPlainText().replace(str(secret), "")
    for _, chars in fragments(page):
        assert not chars.isImageFormat()
        assert not chars.anchorHref() or chars.anchorHref().startswith("link:")
    letters = [c for c in text if c.isascii() and c.isalpha()]
    assert page.toPlainText().count(letters[0]) >= 2 if letters else True


@pytest.mark.parametrize(
    "text",
    [
        "The connection pool in `src/db/pool.py` leaks 连接池.\n\n- **one** item\n" * 15_000,
        "The connection pool leaks while retrying. " * 24_000,
        "x" * 1_000_000,
        "池" * 1_000_000,
        "a\n" * 500_000,
        "`` " * 330_000,
        "`a` " * 250_000,
    ],
    ids=["paragraphs", "one line", "one word", "one chinese word", "short lines", "signs", "links"],
)
def test_a_megabyte_holds_nobody_up(qtbot: QtBot, page: Page, text: str) -> None:
    memory = record({"title": "T", "narrative": text})
    beats = Beats(page)

    with qtbot.waitSignal(page.writer.done, timeout=20_000):
        page.writer.begin(lines_of(memory), LIGHT)
    page.resize(700, 400)
    qtbot.wait(20)

    assert page.writer.is_full
    assert page.document().characterCount() < MOST * 2.5
    beats.beat()
    assert beats.longest < STALL


def test_the_rest_of_a_long_memory_comes_when_it_is_wanted(qtbot: QtBot, page: Page) -> None:
    text = "words and words\n" * 3_000 + "the end"
    write(qtbot, page, {"narrative": text})
    assert "the end" not in page.toPlainText()

    with qtbot.waitSignal(page.writer.done, timeout=20_000):
        page.writer.write_rest()

    assert page.toPlainText() == text


def test_another_memory_takes_the_place_of_one_that_is_being_written(
    qtbot: QtBot, page: Page
) -> None:
    page.writer.begin(lines_of(record({"narrative": "pool\n" * 50_000})), LIGHT)

    write(qtbot, page, {"narrative": "short"})

    assert page.toPlainText() == "short"
    assert page.writer.hits == []
