"""What is shown of the log: all that is chosen holds, and no text is an error that escapes."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.logs.selection import ExpressionError, Selection
from tests.app.logs.lines import START
from worker.shared.log_lines import Entry


def entry(message: str, level: str = "INFO", component: str = "worker.run") -> Entry:
    return Entry(time=START, level=level, component=component, message=message)


ENTRIES = [
    entry("started on port 37777"),
    entry("the disk is full", "WARNING", "worker.index.chroma"),
    entry("no answer", "ERROR", "app.supervisor"),
    entry("the client is gone", "INFO", "mcp_server.server"),
    entry("next round", "DEBUG", "worker.index.sync"),
    entry("{torn", "-", "-"),
]


def shown(selection: Selection) -> list[str]:
    return [entry.message for entry in selection.of(ENTRIES)]


@pytest.mark.parametrize(
    ("selection", "messages"),
    [
        (Selection(), [entry.message for entry in ENTRIES]),
        (Selection(least=30), ["the disk is full", "no answer"]),
        (Selection(least=20, component="worker"), ["started on port 37777", "the disk is full"]),
        (Selection(component="worker.index.sync"), ["next round"]),
        (Selection(component="work"), []),
        (Selection(text="FULL disk"), ["the disk is full"]),
        (Selection(text="full nothing"), []),
        (Selection(text="chroma"), ["the disk is full"]),
        (Selection(text=r"port \d+", is_regex=True), ["started on port 37777"]),
        (Selection(text="^ERROR", is_regex=True), ["no answer"]),
        (Selection(text="(", is_regex=False), []),
        (Selection(text="   ", is_regex=True), [entry.message for entry in ENTRIES]),
    ],
)
def test_all_that_is_chosen_holds(selection: Selection, messages: list[str]) -> None:
    assert shown(selection) == messages


def test_a_bad_expression_is_told_with_its_place() -> None:
    with pytest.raises(ExpressionError, match="at character 2: missing closing"):
        shown(Selection(text="(", is_regex=True))


def test_an_expression_that_would_take_for_ever_is_given_up() -> None:
    slow = [entry("a" * 5000 + "!")]

    with pytest.raises(ExpressionError, match="takes too long"):
        Selection(text="(a+)+$", is_regex=True).of(slow * 1000)


@given(text=st.text(max_size=40), is_regex=st.booleans())
def test_no_text_is_an_error_of_another_kind(text: str, is_regex: bool) -> None:
    with suppress(ExpressionError):
        assert set(shown(Selection(text=text, is_regex=is_regex))) <= set(shown(Selection()))
