"""A memory as lines: all of it, its hits counted once each, nothing that a document would obey."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.search.preview.reading import Act, Line, Link, Shape, lines_of, shown
from tests.app.search_preview.records import record
from tests.app.search_preview.test_markdown import TEXTS
from worker.search.marking import by_terms, field_marks
from worker.search.query import parse
from worker.shared.contract import SingleReply

QUERIES = st.sampled_from(["word", "code bold", "é", "bold* wor*", "🎉", "nothing"])


def read(query: str = "", **fields: str | list[str]) -> list[Line]:
    return list(lines_of(marked(query, **fields)))


def marked(query: str, **fields: str | list[str]) -> SingleReply:
    """Return a memory with its marks as the worker makes them."""
    return record(fields, marks=field_marks(fields, by_terms(parse(query))))


def hits(lines: list[Line]) -> list[str]:
    """Return the text of each hit, pieces of one joined."""
    found: dict[int, str] = {}
    for line in lines:
        for span in line.spans:
            if span.hit is not None:
                found[span.hit] = found.get(span.hit, "") + span.text
    assert list(found) == list(range(len(found)))
    return list(found.values())


def texts(lines: list[Line], shape: Shape) -> list[str]:
    return ["".join(span.text for span in line.spans) for line in lines if line.shape is shape]


def links(lines: list[Line]) -> list[Link]:
    return list(dict.fromkeys(span.link for line in lines for span in line.spans if span.link))


def test_all_fields_are_there_in_their_order() -> None:
    lines = read(
        title="T", subtitle="S", narrative="N", facts=["a", "b"], concepts=["c"], odd=["new"]
    )

    assert [(line.shape, line.spans[0].text) for line in lines] == [
        (Shape.TITLE, "T"),
        (Shape.SUBTITLE, "S"),
        (Shape.TEXT, "N"),
        (Shape.LABEL, "facts"),
        (Shape.ITEM, "a"),
        (Shape.ITEM, "b"),
        (Shape.LABEL, "concepts"),
        (Shape.ITEM, "c"),
        (Shape.LABEL, "odd"),
        (Shape.ITEM, "new"),
    ]


def test_a_long_request_is_a_text_with_a_label() -> None:
    lines = read(request="word " * 100, learned="much")

    assert texts(lines, Shape.LABEL) == ["request", "learned"]
    assert not texts(lines, Shape.TITLE)


def test_the_words_of_the_query_are_hits_in_reading_order() -> None:
    lines = read(
        "pool 连接池 retry",
        title="The Pools 🎉 retried",
        narrative="**数据库连接池** in `src/pool.py`\n- retrying 🎉 pool",
        facts=["none", "one pool"],
        files_read=["/src/pool.py"],
    )

    assert hits(lines) == [
        "Pools", "retried", "连接池", "pool", "retrying", "pool", "pool", "pool",
    ]  # fmt: skip


def test_a_hit_that_a_sign_of_markdown_divides_counts_once() -> None:
    lines = list(
        lines_of(record({"narrative": "con**nec**tion"}, marks={"narrative": [[(0, 14)]]}))
    )

    assert hits(lines) == ["connection"]


@settings(deadline=None)
@given(TEXTS, QUERIES)
def test_what_is_marked_is_what_the_worker_marks(text: str, query: str) -> None:
    memory = marked(query, narrative=text)
    stretches = memory.marks.get("narrative", [[]])[0]
    marks = {shown(text[start:end]) for start, end in stretches}

    found = hits(list(lines_of(memory)))

    assert len(found) <= len(stretches)
    assert all(any(hit in mark for mark in marks) for hit in found)


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=300))
def test_nothing_is_shown_that_a_document_would_obey(text: str) -> None:
    for line in read(title="T", narrative=text, facts=[text]):
        said = "".join(span.text for span in line.spans)
        said.encode()  # no half of a character is left
        assert not set(said) & {"\n", "\r", "\0", "\u2028", "\u2029", "\ufdd0", "\ufffc"}


@pytest.mark.parametrize(
    ("code", "act"),
    [
        ("make test", Act.COPY),
        ("src/db/pool.py", Act.COPY),
        ("/srv/app/pool.py", Act.OPEN),
        ("~/notes.md", Act.OPEN),
        ("C:\\app\\pool.py", Act.OPEN),
        ("/usr/bin/env python", Act.COPY),
        ("javascript:alert(1)", Act.COPY),
        ("file:///etc/passwd", Act.COPY),
        ("https://example.com/x", Act.COPY),
    ],
)
def test_inline_code_is_a_link(code: str, act: Act) -> None:
    assert links(read(narrative=f"see `{code}`")) == [Link(act, code)]


def test_a_block_of_code_is_copied_whole_and_files_are_opened() -> None:
    lines = read(narrative="```sh\nmake\n\nmake test\n```", files_modified=["a b.py"])

    assert links(lines) == [Link(Act.COPY, "make\n\nmake test"), Link(Act.OPEN, "a b.py")]
    assert texts(lines, Shape.CODE) == ["make", "", "make test"]


def test_marks_of_another_text_do_no_harm() -> None:
    memory = record({"narrative": "short"}, marks={"narrative": [[(2, 90), (95, 99)]], "x": [[]]})

    assert hits(list(lines_of(memory))) == ["ort"]
