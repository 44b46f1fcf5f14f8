"""The rows of the log."""

import datetime as dt
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester

from app.logs import model as rows
from app.logs.model import Column, LogModel, first_line, local_time
from app.theme import DARK, LIGHT
from tests.app.logs.lines import START
from worker.shared.log_lines import Entry


def entry(level: str = "INFO", message: str = "hello", exception: str = "") -> Entry:
    return Entry(
        time=START, level=level, component="worker.run", message=message, exception=exception
    )


@pytest.fixture
def model() -> LogModel:
    return LogModel(LIGHT)


def shown(model: LogModel, row: int, column: Column) -> Any:  # noqa: ANN401 - as Qt gives it
    return model.data(model.index(row, column))


def test_it_is_a_model_as_qt_wants_it(
    model: LogModel, qtmodeltester: ModelTester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MOST", 3)
    qtmodeltester.check(model, force_py=True)  # type: ignore[no-untyped-call]
    model.replace([entry(), entry("ERROR")])
    model.append([entry("DEBUG"), entry("-")])
    model.append([])
    model.trim()
    qtmodeltester.check(model, force_py=True)  # type: ignore[no-untyped-call]

    assert [shown(model, row, Column.LEVEL) for row in range(3)] == ["✖ Error", "○ Debug", "· -"]


def test_a_level_is_told_by_word_shape_and_colour(model: LogModel) -> None:
    levels = ("ERROR", "WARNING", "INFO", "DEBUG")
    model.replace([entry(level) for level in levels])
    cells = [model.index(row, Column.LEVEL) for row in range(4)]

    texts = [cell.data() for cell in cells]
    colours = [cell.data(Qt.ItemDataRole.ForegroundRole) for cell in cells]

    assert texts == ["✖ Error", "▲ Warning", "● Info", "○ Debug"]
    assert [colour and colour.name() for colour in colours] == [
        LIGHT.error,
        LIGHT.warning,
        None,
        LIGHT.muted,
    ]
    model.paint_with(DARK)
    assert cells[0].data(Qt.ItemDataRole.ForegroundRole).name() == DARK.error


def test_a_traceback_is_one_row_that_says_there_is_more(model: LogModel) -> None:
    model.replace([entry("ERROR", "it broke", "Traceback\n  File\nValueError")])

    assert model.rowCount() == 1
    assert shown(model, 0, Column.MESSAGE) == "it broke ⤵"
    assert first_line(entry(message="x" * 10_000)) == "x" * 400 + " ⤵"
    assert first_line(entry(message="\none\ntwo")) == "one ⤵"


def test_errors_are_found_in_both_directions(model: LogModel) -> None:
    model.replace([entry("ERROR"), entry(), entry("WARNING"), entry("CRITICAL"), entry()])

    assert model.error_from(-1, 1) == 0
    assert model.error_from(0, 1) == 3
    assert model.error_from(3, 1) is None
    assert model.error_from(5, -1) == 3
    assert model.error_from(0, -1) is None


def test_times_are_those_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    summer = dt.datetime(2026, 5, 28, 23, 30, tzinfo=dt.UTC)

    assert local_time(summer) == summer.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    assert local_time(dt.datetime.min.replace(tzinfo=dt.UTC)).startswith("0001-01-01")
