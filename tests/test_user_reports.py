"""The table of user reports is whole, and each test that it names exists."""

import ast
import re
from functools import cache

import pytest

from tests.bench.material import ROOT, SHARED
from tests.user_reports import ROWS

REPORTS = SHARED / "USER_REPORTS.md"

_NAMED = [
    pytest.param(row, test, id=f"{row} {test.partition('::')[2]}")
    for row, tests in ROWS.items()
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


def test_each_reported_row_is_in_the_table_with_a_test() -> None:
    assert all(ROWS.values())
    if not REPORTS.exists():
        pytest.skip(f"{REPORTS} is absent")
    rows = re.findall(r"^\| ([A-Z]\d\d) \|", REPORTS.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(ROWS) == sorted(rows)
