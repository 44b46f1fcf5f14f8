"""Figures as a reader sees them."""

import pytest

from tests.bench.table import Bound, Group, Row, markdown, number
from tests.bench.targets import TARGETS, row


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0, "0"), (5.0, "5"), (5.84, "5.84"), (0.3149, "0.315"), (1358.4, "1,358")],
)
def test_numbers_are_short(value: float | None, shown: str) -> None:
    assert number(value) == shown


def test_a_bound_holds_at_its_own_value() -> None:
    assert Bound(5, at_most=True).holds(5)
    assert Bound(5, at_most=False).holds(5)
    assert not Bound(5, at_most=True).holds(5.01)
    assert not Bound(5, at_most=False).holds(4.99)


def test_a_row_without_figure_or_bound_has_no_verdict() -> None:
    assert Row("a", None, bound=Bound(1, at_most=True)).verdict == ""
    assert Row("a", 3).verdict == ""


def test_a_row_takes_its_target_by_key() -> None:
    slow = row("latency 10000 all p50", "whole mix, p50", 6.5, unit="ms", limit=1.2)
    assert (slow.verdict, slow.claude_mem, slow.limit) == ("NO", "5.8 without vectors", 1.2)
    assert row("latency 1000 all p50", "whole mix, p50", 6.5).bound is None


def test_every_line_of_a_table_has_the_same_cells_in_the_same_places() -> None:
    rows = (row("made_up", "made-10000", 97.0, unit="%", limit=100), Row("a much longer name", 3))
    title, blank, *lines = markdown(Group("Honest", rows)).splitlines()
    assert (title, blank) == ("### Honest", "")
    assert len(lines) == 4
    assert len({tuple(i for i, c in enumerate(line) if c == "|") for line in lines}) == 1
    assert [cell.strip() for cell in lines[2].split("|")] == [
        "", "made-10000", "97 %", "≥ 95", "yes", "", "100", "", "",
    ]  # fmt: skip


def test_every_target_says_what_it_belongs_to() -> None:
    parts = {
        "latency", "clients", "found", "retrieval", "made_up", "tokens", "mcp", "import", "app",
        "logs", "window", "recall", "life",
    }  # fmt: skip
    assert {key.split()[0] for key in TARGETS} == parts
