"""The top of the search window says what is really searched, and in which order."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QToolButton
from pytestqt.qtbot import QtBot

from app.search.head import Head
from app.search.queries import Queries
from app.search.request import Query
from worker.shared.contract import OrderBy


@pytest.fixture
def head(qtbot: QtBot) -> Head:
    head = Head()
    qtbot.addWidget(head)
    return head


def orders(head: Head) -> QComboBox:
    boxes = head.findChildren(QComboBox)
    return next(box for box in boxes if box.accessibleName() == "Order of the hits")


def can_be_best_first(head: Head) -> bool:
    model = orders(head).model()
    assert isinstance(model, QStandardItemModel)
    return bool(model.item(0).flags() & Qt.ItemFlag.ItemIsEnabled)


def test_without_words_the_newest_are_first_and_none_is_best(head: Head) -> None:
    head.show_query(Query())
    assert orders(head).currentText() == "Newest first"
    assert not can_be_best_first(head)

    head.show_query(Query("pool"))
    assert orders(head).currentText() == "Best first"
    assert can_be_best_first(head)


def test_what_was_saved_is_told_from_what_is_recent(qtbot: QtBot, head: Head) -> None:
    head.show_queries(Queries(recent=("pool",), saved=("deadlock",)))
    button = next(each for each in head.findChildren(QToolButton) if each.text() == "&Recent ▾")

    button.menu().aboutToShow.emit()

    lines = [each for each in button.menu().actions() if not each.isSeparator()]
    assert [line.text() for line in lines[:4]] == ["Saved", "deadlock", "Recent", "pool"]
    assert [line.isEnabled() for line in lines[:4]] == [False, True, False, True]


def test_an_order_that_was_chosen_is_shown_with_and_without_words(head: Head) -> None:
    for words in ("", "pool"):
        head.show_query(Query(words, order=OrderBy.DATE_ASC))
        assert orders(head).currentText() == "Oldest first"
