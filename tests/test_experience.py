"""Each promise of docs/EXPERIENCE.md names tests and pictures that there are."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROVED = re.compile(r"`(?:([\w/]+\.py)::)?(test_\w+)`|`([\w-]+\.png)`|`(python -m [^`]+)`")


def rows() -> list[tuple[str, str]]:
    """Return each promise and what proves it."""
    text = (ROOT / "docs" / "EXPERIENCE.md").read_text(encoding="utf-8")
    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    return [(promise.strip(), proof) for promise, proof in cells if promise.strip() != "promise"]


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("promise", "proof"), rows(), ids=lambda text: text[:40])
def test_what_proves_a_promise_is_there(promise: str, proof: str) -> None:
    found = PROVED.findall(proof)
    assert found, promise
    path = ""
    for file, test, picture, _ in found:
        path = file or path  # a bare name is in the file named before it
        assert not test or test in named_in(path), f"{path}::{test}"
        assert not picture or (ROOT / "docs" / "screens" / picture).exists(), picture
