"""The preview over a real worker: what one reads, and where one can go from there."""

from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QToolButton
from pytestqt.qtbot import QtBot

from app.search.preview.copying import Form
from app.search.preview.notice import Notice
from app.search.preview.page import Page
from app.search.preview.preview import Preview
from app.theme import Choice, Theme
from tests.app.search_preview.conftest import POOL, PROMPT, SUMMARY


def read(qtbot: QtBot, preview: Preview, ref: str = POOL, query: str = "") -> None:
    """Show a memory and wait until it and its neighbours are there."""
    preview.show_memory(ref, query)
    until_shown(qtbot, preview, ref)


def until_shown(qtbot: QtBot, preview: Preview, ref: str) -> None:
    def shown() -> bool:
        return preview.shown == ref and any(row.startswith("▸") for row in rows(preview))

    qtbot.waitUntil(shown, timeout=15_000)


def page(preview: Preview) -> Page:
    found = preview.findChild(Page)
    assert isinstance(found, Page)
    return found


def rows(preview: Preview) -> list[str]:
    model = neighbours(preview).model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def neighbours(preview: Preview) -> QListView:
    found = preview.findChild(QListView)
    assert isinstance(found, QListView)
    return found


def labels(preview: Preview) -> list[str]:
    return [label.text() for label in preview.findChildren(QLabel) if label.isVisible()]


def notices(preview: Preview) -> list[str]:
    return [notice.text for notice in preview.findChildren(Notice) if notice.text]


def press(qtbot: QtBot, preview: Preview, text: str) -> None:
    """Click the button that has or is named by a text."""
    for button in preview.findChildren(QToolButton):
        if text in (button.text().replace("&", ""), button.accessibleName()):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            return
    raise AssertionError(text)


