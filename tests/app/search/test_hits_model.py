"""The hits as a model: whole pages come, and only those near what is looked at stay."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from app.search.hits_model import KEPT, MOST, PAGE, HitsModel
from tests.app.search.conftest import hit

Role = Qt.ItemDataRole


def model_with(total: int) -> HitsModel:
    model = HitsModel()
    model.begin([hit(n) for n in range(min(total, PAGE))], total)
    return model


@pytest.mark.parametrize("total", [0, 1, PAGE, PAGE + 1, 1_000])
def test_it_is_a_sound_model_of_any_length(qtmodeltester: ModelTester, total: int) -> None:
    model = model_with(total)

    qtmodeltester.check(model, force_py=True)  # type: ignore[no-untyped-call]
    model.begin([hit(1)], 1)

    assert model.rowCount() == 1


def test_rows_that_have_not_come_are_blank_and_named(qtbot: QtBot) -> None:
    model = model_with(120)

    assert model.item(PAGE - 1) is not None
    assert model.item(PAGE) is None
    assert model.index(PAGE).data(Role.UserRole) is None
    assert model.missing(PAGE - 1, 119) == [1, 2, 3, 4]
    assert model.missing(0, 500) == [1, 2, 3, 4]
    with qtbot.waitSignal(model.dataChanged) as changed:
        model.put(4, [hit(n) for n in range(100, 120)])
    assert [index.row() for index in changed.args[:2]] == [100, 119]
    assert model.index(119).data(Role.UserRole).ref == "#119"
    assert model.missing(PAGE - 1, 119) == [1, 2, 3]


def test_pages_that_nobody_needs_any_more_go() -> None:
    model = model_with(PAGE * 1_000)
    for page in range(1, 500):
        model.put(page, [hit(page * PAGE)])
        model.missing(0, 0)  # the first rows are in view

    held = [page for page in range(1_000) if not model.missing(page * PAGE, page * PAGE)]
    assert len(held) == KEPT
    assert held[0] == 0
    assert held[1:] == list(range(500 - KEPT + 1, 500))


def test_there_are_no_more_rows_than_can_be_asked_for() -> None:
    assert model_with(10**9).rowCount() == MOST


def test_a_row_is_found_by_its_memory() -> None:
    model = model_with(120)
    model.put(3, [hit(n) for n in range(75, 100)])

    assert (model.row_of("#7"), model.row_of("#77"), model.row_of("#119")) == (7, 77, None)


def test_a_row_can_be_said_and_says_why_it_is_a_hit() -> None:
    model = model_with(3)
    row = model.index(0)

    spoken = row.data(Role.AccessibleTextRole)
    assert spoken == (
        "bugfix, The pool 0 🎉 is empty, web, 2026-03-14 09:30, both, In the pool 连接池 &"
        " <b>more</b>"
    )
    why = row.data(Role.ToolTipRole)
    assert "Found by its words and by its meaning." in why
    assert "Matched: pool" in why
    assert "0.50" in why


def test_what_is_foreign_is_escaped_in_a_tool_tip() -> None:
    model = HitsModel()
    model.begin([hit(1, project="<img src=http://127.0.0.1:9/x>")], 1)

    assert "&lt;img" in model.index(0).data(Role.ToolTipRole)
