"""The rows of a timeline."""

from PySide6.QtCore import QModelIndex, Qt
from pytestqt.modeltest import ModelTester

from app.search.preview.timeline import Role, TimelineModel
from worker.shared.contract import Item
from worker.shared.refs import Kind


def item(number: int, title: str = "The pool", kind: Kind = Kind.OBSERVATION) -> Item:
    return Item(
        id=number,
        ref=f"#{number}",
        kind=kind,
        type="bugfix",
        title=title,
        project="shop",
        created_at="2026-03-14T09:30:00+01:00",
        created_at_epoch=1_773_477_000_000,
    )


def test_it_is_a_sound_model(qtmodeltester: ModelTester) -> None:
    model = TimelineModel()
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]

    model.show([item(1), item(2)], "#2")
    qtmodeltester.check(model)  # type: ignore[no-untyped-call]
    model.move_anchor("#1")
    model.show([], "")


def test_a_row_tells_when_what_and_its_title_on_one_line() -> None:
    model = TimelineModel()
    model.show([item(1, "<b>one\ntwo</b>"), item(2)], "#2")

    first, second = (model.index(row).data() for row in range(2))
    assert first.strip() == "2026-03-14 09:30  ·  bugfix  ·  <b>one two</b>"
    assert second.startswith("▸")
    assert model.index(0).data(Role.ITEM).ref == "#1"


def test_the_anchor_moves() -> None:
    model = TimelineModel()
    model.show([item(1), item(2)], "#2")

    model.move_anchor("#1")

    assert model.anchor_row == 0
    assert model.index(0).data(Qt.ItemDataRole.FontRole).bold()
    assert model.index(1).data(Qt.ItemDataRole.FontRole) is None
    model.move_anchor("#9")
    assert model.anchor_row == -1


def test_no_row_has_children() -> None:
    model = TimelineModel()
    model.show([item(1)], "#1")

    assert model.rowCount(model.index(0)) == 0
    assert model.data(QModelIndex()) is None
