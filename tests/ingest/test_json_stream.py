"""An array is read an element at a time, wherever its pieces are cut."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.ingest import json_stream
from worker.ingest.json_stream import TornError, elements

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(array=st.lists(values, max_size=8), chunk=st.integers(1, 40), ascii_only=st.booleans())
def test_it_gives_what_json_gives(array: list[Any], chunk: int, *, ascii_only: bool) -> None:
    text = json.dumps(array, ensure_ascii=ascii_only)
    raw = text.encode("utf-8", "surrogatepass") if ascii_only else _whole(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "_CHUNK", chunk)
        assert list(elements(io.BytesIO(raw))) == json.loads(raw.decode())


def _whole(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@pytest.mark.parametrize("text", ["[{]", "[1, nope]", '["a", "b', "[" * 100_000])
def test_what_is_no_json_is_told(text: str) -> None:
    with pytest.raises(TornError):
        list(elements(io.BytesIO(text.encode())))


def test_one_value_alone_is_one_element() -> None:
    assert list(elements(io.BytesIO(b'\xef\xbb\xbf {"a": 1} '))) == [{"a": 1}]
