"""Terms and their positions: what of a text can be found, and where it is marked."""

import itertools
import sys
import tracemalloc
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.index.analyze import MAX_TERM, _stem, analyze, fold, is_stop_word, terms, words

# Words, signs and scripts beside each other find more than letters drawn from all of Unicode.
PIECES = (
    "getUserById", "auth_token", "src/db/pool.py", "C++", "C#", "don't", "::", "->", "_", "/", " ",
    "悬空引用", "ｶﾞ", "゛", "กำ", "é", "e\u0301", "\u0301", "ß", "İ", "ﬁ", "⑴", "㈠", "🎉",
    "👩\u200d💻", "\ud800", "\0",
)  # fmt: skip
LETTERS = tuple(map("".join, itertools.product("bcdfg", "aeiou", "klmnp")))
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def tokens(text: str) -> list[str]:
    return [token.term for token in analyze(text).tokens]


def extras(text: str) -> set[str]:
    return {token.term for token in analyze(text).extras}


@settings(max_examples=50, deadline=None)
@given(TEXTS)
def test_any_text_gives_terms_that_stand_somewhere_in_it(text: str) -> None:
    found = analyze(text)

    for term, start, end in (*found.tokens, *found.extras):
        assert term
        assert 0 <= start < end <= len(text)
        assert text[start:end].strip()
    starts = [token.start for token in found.tokens]
    assert starts == sorted(starts)


@settings(max_examples=50, deadline=None)
@given(TEXTS)
def test_terms_are_those_of_analyze_without_positions(text: str) -> None:
    found = analyze(text)

    assert terms(text) == ([t.term for t in found.tokens], [t.term for t in found.extras])


@settings(max_examples=50, deadline=None)
@given(TEXTS)
def test_a_term_is_one_word_to_the_index(text: str) -> None:
    """The index splits at ASCII signs that its tokenizer does not know, and at NUL."""
    for term in (*terms(text)[0], *terms(text)[1]):
        assert all(c.isalnum() or c in "./\\:@#&+~->_'" for c in term if c.isascii())
        assert term == term.lower() or not term.isascii()


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1))
def test_case_width_and_composition_do_not_matter(text: str) -> None:
    assert fold(text.upper()) == fold(text.upper().casefold())
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pool was exhausted", ["the", "pool", "was", "exhaust"]),
        ("migrations migrating migrated", ["migrat", "migrat", "migrat"]),
        ("Ünïcödé CAFÉ naïve", ["unicod", "cafe", "naiv"]),
        ("cafe\u0301", ["cafe"]),  # the accent as a character of its own
        ("ｆｕｌｌ　ＷＩＤＴＨ", ["full", "width"]),
        ("don't user's it’s", ["dont", "user", "it"]),
        ("C++ C# c# F#", ["c++", "c#", "c#", "f#"]),
        ("auth_token", ["auth", "token"]),
        ("src/db/pool.py", ["src", "db", "pool", "py"]),
        ("a\\b::c->d", ["a", "b", "c", "d"]),
        ("https://example.com/x?y=1", ["https", "exampl", "com", "x", "y", "1"]),
        ("v2.3.1 20.04", ["v2", "3", "1", "20", "04"]),
        ("ECONNRESET", ["econnreset"]),
        ("悬空引用", ["悬空", "空引", "引用", "用"]),
        ("连接 pool池", ["连接", "接", "pool", "池"]),
        ("データベース", ["デー", "ータ", "タベ", "ベー", "ース", "ス"]),
        ("데이터", ["데이", "이터", "터"]),
        ("ｶﾀｶﾅ", ["カタ", "タカ", "カナ", "ナ"]),
        ("заметка 🎉 done", ["заметка", "🎉", "done"]),
        ("not \ufffd readable", ["not", "readabl"]),
        ("हिन्दी", ["हिनदी"]),
        ("⑴ ㈠ ½ ﷺ", ["1", "一", "1⁄2", "صلىاللهعليهوسلم"]),
        ("  \n\t--- *** ... _ ''", []),
        ("", []),
    ],
)
def test_words_as_they_are_indexed(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserById", {"get", "user", "by", "id"}),
        ("HTTPServerError2", {"http", "server", "error2"}),
        ("auth_token", {"auth_token"}),
        ("src/db/pool_size.py", {"src/db/pool_size.py", "pool_size.py"}),
        ("C:\\Temp\\Log.txt", {"temp\\log.txt", "log.txt"}),
        ("E1234-XQ", {"e1234-xq"}),
        ("v2.3.1", {"v2.3.1"}),
        ("@scope/pkg", {"scope/pkg"}),
        ("plain words", set()),
        ("悬空引用", set()),
    ],
)
def test_identifiers_and_paths_are_kept_whole_and_split_at_their_humps(
    text: str, expected: set[str]
) -> None:
    assert extras(text) == expected


def test_positions_point_at_what_the_term_was_made_of() -> None:
    text = "See getUserById in src/db/Pool.py, 连接池"
    found = analyze(text)

    shown = {term: text[start:end] for term, start, end in (*found.tokens, *found.extras)}

    assert shown["user"] == "User"
    assert shown["pool"] == "Pool"
    assert shown["src/db/pool.py"] == "src/db/Pool.py"
    assert shown["pool.py"] == "Pool.py"
    assert shown["接池"] == "接池"


def test_every_character_of_a_chinese_run_begins_a_term() -> None:
    """So that a query of one character is found by prefix."""
    run = "步骤重跑引用"

    assert [term[0] for term in tokens(run)] == list(run)


def test_endless_runs_of_letters_stay_within_bounds() -> None:
    found = analyze("x" * 10_000 + " " + "a_" * 5_000)

    assert max(len(token.term) for token in found.tokens) == MAX_TERM
    assert not found.extras


def test_stop_words_are_told_by_their_terms() -> None:
    text = "The doing of these was very much because it's being done"

    telling = [term for term in tokens(text) if not is_stop_word(term)]

    assert telling == ["much"]


def test_many_threads_make_the_terms_that_one_makes() -> None:
    made = [f"{letters}{ending}" for letters in LETTERS for ending in ("ations", "ing", "ly", "x")]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(_stem.__wrapped__, made * 2))
    finally:
        sys.setswitchinterval(before)

    assert found == [_stem.__wrapped__(word) for word in made * 2]


def test_words_that_never_come_again_take_little_memory() -> None:
    runs = [f"load{number}Pool.from_{number:x}" for number in range(40_000)]
    tracemalloc.start()
    try:
        for run in runs:
            terms(run)
            words(run)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 25_000_000
