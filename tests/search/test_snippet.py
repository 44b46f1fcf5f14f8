"""Snippets: a piece of the memory that says why it was found, with the words marked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.records import observation, prompt, session
from tests.search.conftest import few_examples
from worker.search.marking import by_terms, marks_in
from worker.search.query import parse
from worker.search.snippet import LENGTH, mark_items, snippet_of
from worker.shared.contract import Item, Snippet
from worker.shared.refs import Kind, Ref
from worker.store.records import Record

PIECES = (
    "pool",
    "Pools",
    "getUserById",
    "src/db/pool.py",
    "连接池",
    "池",
    "ｶﾞｷﾞ",
    "é",
    "🎉",
    " ",
    "\n",
)
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=80).map(" ".join)


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in marks_in(text, by_terms(parse(query)))]


def shown(record: Record, query: str) -> Snippet:
    snippet = snippet_of(record, by_terms(parse(query)))
    assert snippet is not None
    return snippet


def check_marks(text: str, marks: list[tuple[int, int]]) -> None:
    before = 0
    for start, end in marks:
        assert before <= start < end <= len(text)
        before = end


@few_examples
@given(TEXTS, TEXTS)
def test_marks_lie_in_the_text_and_do_not_overlap(text: str, query: str) -> None:
    check_marks(text, marks_in(text, by_terms(parse(query))))


@few_examples
@given(TEXTS, TEXTS)
def test_a_snippet_is_a_short_piece_of_the_text(text: str, query: str) -> None:
    snippet = snippet_of(observation(1, "t", narrative=text), by_terms(parse(query)))

    if snippet is not None:
        check_marks(snippet.text, snippet.marks)
        assert len(snippet.text) <= LENGTH + 2
        assert snippet.text.strip("…") in " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("The Pool and the pools", "pool", ["Pool", "pools"]),
        ("retrying retries", "retry", ["retrying", "retries"]),
        ("naïve CAFÉ", "cafe", ["CAFÉ"]),
        ("see getUserById", "user", ["User"]),
        ("see getUserById", "getUserById", ["getUserById"]),
        ("in src/db/pool.py and pool", "pool.py", ["pool.py", "pool"]),
        ("in src/db/pool.py", "src/db/pool.py", ["src/db/pool.py"]),
        ("数据库连接池耗尽", "连接池", ["连接池"]),
        ("数据库连接池", "数据 池", ["数据", "池"]),
        ("the connection pool", '"connection pool"', ["connection", "pool"]),
        ("for update: update for_update", '"for update"', ["for", "update", "for", "update"]),
        ("for, update", '"for update"', ["for", "update"]),
        ("for the update", '"for update"', []),
        ("update for", '"for update" update', ["update"]),
        ("connects the userId", '"userId"', ["userId"]),
        ("a user id", '"userId"', []),
        ("接池 连接池 池", '"连接池"', ["连接池"]),
        ("池子", '"池"', ["池子"]),
        ("migration migrated", "migr*", ["migration", "migrated"]),
        ("pool and timeout", "pool -timeout", ["pool"]),
        ("pool AND retry", "pool AND retry", ["pool", "retry"]),
        ("done 🎉", "🎉", ["🎉"]),
        ("the pool", "the pool", ["pool"]),
        ("nothing of it", "zebra", []),
        ("", "zebra", []),
    ],
)
def test_the_matched_words_are_marked(text: str, query: str, expected: list[str]) -> None:
    assert marked(text, query) == expected


def test_the_piece_with_most_of_the_words_is_shown() -> None:
    text = f"pool {'filler ' * 60}the pool was exhausted by retry {'filler ' * 60}retry"

    snippet = shown(observation(1, "t", narrative=text), "retry pool exhausted")

    assert "the pool was exhausted by retry" in snippet.text
    assert [snippet.text[a:b] for a, b in snippet.marks] == ["pool", "exhausted", "retry"]
    assert snippet.text.startswith("…filler")
    assert snippet.text.endswith("…")


def test_the_field_with_most_of_the_words_is_shown() -> None:
    record = observation(
        1, "pool retry", subtitle="pool", narrative="nothing", facts=["a", "pool and retry"]
    )

    snippet = shown(record, "pool retry")

    assert (snippet.field, snippet.text) == ("facts", "a · pool and retry")


def test_the_end_of_a_long_text_is_reached() -> None:
    snippet = shown(observation(1, narrative=f"{'filler ' * 200}zebra"), "zebra")

    assert snippet.text.endswith("zebra")
    assert snippet.text[slice(*snippet.marks[0])] == "zebra"


def test_long_chinese_text_is_cut_around_the_word() -> None:
    snippet = shown(prompt(1, "数据" * 300 + "连接池" + "缓存" * 300), "连接池")

    assert [snippet.text[a:b] for a, b in snippet.marks] == ["连接池"]


def test_without_a_match_the_beginning_is_shown() -> None:
    record = session(1, "the request", learned="Learned much.", completed="Done.")

    assert shown(record, "zebra") == Snippet(field="learned", text="Learned much.")


def test_a_record_with_nothing_but_its_title_has_no_snippet() -> None:
    record = observation(1, "pool", files_read=["pool.py"])

    assert snippet_of(record, by_terms(parse("pool"))) is None


def item(id_: int, title: str) -> Item:
    return Item(
        id=id_,
        ref=f"#{id_}",
        kind=Kind.OBSERVATION,
        type="bugfix",
        title=title,
        project="p",
        created_at="",
        created_at_epoch=0,
    )


def test_items_get_marks_in_their_title_and_a_snippet() -> None:
    items = [item(1, "The pool"), item(2, "Deleted a moment ago: pool")]
    record = observation(1, "The pool", narrative="A pool.")

    first, second = mark_items(items, {Ref(Kind.OBSERVATION, 1): record}, by_terms(parse("pool")))

    assert first.title_marks == [(4, 8)]
    assert first.snippet == Snippet(field="narrative", text="A pool.", marks=[(2, 6)])
    assert second.snippet is None
    assert second.title_marks == [(22, 26)]


def test_a_memory_saved_by_hand_shows_its_text_and_not_that_it_was() -> None:
    record = observation(1, "t", subtitle="Manual memory", narrative="The pool deadlocks")

    assert shown(record, "").text == "The pool deadlocks"
    assert shown(record, "manual").text == "The pool deadlocks"
