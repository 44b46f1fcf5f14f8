"""The whole search over a real store: what is found, in which order, and what is said of it."""

import datetime as dt
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.fakes import FakeEmbedder
from tests.index.records import HOUR, MARCH
from tests.index.running import until
from tests.search.conftest import SENSES, Searching, few_examples, remember
from tests.store.rows import plain
from worker.shared.contract import BatchRequest, PartState, TimelineRequest
from worker.shared.errors import BadRequestError, NotFoundError
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


@pytest.fixture
def live(searching: Searching) -> Searching:
    """A search over an empty store, for tests that write; not started yet."""
    return searching


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


def test_a_query_without_words_is_looked_for_as_it_stands(live: Searching) -> None:
    live.remember(title="why is it", narrative="a ->> b")
    live.remember(title="100 %", narrative="of it")
    live.start()

    assert live.hits("->>") == ["#1"]
    assert live.hits("%") == ["#2"]
    for query in ("***", '"', "_ _"):
        reply = live.search(query)
        assert (reply.items, reply.outcome) == ([], "none")
        assert "no searchable words" in reply.notes[0]


# ---------------------------------------------------------------------- what comes first
def test_a_rare_token_among_many_rows_comes_first(live: Searching) -> None:
    with plain(live.store.path) as db:
        for i in range(500):
            rare = "see E1234-XQ" if i == 250 else "see E9999"
            remember(db, title=f"error {i} in the pool", narrative=f"{rare} and E1234 or XQ")
    live.start()

    for query in ("E1234-XQ", "error E1234-XQ in the pool", "e1234-xq", '"E1234-XQ"'):
        assert live.hits(query)[0] == "#251"


def test_an_exact_old_row_comes_before_new_vague_ones(live: Searching) -> None:
    live.remember(title="phobos", narrative="the moon", created_at_epoch=MARCH)
    for i in range(50):
        live.remember(title=f"moons {i}", narrative="phobos " if i == 7 else "of mars " * 30)
    live.start()

    assert live.hits("phobos moon")[0] == "#1"


def test_rows_are_found_by_meaning_alone(live: Searching) -> None:
    live.remember(title="automobile repair")
    live.remember(title="garden work")
    live.start()

    (item,) = live.search("car").items

    assert (item.ref, item.leg) == ("#1", "meaning")
    assert live.hits("zxqv plugh") == []


def test_a_project_is_kept_apart_in_both_legs(live: Searching) -> None:
    live.remember(title="automobile repair", project="a")
    live.remember(title="automobile wash", project="b")
    live.remember(title="a car", project="a")
    live.remember(title="the car", project="b")
    live.start()

    assert set(live.hits("car", project="a")) == {"#1", "#3"}
    assert set(live.hits("car", project="b")) == {"#2", "#4"}
    assert len(live.hits("car")) == 4


def test_what_must_or_must_not_be_there_holds_for_meaning_too(live: Searching) -> None:
    live.remember(title="automobile repair")
    live.remember(title="car repair")
    live.remember(title="car wash")
    live.start()

    assert live.hits("car AND repair") == ["#2"]
    assert live.hits("car -repair") == ["#3"]
    assert live.hits('"car wash"') == ["#3"]


def test_all_the_nearest_by_meaning_are_in_the_order_by_date(live: Searching) -> None:
    with plain(live.store.path) as db:
        for i in range(30):
            word = "car" if i % 2 else "automobile"
            remember(db, title=f"{word} {i}", created_at_epoch=MARCH - i * HOUR)
    live.start()

    assert live.hits("car", limit=5, orderBy="date_desc") == ["#1", "#2", "#3", "#4", "#5"]
    assert live.search("car").total == 30


def test_short_words_without_blanks_around_them_are_found(live: Searching) -> None:
    live.remember(title="步2 重跑gen-itgc后50条悬空引用清零")
    live.remember(title="空的数组")
    live.remember(title="参数太多", narrative="计数")
    live.remember(title="データベースの接続")
    live.remember(title="데이터베이스 연결")
    live.start()

    for query, expected in [
        ("悬空", {"#1"}),
        ("引用", {"#1"}),
        ("空", {"#1", "#2"}),
        ("数", {"#2", "#3"}),
        ("データ", {"#4"}),
        ("연결", {"#5"}),
        ("步2", {"#1"}),
    ]:
        assert set(live.hits(query)) == expected, query


def test_a_prefix_finds_all_words_that_begin_so(live: Searching) -> None:
    for title in ("migrations", "migrated", "migrant birds", "emigrate"):
        live.remember(title=title)
    live.start()

    assert set(live.hits("migrat*")) == {"#1", "#2"}
    assert set(live.hits("migr*")) == {"#1", "#2", "#3"}


