"""What was typed, understood: every text means something, and none is an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.conftest import few_examples
from worker.search.query import MAX_WORDS, Clause, ParsedQuery, Unit, parse
from worker.shared.contract import MAX_QUERY

# What the language is made of, put together in all ways, finds more than letters by chance.
PIECES = (
    "pool", "retry", "the", "AND", "OR", "NOT", "-", '"', "*", ":", "(", ")", "title:", "files:",
    "nowhere:", "数据", "数", "C++", "src/db/pool.py", "🎉", "NEAR", "^", "\\", "'", "\0", "\ud800",
)  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=12).flatmap(
    lambda parts: st.sampled_from(["", " "]).map(lambda blank: blank.join(parts))
)


@few_examples
@given(TEXTS)
def test_any_text_is_a_query(text: str) -> None:
    query = parse(text)

    assert query.text == text
    for clause in query.clauses:
        assert clause.required or clause.optional
        for unit in (*clause.required, *clause.optional, *clause.excluded):
            assert unit.tokens
            assert all(unit.tokens)
            assert 0 <= unit.start < unit.end <= len(text)
    starts = [unit.start for unit in query.units]
    assert starts == sorted(starts)


@few_examples
@given(st.lists(st.sampled_from(["pool", "retry", "数据", "getUserById"]), min_size=1, max_size=5))
def test_plain_words_are_never_lost(words: list[str]) -> None:
    text = " ".join(words)

    shown = {text[unit.start : unit.end] for unit in parse(text).units}

    assert shown == set(words)


# ---------------------------------------------------------------------- what texts mean
def shown(unit: Unit) -> str:
    column = f"{unit.column}:" if unit.column else ""
    words = " ".join(unit.tokens) + ("*" if unit.prefix else "")
    return column + (f'"{words}"' if unit.phrase else words)


def meaning(text: str) -> str:
    """Return the parsed query in one line: +required optional -excluded, clauses by |."""

    def of(clause: Clause) -> str:
        parts = [f"+{shown(unit)}" for unit in clause.required]
        parts += [shown(unit) for unit in clause.optional]
        parts += [f"-{shown(unit)}" for unit in clause.excluded]
        return ", ".join(parts)

    return " | ".join(map(of, parse(text).clauses))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # words
        ("pool", "pool"),
        ("Pools  retrying", "pool, retri"),
        ("pool pools POOL", "pool"),
        ("the pool", "pool"),
        ("what was it", "what, was, it"),
        ("port-conflict", "port conflict"),
        ("don't", "dont"),
        ("20.04", "20 04"),
        ("C++ a/b", "c++, a b"),
        ("(x,", "x"),
        ("plan?", "plan"),
        ("key:value", "key valu"),
        ("http://localhost:37777", "http localhost 37777"),
        ("连接池", "连接 接池"),
        ("连接 池", "连接, 池*"),
        ("数", "数*"),
        ("я", "я"),
        ("🎉", "🎉"),
        # phrases
        ('"connection pool"', '+"connect pool"'),
        ('"pool"', '+"pool"'),
        ('retry "connection pool"', '+"connect pool", retri'),
        ('""', ""),
        ('"连接池"', '+"连接 接池"'),
        # AND, OR, NOT
        ("pool AND retry", "+pool, +retri"),
        ("pool AND retry timeout", "+pool, +retri, timeout"),
        ("pool AND retry AND timeout", "+pool, +retri, +timeout"),
        ("pool OR retry", "pool | retri"),
        ("a1 b1 OR c1 AND d1", "a1, b1 | +c1, +d1"),
        ("pool NOT retry", "pool, -retri"),
        ("pool AND NOT retry", "+pool, -retri"),
        ("pool -retry", "pool, -retri"),
        ('pool -"back off"', 'pool, -"back off"'),
        ("pool NOT retry OR cache -disk", "pool, -retri | cach, -disk"),
        ("pool and retry or cache not disk", "pool, retri, cach, disk"),
        ("rate-limit - pool", "rate limit, pool"),
        # columns
        ("title:pool", "+title:pool"),
        ("Title:pool retry", "+title:pool, retri"),
        ('title:"connection pool"', '+title:"connect pool"'),
        ("-title:pool retry", "retri, -title:pool"),
        ("file:src/db/pool.py", "+files:src db pool py"),
        ("concept:gotcha fact:retry", "+concepts:gotcha, +facts:retri"),
        ("prompt:deploy", "+prompt_text:deploy"),
        ("title: pool", "titl, pool"),
        ("extra:pool", "extra pool"),
        # prefixes
        ("migr*", "migr*"),
        ("title:migr*", "+title:migr*"),
        ("pool retr*", "pool, retr*"),
        ("the*", "the*"),
        ("src/db/po*", "src db po*"),
        ("*pool* mi*gr", "pool, mi gr"),
        # literally
        ("NOT pool", "pool"),
        ("-pool", "pool"),
        ("-pool -retry", "pool, retri"),
        ("AND", "and"),
        ("OR", "or"),
        ("AND OR NOT", "not"),
        ("pool AND", "pool"),
        ("AND pool", "pool"),
        ("OR pool", "pool"),
        ("pool OR", "pool"),
        ('"pool retry', "pool, retri"),
        ('pool" retry', "pool, retri"),
        ('"pool"retry', "pool, retri"),
        ('title:"pool', "pool"),
        # nothing to look for
        ("", ""),
        (" \t\n", ""),
        ("*** ... ( ) -- ''", ""),
        ('"', ""),
        ('"*"', ""),
        ("-", ""),
    ],
)
def test_what_a_query_means(text: str, expected: str) -> None:
    assert meaning(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the connection pool", ("the", "connect", "pool")),
        ("连接池", ("连接", "接池")),
        ("pool", ()),
        ("", ()),
        ('title:"a b" -c', ("titl", "a", "b", "c")),
    ],
)
def test_several_words_can_be_found_as_they_stand(text: str, expected: tuple[str, ...]) -> None:
    assert parse(text).literal == expected


@pytest.mark.parametrize(
    ("text", "strict"),
    [("pool retry", False), ("pool OR retry", False), ("a1 AND b1", True), ("a1 -b1", True)],
)
def test_a_query_is_strict_when_something_must_or_must_not_be_there(
    text: str, strict: bool
) -> None:
    assert parse(text).strict is strict


def test_a_whole_identifier_is_looked_for_too() -> None:
    (unit,) = parse("getUserById").units
    (path,) = parse("src/db/pool.py").units

    assert unit.extras == ("get", "user", "by", "id")
    assert set(path.extras) == {"src/db/pool.py", "pool.py"}


# ---------------------------------------------------------------------- bounds
def tokens(query: ParsedQuery) -> list[str]:
    return [token for unit in query.units for token in unit.tokens]


def test_a_long_query_is_cut_and_says_so() -> None:
    query = parse("word " * 10_000)

    assert len(query.text) == MAX_QUERY
    assert query.notes == (f"The query was cut to its first {MAX_QUERY:,} characters.",)
    assert tokens(query) == ["word"]


def test_only_so_many_words_are_looked_for_and_the_answer_says_so() -> None:
    many = parse(" ".join(f"word{i}" for i in range(MAX_WORDS + 1)))
    just = parse(" ".join(f"word{i}" for i in range(MAX_WORDS)))
    path = parse("/".join(f"word{i}" for i in range(MAX_WORDS + 1)))

    assert tokens(many) == tokens(path) == tokens(just) == [f"word{i}" for i in range(MAX_WORDS)]
    assert many.notes == path.notes
    assert str(MAX_WORDS) in many.notes[0]
    assert just.notes == ()


@pytest.mark.parametrize(
    "form", ['"word{}" OR ', "word{} AND ", 'title:word{} "and{}" ', "-word{} "]
)
def test_required_and_excluded_words_are_bounded_too(form: str) -> None:
    query = parse("pool " + "".join(form.format(i, i) for i in range(500)))

    units = [u for c in query.clauses for u in (*c.required, *c.optional, *c.excluded)]
    assert len(units) <= 2 * MAX_WORDS
    assert query.notes


@pytest.mark.parametrize("text", ["-deadlock", "NOT deadlock", '-"dead lock"'])
def test_an_exclusion_with_nothing_to_exclude_from_is_told(text: str) -> None:
    query = parse(text)

    assert "nothing to exclude from" in " ".join(query.notes)
    assert not query.strict


def test_parentheses_that_do_not_group_are_told() -> None:
    assert "Parentheses do not group" in " ".join(parse("(pool OR redis) AND kafka").notes)
    assert parse("f(x) fails").notes == ()
