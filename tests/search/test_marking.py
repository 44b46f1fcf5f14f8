"""What is marked of a text is what matched, wherever it stands and however it is written."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.records import observation
from tests.search.conftest import few_examples
from worker.index.analyze import analyze, fold, terms, words
from worker.search.marking import by_terms, literally, marks_in
from worker.search.query import parse
from worker.search.snippet import snippet_of

NAMES = (
    "parseConfigFile",
    "config_loader",
    "HTTPServer2",
    "src/db/pool.py",
    "使用React组件",
    "Straßenname",
    "Cafe\u0301Shop",
    "ﬁleＮame",
    "ΣΊΣΥΦΟΣ",
    "don't",
    "ﾃﾞｰﾀ",
    "e\u0301\u0327",
    "🎉",
    "İstanbul",
)
TEXTS = st.text() | st.lists(st.sampled_from(NAMES) | st.text(max_size=9), max_size=40).map(
    " ".join
)


@few_examples
@given(st.data())
def test_each_word_that_holds_a_piece_is_marked_there(data: st.DataObject) -> None:
    text = data.draw(TEXTS)
    word = data.draw(st.sampled_from(sorted(words(text)) or ["none"]))
    start = data.draw(st.integers(0, len(word) - 1))
    piece = word[start : data.draw(st.integers(start + 1, len(word)))]
    holders = {token for word in words(text) if piece in word for token in terms(word)[0]}

    marks = marks_in(text, by_terms(parse(""), {piece: holders}))

    assert bool(marks) == bool(holders.intersection(*terms(text)[:1]))
    assert all(0 <= a < b <= len(text) for a, b in marks)
    assert all(this[1] <= following[0] for this, following in pairwise(marks))
    tokens = {(token.start, token.end) for token in analyze(text).tokens}
    for a, b in marks:
        letters = "".join(map(fold, text[a:b]))
        assert piece in letters or (a, b) in tokens, text[a:b]


@few_examples
@given(TEXTS, TEXTS, st.booleans())
def test_a_snippet_marks_what_the_text_marks_and_loses_no_character(
    before: str, after: str, as_piece: bool
) -> None:
    text = " ".join(f"{before} {'filler ' * 9} theConfigFile {after}".split())
    pieces = by_terms(parse(""), {"figfile": terms("theConfigFile")[0]})
    marker = pieces if as_piece else literally(["ConfigFile"])

    snippet = snippet_of(observation(1, "t", narrative=text), marker)

    assert snippet is not None
    shown = snippet.text.removeprefix("…").removesuffix("…")
    assert shown in text
    everywhere = {text[a:b].casefold() for a, b in marks_in(text, marker)}
    assert snippet.marks
    for a, b in snippet.marks:
        marked = snippet.text[a:b].casefold()
        assert any(marked in each for each in everywhere)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Pools and spools", ["pool"], ["Pool", "pool"]),
        ("a.b*c", [".b*"], [".b*"]),
        ("数据库连接池", ["连接"], ["连接"]),
        ("pool", [""], []),
        ("pool", [], []),
        ("connection pool", ["pool", "connection pool"], ["connection pool"]),
    ],
)
def test_letter_by_letter_it_is_found_amid_words(
    text: str, words: list[str], expected: list[str]
) -> None:
    assert [text[a:b] for a, b in marks_in(text, literally(words))] == expected