# ---------------------------------------------------------------------- dates
@pytest.fixture
def kolkata(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A zone whose midnight is no whole hour of UTC."""
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("kolkata")
def test_dates_are_whole_local_days_and_inclusive(live: Searching) -> None:
    day = [int(dt.datetime(2026, 3, d).astimezone().timestamp() * 1000) for d in (10, 11, 12)]
    for epoch in (day[0] - 1, day[0], day[1] - 1, day[1], day[2] - 1, day[2]):
        live.remember(title="pool of the day", created_at_epoch=epoch)
    live.start()

    for query in ("pool", "", "pool AND day"):
        for start, end, expected in [
            ("2026-03-10", "2026-03-10", "#2 #3"),
            ("2026-03-10", "2026-03-11", "#2 #3 #4 #5"),
            ("2026-03-12", None, "#6"),
            (None, "2026-03-09", "#1"),
            ("2026-03", "2026-03", "#1 #2 #3 #4 #5 #6"),
            ("2026-03-11T00:00", "2026-03-11T23:59:59.998+05:30", "#4"),
            ("2026-03-12", "2026-03-10", ""),
        ]:
            refs = live.hits(query, dateStart=start, dateEnd=end)
            assert sorted(refs) == expected.split(), (query, start, end)


def test_memories_of_all_ages_are_found_without_a_range(live: Searching) -> None:
    now = int(time.time() * 1000)
    for days in (1, 100, 400, 4_000):
        live.remember(title="pool", created_at_epoch=now - days * 24 * HOUR)
    live.start()

    assert len(live.hits("pool")) == len(live.hits()) == 4


# ---------------------------------------------------------------------- parts that are missing
def test_while_the_index_is_built_rows_are_searched_one_by_one(live: Searching) -> None:
    live.remember(title="The pool", type="bugfix", project="a")
    live.remember(title="The POOL and a timeout", concepts=["gotcha"], project="b")
    live.remember("user_prompts", prompt_text="连接池 [100%]")

    reply = live.search("pool")
    assert [item.ref for item in reply.items] == ["#2", "#1"]
    assert [why.part for why in reply.degraded] == ["keyword"]
    assert "being built" in reply.degraded[0].reason
    assert reply.outcome == "hits"
    assert live.hits("pool -timeout") == ["#1"]
    assert live.hits("title:pool AND title:timeout") == ["#2"]
    assert live.hits('"a timeout"') == ["#2"]
    assert live.hits("timeo*") == ["#2"]
    assert live.hits("接池") == ["#P1"]
    assert live.hits("100%") == ["#P1"]
    assert live.hits("timeout zxqv") == ["#2"]  # none has both: the longest word decides
    assert live.hits("pool", project="a") == ["#1"]
    assert live.hits("pool", type="prompts") == []
    assert live.hits("pool", concepts="gotcha") == ["#2"]
    assert live.hits("pool", limit=1, offset=1) == ["#1"]
    assert live.hits("*") == []


def test_while_the_index_is_built_the_newest_can_be_listed(live: Searching) -> None:
    for hour in range(5):
        live.remember(title="pool", created_at_epoch=MARCH + hour * HOUR, type="bugfix")

    assert live.hits(limit=2) == ["#5", "#4"]
    assert live.hits(limit=2, offset=2, orderBy="date_asc") == ["#3", "#4"]
    assert live.search().total == 5
    reply = live.search(type="bugfx")
    assert (reply.total, reply.outcome) == (0, "none")
    assert "bugfix" in reply.notes[0]


def test_what_is_indexed_already_is_found_before_its_vector_is_made(live: Searching) -> None:
    live.remember(title="the pool")
    live.embedder.load = lambda: None  # type: ignore[method-assign]  # never ready
    live.sync.start()
    until(lambda: live.report("keyword").state is PartState.OK)

    reply = live.search("pool")

    assert [item.ref for item in reply.items] == ["#1"]
    assert reply.items[0].leg == "keyword"
    assert [(why.part, why.reason) for why in reply.degraded] == [("model", "not loaded")]


def garbage(content: bytes) -> bytes:
    return b"\xa5" * len(content)


def emptied(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("damage", [garbage, emptied])
def test_a_damaged_index_is_told_and_healed_and_rows_are_found_all_the_while(
    live: Searching, damage: Callable[[bytes], bytes]
) -> None:
    with plain(live.store.path) as db:
        for i in range(300):
            remember(db, title=f"pool number{i}", narrative="of many words " * 20)
    live.start()
    for suffix in ("", "-wal"):
        file = live.keyword.path.with_name(live.keyword.path.name + suffix)
        file.write_bytes(damage(file.read_bytes()))

    query = '"pool number123"'  # a phrase: single words may still be in memory
    reply = live.search(query)
    assert [why.part for why in reply.degraded] == ["keyword"]
    assert reply.outcome == "hits"

    def healed() -> bool:
        reply = live.search(query)
        assert [item.ref for item in reply.items] == ["#124"]
        return not reply.degraded

    until(healed)
    assert live.search("pool").total == 300


def test_a_row_that_was_deleted_a_moment_ago_is_not_shown(live: Searching) -> None:
    live.remember(title="pool one")
    live.remember(title="pool two")
    live.start()
    live.sync.stop()  # it has not seen it yet
    with plain(live.store.path) as db:
        db.execute("DELETE FROM observations WHERE id = 1")

    assert [item.ref for item in live.search("pool", format="json").items] == ["#2"]


def test_a_part_that_fails_while_it_serves_is_named(live: Searching) -> None:
    live.remember(title="pool")
    live.start()
    live.sync.stop()  # which would open it again
    live.kept.close()

    reply = live.search("pool")

    assert [item.ref for item in reply.items] == ["#1"]
    assert {why.part for why in reply.degraded} == {"vectors"}


# ---------------------------------------------------------------------- the next layers
def timeline(worker: Searching, **asked: object) -> list[str]:
    request = TimelineRequest.model_validate(asked)
    return [item.ref for item in worker.service.timeline(request).items]


def test_a_timeline_is_found_by_anchor_or_query_and_stays_in_the_project(live: Searching) -> None:
    for i in range(6):
        live.remember(title=f"event{i}", project="ab"[i % 2], created_at_epoch=MARCH + i * HOUR)
    live.start()

    assert timeline(live, anchor="#3", depth_before=1, depth_after=1) == ["#1", "#3", "#5"]
    assert timeline(live, query="event2", depth_before=0, depth_after=1) == ["#3", "#5"]
    assert timeline(live, anchor=3, project="*", depth_before=1, depth_after=1) == [
        "#2",
        "#3",
        "#4",
    ]
    assert timeline(live, query="event2 OR event3", project="b", depth_before=0) == ["#4", "#6"]
    deep = live.service.timeline(TimelineRequest(anchor="3", depth_before=900))
    assert "reduced to 50" in deep.notes[0]
    with pytest.raises(BadRequestError, match="anchor"):
        timeline(live)
    with pytest.raises(NotFoundError, match="zxqv"):
        timeline(live, query="zxqv")
    with pytest.raises(NotFoundError, match="#1 to #6"):
        timeline(live, anchor=77)


def test_details_come_in_the_order_asked_for_and_name_what_is_missing(live: Searching) -> None:
    for i in range(3):
        live.remember(title=f"event{i}", project="ab"[i % 2], created_at_epoch=MARCH - i * HOUR)
    live.remember("user_prompts", prompt_text="why")

    def ids(**asked: object) -> list[str]:
        reply = live.service.details(BatchRequest.model_validate(asked))
        return [item.ref for item in reply.items]

    assert ids(ids='[3, 1, "P1", 9]') == ["#3", "#1", "#P1"]
    assert ids(ids=[3, 1, 2], orderBy="date_desc") == ["#1", "#2", "#3"]
    assert ids(ids=[3, 1, 2], orderBy="date_asc", limit=2) == ["#3", "#2"]
    assert ids(ids=[3, 1, 2], project="b") == ["#2"]
    reply = live.service.details(BatchRequest.model_validate({"ids": [1, "S4"], "project": "b"}))
    assert reply.not_found == ["#S4"]
    assert reply.notes == [
        "Of another project than b, left out: #1.",
        "There are observations #1 to #3, prompts #P1 to #P1.",
    ]
    many = live.service.details(BatchRequest.model_validate({"ids": list(range(1, 300))}))
    assert "first 200 of 299" in many.notes[0]


def test_a_single_record_that_is_missing_says_which_there_are(live: Searching) -> None:
    with pytest.raises(NotFoundError, match="empty so far"):
        live.service.record(Ref(Kind.SESSION, 3))
    live.remember(title="pool")

    assert live.service.record(Ref(Kind.OBSERVATION, 1)).title == "pool"
    with pytest.raises(NotFoundError, match=r"no session #S3\. There are observations #1 to #1"):
        live.service.record(Ref(Kind.SESSION, 3))
