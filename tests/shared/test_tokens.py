"""The guess is near what a real tokenizer counts."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worker.shared.tokens import estimate_tokens

_TABLE = "\n".join(
    f"| #{n} | 2026-05-{n % 28 + 1:02} 10:{n % 60:02} | The login form times out | bugfix |"
    for n in range(50)
)
_ENGLISH = "The pool deadlocks when its size is one, because each retry holds its connection. " * 9
_CODE = "def connect(path: Path) -> Connection:\n    return sqlite3.connect(path, timeout=5)\n" * 9
_CHINESE = "当连接池的大小为一时，每次重试都会占用自己的连接，因此会发生死锁。" * 9


@pytest.mark.parametrize("text", [_TABLE, _ENGLISH, _CODE, _CHINESE])
def test_it_is_a_third_off_at_most(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it reads its table by an old call
        import bpe_openai

    counted = len(bpe_openai.get_encoding("cl100k_base").encode(text))
    assert estimate_tokens(text) == pytest.approx(counted, rel=0.34)


@given(st.text(), st.text())
def test_more_text_never_costs_less(first: str, second: str) -> None:
    assert 0 <= estimate_tokens(first) <= estimate_tokens(first + second)
