"""The table of user reports is whole, and each test that it names exists."""

import ast
import re
from functools import cache

import pytest

from tests.bench.material import ROOT, SHARED
from tests.user_reports import AREAS, LATER, ROWS
from worker.web.openapi import OPERATIONS

REPORTS = SHARED / "USER_REPORTS.md"

_NAMED = [
    pytest.param(row, test, id=f"{row} {test.partition('::')[2]}")
    for row, tests in ROWS.items()
    if not isinstance(tests, str)
    for test in tests
]


@cache
def named_in(path: str) -> frozenset[str]:
    """Return the test functions that pytest finds in a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return frozenset(name for name in functions if name.startswith("test_"))


@pytest.mark.parametrize(("row", "test"), _NAMED)
def test_each_named_test_exists(row: str, test: str) -> None:
    path, _, name = test.partition("::")

    assert name in named_in(path)


def test_each_row_is_proved_or_waits_for_something() -> None:
    assert all(ROWS.values())
    reasons = {tests for tests in ROWS.values() if isinstance(tests, str)}
    assert reasons == set(LATER)


@pytest.mark.parametrize("place", LATER.values())
def test_what_is_waited_for_has_not_come_yet(place: str) -> None:
    if place.startswith("/"):
        assert place not in {operation.path for operation in OPERATIONS}
    else:
        assert not (ROOT / place).exists()


def test_each_reported_row_is_in_the_table() -> None:
    if not REPORTS.exists():
        pytest.skip(f"{REPORTS} is absent")
    reported: dict[str, list[str]] = {}
    for line in REPORTS.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## (.+)", line):
            area = heading[1]
        elif row := re.match(r"\| ([A-Z]\d\d) \|", line):
            reported.setdefault(area, []).append(row[1])

    assert set(AREAS) <= set(reported)
    assert sorted(ROWS) == sorted(row for area in AREAS for row in reported[area])
