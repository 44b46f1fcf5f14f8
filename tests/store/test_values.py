"""Odd values become regular ones, whatever they are."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.store.values import EPOCH_MAX, as_list, as_ms, as_text

ANY_VALUE = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text() | st.binary()
LEAVES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).map(str.strip).filter(bool)


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (None, ()),
        ("", ()),
        ("  ", ()),
        ("null", ()),
        ("[]", ()),
        ('["a", "b"]', ("a", "b")),
        ('["a", null, "", " b "]', ("a", "b")),
        ('[["a"], {"x": ["b"]}]', ("a", "b")),
        ('{"file": "a.py"}', ("a.py",)),
        ('"one"', ("one",)),
        ("src/a.py", ("src/a.py",)),
        ('["torn", "li', ('["torn", "li',)),
        ("[1, 2.50, 1e400, true]", ("1", "2.50", "1e400", "true")),
        ('["line\nbreak"]', ("line\nbreak",)),
        ('["\\ud800x"]', ("?x",)),
        (b'["bytes"]', ("bytes",)),
        (b'["\xff"]', ("\ufffd",)),
        (7, ("7",)),
    ],
)
def test_a_list_column_gives_texts(value: object, texts: tuple[str, ...]) -> None:
    assert as_list(value) == texts


@pytest.mark.parametrize("depth", [900, 100_000])
def test_deep_nesting_is_no_error(depth: int) -> None:
    text = "[" * depth + "]" * depth
    assert as_list(text) in ((), (text,))


@given(ANY_VALUE)
def test_any_value_gives_texts_that_can_be_encoded(value: object) -> None:
    for text in (as_text(value), *as_list(value)):
        assert isinstance(text, str)
    "".join(as_list(value)).encode()


@given(st.lists(LEAVES))
def test_a_proper_list_comes_back_as_it_was_written(texts: list[str]) -> None:
    assert as_list(json.dumps(texts)) == as_list(json.dumps(texts, ensure_ascii=False))
    assert as_list(json.dumps(texts)) == tuple(texts)


@pytest.mark.parametrize(
    ("epoch", "created_at", "ms"),
    [
        (1_772_323_200_000, "", 1_772_323_200_000),
        (1_772_323_200, "", 1_772_323_200_000),
        (1_772_323_200.5, "", 1_772_323_200_500),
        (1_772_323_200_000.75, "", 1_772_323_200_000),
        (1_772_323_200_000_000, "", 1_772_323_200_000),
        ("1772323200000", "", 1_772_323_200_000),
        (b"1772323200", "", 1_772_323_200_000),
        (None, "2026-03-01T00:00:00.000Z", 1_772_323_200_000),
        (0, "2026-03-01T01:00:00+01:00", 1_772_323_200_000),
        ("soon", "2026-03-01 00:00:00", 1_772_323_200_000),
        (-5, b"2026-03-01", 1_772_323_200_000),
        (float("inf"), "2026-03-01", 1_772_323_200_000),
        (None, "yesterday", 0),
        (None, "1960-01-01", 0),
        (None, None, 0),
    ],
)
def test_a_time_in_any_form_becomes_milliseconds(
    epoch: object, created_at: object, ms: int
) -> None:
    assert as_ms(epoch, created_at) == ms


@given(ANY_VALUE, ANY_VALUE)
def test_any_time_is_in_bounds(epoch: object, created_at: object) -> None:
    assert 0 <= as_ms(epoch, created_at) < 3 * EPOCH_MAX
