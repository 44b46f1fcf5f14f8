"""The search window over a real worker: from three words to what was decided."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from app.search.banner import Banner
from app.search.box import SearchBox
from app.search.chip_bar import ChipBar
from app.search.empty_panel import EmptyPanel, StepButton
from app.search.facet_tree import FacetTree
from app.search.result_list import ResultList
from app.search.window import SearchWindow
from tests.app.search.conftest import Made
from tests.app.search.seen import child, texts_in
from tests.integration.memories import (
    Memory,
    add_prompt,
    add_summary,
    new_database,
    without_meaning,
    writing,
)
from tests.integration.processes import Worker, running
from worker.shared.contract import Item
from worker.shared.paths import Paths

DAY = 86_400_000
MARCH = 1_773_500_000_000  # milliseconds: a day in March 2026


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("real")
    memories = [
        Memory("The pool deadlocks", "连接池 is exhausted 🎉", "shop", "bugfix", MARCH),
        Memory("The pool is larger", "It has twenty now.", "shop", "decision", MARCH + 40 * DAY),
        Memory("A pool in the garden", "Water, no connections.", "garden", "feature", MARCH),
    ]
    new_database(Paths(folder).database, memories)
    with writing(Paths(folder).database) as connection:
        add_summary(connection, "Look after the pool", project="shop", at=MARCH + DAY)
        add_prompt(connection, "why does the pool hang?", project="shop", at=MARCH + 2 * DAY)
    without_meaning(folder)
    with running(folder) as worker:
        worker.until("/api/ready", lambda status, body: status == 200 and body["state"] == "ok")
        yield worker


@pytest.fixture
def paths(worker: Worker) -> Paths:
    return Paths(worker.data_dir)


@pytest.fixture
def window(new_window: Made) -> Iterator[SearchWindow]:
    made, _, _ = new_window()
    yield made
    made.close()


def shown(window: SearchWindow) -> list[Item]:
    model = child(window, ResultList).model()
    rows = (model.index(row, 0) for row in range(model.rowCount()))
    items = (row.data(Qt.ItemDataRole.UserRole) for row in rows)
    return [item for item in items if isinstance(item, Item)]


def refs(window: SearchWindow) -> set[str]:
    return {item.ref for item in shown(window)}


def values(window: SearchWindow) -> dict[str, str]:
    """Return the facets as they are shown, with their counts."""
    tree = child(window, FacetTree)
    branches = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
    rows = [b.child(n) for b in branches if b and not b.isHidden() for n in range(b.childCount())]
    return {row.text(0): row.text(1) for row in rows if row}


def click(window: SearchWindow, name: str, modifier: Qt.KeyboardModifier) -> None:
    tree = child(window, FacetTree)
    (row,) = tree.findItems(name, Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchExactly)
    place: QPoint = tree.visualItemRect(row).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, modifier, place)


NO = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def test_three_words_find_what_was_decided(window: SearchWindow, qtbot: QtBot) -> None:
    window.open()
    qtbot.waitUntil(lambda: len(shown(window)) == 5)

    QTest.keyClicks(child(window, SearchBox), "pool is exhausted")
    qtbot.waitUntil(lambda: bool(shown(window)) and shown(window)[0].title_marks != [])

    best = shown(window)[0]
    assert best.title == "The pool deadlocks"
    assert best.leg == "keyword"
    assert best.snippet
    assert [best.snippet.text[a:b] for a, b in best.snippet.marks] == ["exhausted"]
    assert values(window) == {"shop": "1", "observations": "1", "bugfix": "1", "2026-03": "1"}


def test_a_part_of_a_word_is_marked_in_the_list_and_in_the_preview(
    window: SearchWindow, qtbot: QtBot
) -> None:
    window.open("eadloc")
    qtbot.waitUntil(lambda: refs(window) == {"#1"})

    (item,) = shown(window)
    assert [item.title[a:b] for a, b in item.title_marks] == ["eadloc"]
    child(window, ResultList).select_row(0)
    qtbot.waitUntil(lambda: "1 hit" in texts_in(window))


def test_facets_choose_add_and_exclude_with_live_counts(window: SearchWindow, qtbot: QtBot) -> None:
    window.open("pool")
    qtbot.waitUntil(lambda: len(shown(window)) == 5)

    click(window, "garden", NO)
    qtbot.waitUntil(lambda: refs(window) == {"#3"})
    qtbot.waitUntil(lambda: values(window).get("shop") == "4")
    click(window, "shop", CTRL)
    qtbot.waitUntil(lambda: len(shown(window)) == 5)
    click(window, "bugfix", ALT)
    qtbot.waitUntil(lambda: refs(window) == {"#2", "#3", "#S1", "#P1"})

    chips = [label.chip.text for label in child(window, ChipBar).labels()]
    assert chips == ["project:garden", "project:shop", "-type:bugfix"]
    qtbot.waitUntil(lambda: values(window).get("✗ bugfix") == "1")


def test_dates_and_kinds_are_filters_too(window: SearchWindow, qtbot: QtBot) -> None:
    window.open("pool after:2026-03-15 -kind:prompts")
    qtbot.waitUntil(lambda: refs(window) == {"#2", "#S1"})
    QTest.keyClick(window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(shown(window)) == 5)

    click(window, "2026-04", NO)

    qtbot.waitUntil(lambda: refs(window) == {"#2"})


def test_the_order_can_be_chosen(window: SearchWindow, qtbot: QtBot) -> None:
    window.open("pool project:shop")
    qtbot.waitUntil(lambda: len(shown(window)) == 4)
    order = window.findChildren(QComboBox)[1]

    order.setFocus()
    QTest.keyClick(order, Qt.Key.Key_Down)

    qtbot.waitUntil(lambda: [item.ref for item in shown(window)] == ["#2", "#P1", "#S1", "#1"])


def test_nothing_found_leads_back_to_something(window: SearchWindow, qtbot: QtBot) -> None:
    window.open("garden project:shop")
    panel = child(window, EmptyPanel)
    qtbot.waitUntil(lambda: bool(panel.findChildren(StepButton)))
    qtbot.waitUntil(lambda: "5 memories were searched" in texts_in(panel))
    assert "1 found without it" in panel.findChildren(StepButton)[0].accessibleName()

    panel.findChildren(StepButton)[0].click()

    qtbot.waitUntil(lambda: refs(window) == {"#3"})


@pytest.mark.parametrize("typed", ['a"b', "(x", "C++", "*", "-", "🎉", "'; DROP TABLE x; --"])
def test_no_text_is_an_error(window: SearchWindow, qtbot: QtBot, typed: str) -> None:
    window.open()
    qtbot.waitUntil(lambda: len(shown(window)) == 5)

    child(window, SearchBox).insert(typed)
    QTest.keyClick(child(window, SearchBox), Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: "Searching" not in texts_in(window))
    assert "found" in texts_in(window)


@pytest.mark.parametrize("pasted", ["pool " * 1_000, "pool\n" * 10_000, "连接池" * 12_000])
def test_of_pasted_text_that_is_too_long_it_is_said_how_much_counts(
    window: SearchWindow, qtbot: QtBot, pasted: str
) -> None:
    window.open()
    qtbot.waitUntil(lambda: len(shown(window)) == 5)
    QApplication.clipboard().setText(pasted)

    child(window, SearchBox).paste()

    qtbot.waitUntil(lambda: "cut to its first 4,000 characters" in texts_in(window))
    assert not child(window, Banner).isVisible()
