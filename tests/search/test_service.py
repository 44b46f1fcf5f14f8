"""The whole search over many rows of all kinds: exactly what matches, in every mode."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.fakes import FakeEmbedder
from tests.index.records import HOUR, MARCH
from tests.search.conftest import SENSES, Searching, few_examples, remember
from tests.store.rows import plain
from worker.shared.refs import Kind, Ref


# ---------------------------------------------------------------------- a store of all kinds
@dataclass(frozen=True)
class Known:
    """What a test knows of a row, to compute by hand what must be found."""

    ref: str
    kind: Kind
    text: str
    project: str
    merged: str | None
    type: str
    concepts: tuple[str, ...]
    files: tuple[str, ...]
    epoch: int


TABLES = {
    Kind.OBSERVATION: "observations",
    Kind.SESSION: "session_summaries",
    Kind.PROMPT: "user_prompts",
}
ROWS = 640
PROJECTS = ("alpha", "beta", "gamma")
TYPES = ("bugfix", "decision", "discovery")
CONCEPTS = ("gotcha", "how-it-works", "pattern")
FILES = ("src/db/lock.py", "src/web/app.py", "docs/README.md")


def written(db: sqlite3.Connection, number: int) -> Known:
    """Write one row out of many: every second says pool, every fifth retry."""
    words = [f"event{number}", *(["pool"] * (number % 2 == 0)), *(["retry"] * (number % 5 == 0))]
    text = " ".join(words)
    project = PROJECTS[number % 3 if number % 7 else 0]
    epoch = MARCH + (number * 37 % 500) * HOUR  # ids do not run in time order
    rest: dict[str, object] = {"created_at_epoch": epoch}
    kind = Kind.OBSERVATION
    merged, type_ = None, "prompt"
    concepts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    if number % 10 == 8:
        kind, type_ = Kind.SESSION, "session"
        rest |= {"request": text, "project": project}
    elif number % 10 == 9:
        kind, project = Kind.PROMPT, "alpha"
        rest |= {"prompt_text": text, "content_session_id": "of-alpha"}
    else:
        merged = "gamma" if number % 11 == 0 else None
        type_ = TYPES[number % 4 % 3]
        concepts = (CONCEPTS[number % 3],)
        files = (FILES[number % 3],)
        rest |= {"title": text, "project": project, "merged_into_project": merged}
        rest |= {"type": type_, "concepts": list(concepts), "files_modified": list(files)}
    id_ = remember(db, TABLES[kind], **rest)
    return Known(str(Ref(kind, id_)), kind, text, project, merged, type_, concepts, files, epoch)


@dataclass
class Library:
    """A search over many rows, and what is known of each."""

    searching: Searching
    rows: list[Known]

    def where(self, passes: Callable[[Known], bool]) -> set[str]:
        return {row.ref for row in self.rows if passes(row)}

    def with_word(self, word: str) -> set[str]:
        return self.where(lambda row: word in row.text.split())

    def by_date(self, refs: set[str]) -> list[str]:
        """Return these rows, the newest first."""
        order = {kind: place for place, kind in enumerate(Kind)}
        rows = [row for row in self.rows if row.ref in refs]
        rows.sort(key=lambda row: (row.epoch, number(row.ref), order[row.kind]), reverse=True)
        return [row.ref for row in rows]


def number(ref: str) -> int:
    return int(ref.lstrip("#SP"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    worker = Searching(tmp_path_factory.mktemp("library"), FakeEmbedder(SENSES))
    with plain(worker.store.path) as db:
        remember(db, "sdk_sessions", content_session_id="of-alpha", project="alpha")
        rows = [written(db, number) for number in range(ROWS)]
    yield Library(worker.start(), rows)
    worker.stop()


# ---------------------------------------------------------------------- the match set
@pytest.mark.parametrize("order", ["relevance", "date_desc", "date_asc"])
@pytest.mark.parametrize("limit", [7, 100])
def test_pages_hold_every_match_once_to_the_last_page(
    library: Library, order: str, limit: int
) -> None:
    expected = library.with_word("pool")
    assert len(expected) > 300

    refs = library.searching.pages("pool", limit=limit, orderBy=order)

    assert len(refs) == len(expected)
    assert set(refs) == expected
    assert library.searching.search("pool", orderBy=order).total == len(expected)


@pytest.mark.parametrize("query", ["pool retry", "pool OR retry"])
def test_pages_of_several_words_hold_every_match_once(library: Library, query: str) -> None:
    expected = library.with_word("pool") | library.with_word("retry")

    refs = library.searching.pages(query, limit=50)

    assert len(refs) == len(set(refs)) == len(expected)
    both = library.with_word("pool") & library.with_word("retry")
    assert set(refs[: len(both)]) == both


@pytest.mark.parametrize(
    ("query", "passes"),
    [
        ("pool AND retry", lambda w: {"pool", "retry"} <= w),
        ("pool -retry", lambda w: "pool" in w and "retry" not in w),
        ('"pool retry"', lambda w: {"pool", "retry"} <= w),
        ("event7 OR event8", lambda w: bool({"event7", "event8"} & w)),
        ("event63*", lambda w: any(word.startswith("event63") for word in w)),
        ("title:event7", lambda w: "event7" in w),
        ("zxqv plugh", lambda w: False),
    ],
)
def test_what_is_found_is_what_the_query_means(
    library: Library, query: str, passes: Callable[[set[str]], bool]
) -> None:
    expected = library.where(lambda row: passes(set(row.text.split())))

    assert set(library.searching.pages(query)) == expected
    reply = library.searching.search(query)
    assert reply.total == len(expected)
    assert reply.outcome == ("hits" if expected else "none")
    assert reply.degraded == []


def test_dates_are_exact_over_the_whole_match_set(library: Library) -> None:
    newest_first = library.by_date(library.with_word("pool"))

    assert library.searching.hits("pool", limit=5, orderBy="date_desc") == newest_first[:5]
    assert library.searching.pages("pool", orderBy="date_desc") == newest_first
    assert library.searching.pages("pool", orderBy="date_asc") == newest_first[::-1]


def test_without_a_query_the_newest_come_first(library: Library) -> None:
    newest_first = library.by_date(library.where(lambda row: True))

    assert library.searching.hits() == newest_first[:20]
    assert library.searching.hits("  \n") == newest_first[:20]
    assert library.searching.pages(orderBy="date_asc") == newest_first[::-1]
    assert library.searching.search().total == ROWS


FILTERS: list[tuple[dict[str, str], Callable[[Known], bool]]] = [
    ({"project": "alpha"}, lambda row: "alpha" in (row.project, row.merged)),
    ({"project": "gamma"}, lambda row: "gamma" in (row.project, row.merged)),
    ({"project": "nobody's"}, lambda row: False),
    ({"type": "sessions"}, lambda row: row.kind is Kind.SESSION),
    ({"type": "observations,prompts"}, lambda row: row.kind is not Kind.SESSION),
    ({"type": "bugfix"}, lambda row: row.type == "bugfix"),
    ({"obs_type": "decision,discovery"}, lambda row: row.type in ("decision", "discovery")),
    ({"concepts": "GOTCHA"}, lambda row: "gotcha" in row.concepts),
    ({"concepts": "gotcha,pattern"}, lambda row: bool({"gotcha", "pattern"} & {*row.concepts})),
    ({"projects": "alpha,beta"}, lambda row: bool({"alpha", "beta"} & {row.project, row.merged})),
    (
        {"excludeProjects": "alpha", "excludeTypes": "bugfix,prompts"},
        lambda row: (
            "alpha" not in (row.project, row.merged)
            and row.type != "bugfix"
            and row.kind is not Kind.PROMPT
        ),
    ),
    ({"files": "lock.py"}, lambda row: "src/db/lock.py" in row.files),
    ({"files": "src"}, lambda row: any(file.startswith("src/") for file in row.files)),
    (
        {"project": "beta", "type": "decision", "concepts": "how-it-works"},
        lambda row: row.project == "beta" and row.type == "decision",
    ),
]
MODES: list[tuple[str, str, Callable[[Known], bool]]] = [
    ("", "relevance", lambda row: True),
    ("", "date_asc", lambda row: True),
    ("pool", "relevance", lambda row: "pool" in row.text),
    ("pool", "date_desc", lambda row: "pool" in row.text),
    ("pool AND retry", "relevance", lambda row: "pool retry" in row.text),
    ('"pool retry"', "date_asc", lambda row: "pool retry" in row.text),
    ("event1*", "relevance", lambda row: row.text.startswith("event1")),
]


@pytest.mark.parametrize(("asked", "passes"), FILTERS, ids=[str(f) for f, _ in FILTERS])
def test_a_filter_holds_in_every_mode(
    library: Library, asked: dict[str, str], passes: Callable[[Known], bool]
) -> None:
    let_through = [row for row in library.rows if passes(row)]
    for query, order, matches in MODES:
        expected = {row.ref for row in let_through if matches(row)}

        refs = library.searching.pages(query, orderBy=order, **asked)

        assert (len(refs), set(refs)) == (len(expected), expected), (query, order)
        assert library.searching.search(query, orderBy=order, **asked).total == len(expected)


def test_each_leg_can_be_asked_alone(library: Library) -> None:
    both = library.searching.search("pool", limit=100)
    by_words = library.searching.search("pool", mode="keyword", limit=100)
    by_meaning = library.searching.search("pool", mode="meaning", limit=100)

    assert by_words.total == both.total
    assert {item.leg for item in by_words.items} == {"keyword"}
    assert 0 < by_meaning.total < both.total
    assert {item.leg for item in by_meaning.items} <= {"meaning", "both"}
    assert library.searching.hits("event7", mode="meaning", type="prompts") == []


def test_facets_count_the_whole_match_set(library: Library) -> None:
    reply = library.searching.search("pool", limit=1, format="json", type="observations")

    rows = [r for r in library.rows if "pool" in r.text and r.kind is Kind.OBSERVATION]
    assert reply.facets.kind == {"observation": len(rows)}
    assert reply.facets.type == Counter(row.type for row in rows)
    assert reply.facets.project == Counter(row.project for row in rows)
    assert sum(reply.facets.month.values()) == len(rows) == reply.total


def test_items_tell_what_was_matched_where(library: Library) -> None:
    (item,) = library.searching.search("event33", format="json", limit=1).items

    assert item.title[slice(*item.title_marks[0])] == "event33"
    assert item.leg == "both"
    assert item.score > 0


@few_examples
@given(query=st.text(max_size=40), offset=st.integers(0, 30))
def test_any_text_is_answered(library: Library, query: str, offset: int) -> None:
    reply = library.searching.search(query, offset=offset, limit=3, format="json")

    assert reply.outcome == ("hits" if reply.items else "none")
    assert len(reply.items) <= 3
    assert reply.degraded == []


# ---------------------------------------------------------------------- bounds and odd requests
def test_an_unknown_type_finds_nothing_and_names_the_types(library: Library) -> None:
    for query in ("pool", "", "***"):
        reply = library.searching.search(query, type="bugfx")

        assert (reply.total, reply.items, reply.outcome) == (0, [], "none")
        (note,) = reply.notes
        assert all(name in note for name in ("bugfx", *TYPES, "sessions", "prompts"))


def test_too_high_a_limit_is_lowered_and_the_answer_says_so(library: Library) -> None:
    reply = library.searching.search("pool", limit=5_000)

    assert (len(reply.items), reply.limit) == (100, 100)
    assert "limit was reduced to 100" in reply.notes[0]


def test_a_page_beyond_the_last_is_empty_but_knows_the_total(library: Library) -> None:
    for order in ("relevance", "date_desc"):
        reply = library.searching.search("pool", offset=900_000, orderBy=order)

        assert reply.items == []
        assert reply.total == len(library.with_word("pool"))


def test_nothing_found_while_a_new_memory_waits_says_so(searching: Searching) -> None:
    searching.remember(title="Use a pool")
    searching.start()
    searching.sync.stop()
    assert searching.search("heron").notes == []

    searching.remember(title="A heron in the reeds")

    reply = searching.search("heron")
    assert (reply.outcome, searching.search("pool").notes) == ("none", [])
    assert reply.notes == ["New memories are still being indexed: 1. Ask again in a second."]