def click_row(qtbot: QtBot, preview: Preview, row: int) -> None:
    view = neighbours(preview)
    spot = view.visualRect(view.model().index(row, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def click_text(qtbot: QtBot, preview: Preview, text: str) -> None:
    shown = page(preview)
    cursor = shown.document().find(text)
    shown.setTextCursor(cursor)
    shown.ensureCursorVisible()
    spot: QPoint = shown.cursorRect(cursor).center()
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=spot - QPoint(3, 0))


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


# ---------------------------------------------------------------------- what is shown
def test_a_whole_memory_is_shown(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview)

    text = page(preview).toPlainText()
    for words in (
        "Connection pool exhausted by retries", "The retry loop never gave", "连接池",
        "max_size was 1", "gotcha", "/nowhere/src/db/pool.py", "src/retry.py",
        "Files modified", "make test",
    ):  # fmt: skip
        assert words in text
    (about,) = (label for label in labels(preview) if label.startswith(POOL))
    assert "bugfix" in about
    assert "garden" in about
    assert "ago" in about or "just now" in about or "future" in about


@pytest.mark.parametrize(
    ("ref", "kind", "words"),
    [(SUMMARY, "session", "Pools run dry."), (PROMPT, "prompt", "Why is the pool empty?")],
)
def test_sessions_and_prompts_are_shown_too(
    qtbot: QtBot, preview: Preview, ref: str, kind: str, words: str
) -> None:
    read(qtbot, preview, ref, "pool")

    assert words in page(preview).toPlainText()
    assert any(label.startswith(ref) and kind in label for label in labels(preview))
    assert page(preview).writer.hits


def test_nothing_is_shown_after_clear(qtbot: QtBot, preview: Preview) -> None:
    assert labels(preview) == ["Choose a memory to read it here."]
    read(qtbot, preview)

    preview.clear()

    assert labels(preview) == ["Choose a memory to read it here."]
    assert preview.shown == ""
    for do_nothing in (preview.next_mark, preview.find, preview.copy_text, preview.copy_id):
        do_nothing()


def test_an_answer_that_comes_too_late_is_not_shown(qtbot: QtBot, preview: Preview) -> None:
    for number in range(1, 8):
        preview.show_memory(f"#{number}")

    read(qtbot, preview, "#9")
    qtbot.wait(50)

    assert preview.shown == "#9"
    assert not preview.can_go_back


def test_a_memory_that_is_not_there_is_told_and_the_text_stays(
    qtbot: QtBot, preview: Preview
) -> None:
    read(qtbot, preview)

    preview.show_memory("#999")
    qtbot.waitUntil(lambda: bool(notices(preview)))

    assert "no observation #999" in notices(preview)[0]
    assert "连接池" in page(preview).toPlainText()


@pytest.mark.parametrize("ref", ["", "nonsense", "#Z9", "\ud800"])
def test_what_is_no_id_is_told(qtbot: QtBot, preview: Preview, ref: str) -> None:
    preview.show_memory(ref)

    assert "is not an id" in notices(preview)[0]


# ---------------------------------------------------------------------- hits
def test_hits_are_counted_and_walked_through(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, query="pool retry 连接")
    count = len(page(preview).writer.hits)
    assert f"{count} hits" in labels(preview)
    preview.resize(360, 400)
    counter = next(each for each in preview.findChildren(QLabel) if each.text() == f"{count} hits")
    assert counter.minimumSizeHint().width() >= counter.fontMetrics().horizontalAdvance("9 hits")

    preview.next_mark()
    preview.next_mark()
    assert f"2 of {count}" in labels(preview)
    preview.previous_mark()
    preview.previous_mark()

    assert f"{count} of {count}" in labels(preview)
    (selection,) = page(preview).extraSelections()
    place = page(preview).writer.hits[-1]
    assert (selection.cursor.selectionStart(), selection.cursor.selectionEnd()) == place
    assert page(preview).rect().contains(page(preview).cursorRect().center())


def test_a_memory_found_by_its_meaning_says_so(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, query="zebra")

    assert "no word of the search in it" in labels(preview)


def test_find_looks_for_a_text_and_esc_closes_it(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, query="pool")
    preview.find()
    box = preview.findChild(QLineEdit)
    assert isinstance(box, QLineEdit)

    QTest.keyClicks(box, "EXHAUSTED")
    assert "1 of 3" in labels(preview)
    assert len(page(preview).extraSelections()) == 3
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert "2 of 3" in labels(preview)
    preview.next_mark()
    assert "3 of 3" in labels(preview)
    QTest.keyClick(box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert "2 of 3" in labels(preview)
    QTest.keyClicks(box, "x")
    assert "not found" in labels(preview)
    QTest.keyClick(box, Qt.Key.Key_Escape)

    assert not box.isVisible()
    preview.next_mark()
    assert any(label.startswith("1 of ") for label in labels(preview))


def test_the_colours_follow_the_theme_and_the_place_stays(
    qtbot: QtBot, preview: Preview, theme: Theme
) -> None:
    read(qtbot, preview, query="pool")
    before = page(preview).toPlainText()
    preview.next_mark()
    bar = page(preview).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum() - 1)
    place = bar.value()

    theme.choose(Choice.DARK)

    qtbot.waitUntil(lambda: page(preview).toPlainText() == before and bar.value() == place)
    (selection,) = page(preview).extraSelections()
    assert selection.cursor.selectedText() == "pool"
    theme.choose(Choice.LIGHT)


# ---------------------------------------------------------------------- around it
def test_the_neighbours_are_listed_in_time_order(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30")

    listed = rows(preview)
    assert len(listed) == 7
    assert listed[3].startswith("▸")
    assert listed == sorted(listed, key=lambda row: row.strip("▸ \u2003"))


def test_one_click_moves_to_a_neighbour_and_back_again(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30", "disk")

    with qtbot.waitSignal(preview.anchor_changed) as moved:
        click_row(qtbot, preview, 5)
    until_shown(qtbot, preview, "#32")

    assert moved.args == ["#32"]
    with qtbot.waitSignal(preview.anchor_changed):
        press(qtbot, preview, "Back (Alt+Left)")
    until_shown(qtbot, preview, "#30")
    assert preview.can_go_forward
    preview.forward()
    until_shown(qtbot, preview, "#32")
    assert not preview.can_go_forward


def test_more_of_the_timeline_comes_when_it_is_wanted(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30")

    press(qtbot, preview, "More before")
    qtbot.waitUntil(lambda: len(rows(preview)) == 17)
    press(qtbot, preview, "More after")
    qtbot.waitUntil(lambda: len(rows(preview)) == 27)

    assert rows(preview)[13].startswith("▸")


def test_the_first_memory_has_nothing_before_it(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#1")

    buttons = {b.text().replace("&", ""): b for b in preview.findChildren(QToolButton)}
    assert not buttons["More before"].isEnabled()
    assert buttons["More after"].isEnabled()


# ---------------------------------------------------------------------- copying and opening
def test_text_and_id_are_copied(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview)

    preview.copy_id()
    assert clipboard() == POOL
    preview.copy_text()
    assert clipboard().startswith("Connection pool exhausted by retries\n#61 · bugfix · garden")
    page(preview).setTextCursor(page(preview).document().find("deadlocked"))
    preview.copy_text()
    assert clipboard() == "deadlocked"


def test_the_key_of_the_window_copies_also_from_within_the_text(
    qtbot: QtBot, preview: Preview
) -> None:
    QShortcut(QKeySequence("Ctrl+C"), preview, preview.copy_text)
    read(qtbot, preview)
    preview.activateWindow()
    page(preview).setFocus()

    QTest.keyClick(page(preview), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)

    assert clipboard().startswith("Connection pool exhausted by retries\n#61")


def test_the_menu_copies_in_each_form(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview)
    (menu,) = (b.menu() for b in preview.findChildren(QToolButton) if b.menu())

    menu.aboutToShow.emit()
    for action, begin in zip(
        menu.actions()[:5],
        ["Connection pool", POOL, "# Connection", "{", "Below are memories"],
        strict=True,
    ):
        action.trigger()
        assert clipboard().startswith(begin)

    assert "about " in menu.actions()[4].text()
    assert "tokens" in notices(preview)[0]


def test_several_memories_are_copied_in_their_order(qtbot: QtBot, preview: Preview) -> None:
    QGuiApplication.clipboard().clear()

    preview.copy_refs([PROMPT, POOL, SUMMARY], Form.IDS)

    qtbot.waitUntil(lambda: clipboard() == f"{PROMPT}, {POOL}, {SUMMARY}", timeout=10_000)


def test_a_right_click_opens_the_same_menu(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview)
    (menu,) = (b.menu() for b in preview.findChildren(QToolButton) if b.menu())

    page(preview).customContextMenuRequested.emit(QPoint(20, 20))

    assert menu.isVisible()
    menu.close()


def test_a_memory_is_copied_with_its_neighbours(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview, "#30")
    (menu,) = (b.menu() for b in preview.findChildren(QToolButton) if b.menu())

    menu.actions()[-1].trigger()

    qtbot.waitUntil(lambda: clipboard().count("<memory id=") == 7, timeout=10_000)
    assert clipboard().index('"#27"') < clipboard().index('"#30"') < clipboard().index('"#33"')


class Opened(QObject):
    """Takes the place of the system's editor."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url.toLocalFile())


def test_a_file_that_is_there_is_opened(
    qtbot: QtBot, preview: Preview, memory_folder: Path
) -> None:
    read(qtbot, preview)
    opened = Opened()
    QDesktopServices.setUrlHandler("file", opened, "take")  # type: ignore[arg-type]
    try:
        click_text(qtbot, preview, "notes.md")
        qtbot.waitUntil(lambda: bool(opened.urls))
    finally:
        QDesktopServices.unsetUrlHandler("file")

    assert opened.urls == [str(memory_folder / "notes.md")]
    assert notices(preview)[0].startswith("Opened: ")


def test_the_name_of_a_file_that_is_not_there_is_copied(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview)

    click_text(qtbot, preview, "src/retry.py")
    qtbot.waitUntil(lambda: bool(notices(preview)))

    assert clipboard() == "src/retry.py"
    assert "not found" in notices(preview)[0].casefold()


def test_a_command_is_copied_by_a_click(qtbot: QtBot, preview: Preview) -> None:
    read(qtbot, preview)

    click_text(qtbot, preview, "Copy")

    assert clipboard() == "make test\nmemtray-worker doctor"
    click_text(qtbot, preview, "max_size")
    assert clipboard() == "max_size"
