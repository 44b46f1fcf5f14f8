"""Marks count characters, Qt counts halves of some: what is marked is the same."""

from hypothesis import given
from hypothesis import strategies as st

from app.search.marks import cut, in_qt, matched_words, one_line

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40)


def as_qt(text: str) -> bytes:
    return text.encode("utf-16-le")


@given(TEXTS, st.integers(0, 40), st.integers(0, 40))
def test_a_stretch_is_the_same_text_as_qt_counts(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))

    ((at, length),) = in_qt(text, [(start, end)])

    assert as_qt(text)[2 * at : 2 * (at + length)].decode("utf-16-le") == text[start:end]


@given(TEXTS, st.integers(0, 50))
def test_a_text_is_cut_where_qt_would_and_never_within_a_character(text: str, units: int) -> None:
    kept = cut(text, units)

    assert text.startswith(kept)
    assert units - 1 <= len(as_qt(kept)) // 2 <= units or kept == text


@given(st.text(max_size=40))
def test_one_line_keeps_each_character_in_its_place(text: str) -> None:
    line = one_line(text)

    assert len(line) == len(text)
    assert len(line.splitlines()) <= 1


def test_matched_words_are_told_once() -> None:
    assert matched_words("pool, Pool and pool", [(0, 4), (6, 10), (15, 19)]) == ["pool", "Pool"]
