"""The keyword leg: what matches a query, and what comes first."""

import itertools
import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.index.records import observation, prompt, session
from tests.search.conftest import few_examples, put
from worker.index.catalog import K1, Mask
from worker.index.keys import to_ref
from worker.index.keyword import KeywordIndex
from worker.index.keyword_rows import TABLES, quote
from worker.search.keyword_leg import KIND_WEIGHT, idf, match
from worker.search.query import parse
from worker.shared.refs import Kind


def scores(index: KeywordIndex, text: str, allowed: Mask | None = None) -> dict[str, float]:
    """Return what matches, best first, with its score."""
    lines = index.catalog.snapshot
    found = match(index, lines, parse(text), lines.alive if allowed is None else allowed)
    refs = {
        str(to_ref(int(lines.keys[o]))): float(found.score[o]) for o in found.matched.nonzero()[0]
    }
    return dict(sorted(refs.items(), key=lambda pair: -pair[1]))


def hits(index: KeywordIndex, text: str) -> list[str]:
    return list(scores(index, text))


# ---------------------------------------------------------------------- BM25
VOCABULARY = ["pool", "retry", "cache", "queue", "login", "invoice", "zebra"]


def made_up(count: int) -> list[str]:
    """Return texts of very different lengths in which words occur very differently often."""
    chance = random.Random(7)
    weights = [2.0**-i for i in range(len(VOCABULARY))]
    return [
        " ".join(chance.choices(VOCABULARY, weights, k=chance.randint(1, 60))) for _ in range(count)
    ]


def own_bm25(index: KeywordIndex, kind: Kind, term: str) -> dict[str, float]:
    """Return FTS5's own bm25 of one term, turned so that more is better."""
    table = TABLES[kind]
    sql = f"SELECT rowid, -bm25({table}) FROM {table} WHERE {table} MATCH ?"
    prefix = {Kind.OBSERVATION: "#", Kind.PROMPT: "#P", Kind.SESSION: "#S"}[kind]
    with closing(sqlite3.connect(index.path)) as db:
        return {f"{prefix}{id_}": score for id_, score in db.execute(sql, (quote(term),))}


@pytest.mark.parametrize("kind", [Kind.OBSERVATION, Kind.PROMPT])
def test_a_words_score_is_in_proportion_to_the_bm25_of_fts5(
    index: KeywordIndex, kind: Kind
) -> None:
    texts = made_up(200)
    if kind is Kind.PROMPT:
        put(index, *(prompt(i, text) for i, text in enumerate(texts)))
    else:
        put(index, *(observation(i, facts=[text]) for i, text in enumerate(texts)))

    for word, term in [("invoice", "invoic"), ("zebra", "zebra"), ("queue", "queue")]:
        ours, theirs = scores(index, word), own_bm25(index, kind, term)
        assert ours.keys() == theirs.keys()
        ratios = [ours[ref] / theirs[ref] for ref in ours]
        assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-3)
        assert list(ours)[:10] == sorted(theirs, key=lambda ref: -theirs[ref])[:10]


def test_the_score_of_several_words_is_their_share_of_the_best_possible(
    index: KeywordIndex,
) -> None:
    put(index, *(prompt(i, text) for i, text in enumerate(made_up(100))))
    lines = index.catalog.snapshot
    alone = {word: scores(index, word) for word in ("login", "zebra")}

    together = scores(index, "login zebra")

    weights = {word: idf(lines, len(found)) for word, found in alone.items()}
    either = alone["login"].keys() ^ alone["zebra"].keys()
    assert either
    for ref in either:
        parts = [weights[word] * found.get(ref, 0.0) for word, found in alone.items()]
        assert together[ref] == pytest.approx(sum(parts) / sum(weights.values()), rel=1e-4)


def test_the_most_that_one_word_can_reach_is_one(index: KeywordIndex) -> None:
    put(index, observation(1, " ".join(["zebra"] * 500)), observation(2, "pool " * 9))

    assert 0.95 < scores(index, "zebra")["#1"] < 1.0
    assert K1 > 0


# ---------------------------------------------------------------------- what comes first
def test_rows_with_all_words_come_before_rows_with_some(index: KeywordIndex) -> None:
    put(
        index,
        observation(1, narrative="zebra zebra zebra"),
        observation(2, narrative=f"pool {'filler ' * 12} zebra"),
        observation(3, narrative="pool pool pool"),
        *(observation(i, narrative=f"nothing of it {i}") for i in range(4, 9)),
    )

    assert hits(index, "zebra pool")[0] == "#2"


def test_the_row_that_names_the_file_comes_before_rows_with_its_words(
    index: KeywordIndex,
) -> None:
    put(
        index,
        observation(1, "pool pool", narrative="src db py pool"),
        observation(2, "of many things", files_modified=["a.py", "src/db/pool.py", "c.py"]),
    )

    for path in ("src/db/pool.py", "db/pool.py", "pool.py"):
        assert hits(index, path)[0] == "#2"


def test_words_near_each_other_come_before_words_far_apart(index: KeywordIndex) -> None:
    far, near = f"pool {'filler ' * 40} zebra", f"pool filler zebra {'filler ' * 39}"
    put(index, observation(1, narrative=near), observation(2, narrative=far))

    assert hits(index, "zebra pool") == ["#1", "#2"]
    assert hits(index, "pool zebra") == ["#1", "#2"]


def test_a_row_that_holds_the_query_as_it_stands_comes_first(index: KeywordIndex) -> None:
    put(
        index,
        observation(1, "exhausted pool connection", narrative="connection pool " * 10),
        observation(
            2, "a very long story", narrative=f"{'filler ' * 80} connection pool exhausted"
        ),
        prompt(3, "the connection pool exhausted"),
    )

    assert hits(index, "connection pool exhausted") == ["#2", "#P3", "#1"]


def test_words_in_the_order_typed_come_before_the_same_words_turned_round(
    index: KeywordIndex,
) -> None:
    put(
        index,
        observation(1, facts=["the pool fills the zebra"]),
        observation(2, facts=["the zebra fills the pool"]),
    )

    assert hits(index, "pool zebra") == ["#1", "#2"]
    assert hits(index, "zebra pool") == ["#2", "#1"]


@pytest.mark.parametrize("text", ["connection pool", "connection to the pool", "zebraStripes"])
def test_what_the_text_begins_with_comes_before_what_it_ends_with(
    index: KeywordIndex, text: str
) -> None:
    filler = "filler " * 30
    put(
        index,
        observation(1, narrative=f"The {text} {filler}"),
        observation(2, narrative=f"{filler} the {text}"),
        observation(3, narrative=f"{filler} filler", facts=[text]),
    )

    assert hits(index, text) == ["#1", "#2", "#3"]


def test_beside_a_lone_word_a_stop_word_tells_which_row_is_meant(index: KeywordIndex) -> None:
    put(
        index,
        observation(1, facts=["pool without the slightest retry"]),
        observation(2, facts=["pool with the slightest retry"]),
        observation(3, facts=["retry without the slightest pool"]),
    )

    assert hits(index, "without retry") == ["#1", "#3", "#2"]
    assert len(hits(index, "without")) == 2


def test_the_words_of_a_name_in_a_row_are_as_typed_too(index: KeywordIndex) -> None:
    put(index, observation(1, "auth token expired"), observation(2, "expired auth of a token"))

    assert hits(index, "auth_token expired") == ["#1", "#2"]


def test_a_piece_of_a_name_finds_it_where_no_row_holds_the_piece_as_a_word(
    index: KeywordIndex,
) -> None:
    put(
        index,
        observation(1, "the handshake of a ParseCacheService"),
        observation(2, "a milkshakery that was handled"),
        observation(3, "of something else"),
    )

    assert hits(index, "arseCacheService") == ["#1"]
    assert hits(index, "shake") == ["#1", "#2"], "of the shorter word it is more"
    assert hits(index, "shake ParseCacheService") == ["#1", "#2"]
    assert hits(index, "and") == hits(index, "zxqv") == []
    assert hits(index, "shake AND handshake") == hits(index, '"shake"') == []
    put(index, observation(4, "shake it"))
    assert hits(index, "shake") == ["#4"]


def test_an_unknown_word_of_a_long_question_is_no_piece_of_a_name(index: KeywordIndex) -> None:
    put(index, observation(1, "metadata"), observation(2, "loss in production yesterday"))

    assert hits(index, "what data loss happened in production") == ["#2"]


def test_a_word_in_the_title_counts_more_than_one_in_the_text(index: KeywordIndex) -> None:
    put(
        index,
        observation(1, "zebra crossing", narrative="of a street"),
        observation(2, "street crossing", narrative="of a zebra"),
    )

    assert hits(index, "zebra") == ["#1", "#2"]


def test_of_the_same_text_the_work_done_comes_before_the_prompt(index: KeywordIndex) -> None:
    put(index, prompt(1, "zebra crossing"), observation(1, narrative="zebra crossing"))

    assert hits(index, "zebra") == ["#1", "#P1"]
    assert KIND_WEIGHT[Kind.OBSERVATION] > KIND_WEIGHT[Kind.SESSION] > KIND_WEIGHT[Kind.PROMPT]


def test_chinese_words_that_stand_together_come_first(index: KeywordIndex) -> None:
    put(
        index,
        observation(1, "连接数据库的线程池"),
        observation(2, "数据库连接池耗尽"),
        observation(3, "池"),
    )

    assert hits(index, "连接池") == ["#2", "#1"]
    assert set(hits(index, "池")) == {"#1", "#2", "#3"}


# ---------------------------------------------------------------------- what matches
def test_a_very_common_word_does_not_widen_a_search(index: KeywordIndex) -> None:
    put(index, *(observation(i, f"error filler{i}") for i in range(50)), observation(99, "zebra"))

    assert hits(index, "error zebra") == ["#99"]
    assert len(hits(index, "error")) == 50
    assert len(hits(index, "error nowhere")) == 50


def test_a_common_word_still_decides_the_order(index: KeywordIndex) -> None:
    put(
        index,
        *(observation(i, f"error filler{i}") for i in range(50)),
        observation(98, "zebra crossing"),
        observation(99, "zebra error"),
    )

    assert hits(index, "error zebra") == ["#99", "#98"]


ROWS = [
    observation(1, "connection pool exhausted", facts=["retry helps"], concepts=["gotcha"]),
    observation(2, "retry with backoff", narrative="the pool of connections"),
    observation(3, "migrations of the cache", files_modified=["src/db/pool.py"]),
    session(4, "pool", learned="migration failed"),
    prompt(5, "retry the migration"),
    observation(6, "get_user_by_id returns nothing", narrative="C++ and 🎉"),
]


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeywordIndex]:
    """An index over ROWS, for reading only."""
    opened = KeywordIndex(tmp_path_factory.mktemp("some") / "keyword.db")
    opened.open()
    put(opened, *ROWS)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pool AND retry", "#1 #2"),
        ("pool AND retry AND backoff", "#2"),
        ("retry -backoff", "#1 #P5"),
        ("retry NOT pool", "#P5"),
        ('"connection pool"', "#1"),
        ('"pool connection"', ""),
        ('"the pool of connections"', "#2"),
        ("exhausted OR cache", "#1 #3"),
        ("exhausted AND pool OR cache", "#1 #3"),
        ("title:retry", "#2"),
        ("title:pool", "#1"),
        ("-title:retry retry", "#1 #P5"),
        ("request:pool", "#S4"),
        ("prompt:retry", "#P5"),
        ("fact:retry", "#1"),
        ("concept:gotcha", "#1"),
        ("file:pool.py", "#3"),
        ("file:nothing", ""),
        ("migrat*", "#3 #S4 #P5"),
        ("migrati*", "#3 #S4 #P5"),
        ("migrations*", "#3 #S4 #P5"),
        ("exh* AND po*", "#1"),
        ("src/db/po*", "#3"),
        ("getUserById", "#6"),
        ("C++", "#6"),
        ("🎉", "#6"),
        ("zxqv plugh", ""),
    ],
)
def test_what_a_query_finds(some: KeywordIndex, text: str, expected: str) -> None:
    assert sorted(hits(some, text)) == sorted(expected.split())


@pytest.mark.parametrize("text", ["pool -timeout", "pool NOT timeout", '"the pool" -timeout'])
def test_what_is_excluded_is_excluded_from_rows_that_hold_the_query_too(
    index: KeywordIndex, text: str
) -> None:
    put(index, observation(1, "the pool timeout"), observation(2, "the pool not timeout"))
    put(index, observation(3, "the pool"))

    assert hits(index, text) == ["#3"]


def test_rows_that_hold_the_text_of_a_strict_query_are_found(index: KeywordIndex) -> None:
    """What was pasted is found, though it reads as a query."""
    put(index, observation(1, 'set title:"a b" AND go'), observation(2, "a b"))

    assert hits(index, 'title:"a b" AND go') == ["#1"]


WORDS = ("ab", "cd", "ef")
TERMS = st.sampled_from(WORDS)


@few_examples
@given(
    texts=st.lists(st.lists(TERMS, max_size=4).map(" ".join), max_size=6),
    required=st.lists(TERMS, min_size=2, max_size=3),
    excluded=st.lists(TERMS, max_size=2),
)
def test_and_and_not_are_what_they_say(
    reused: KeywordIndex, texts: list[str], required: list[str], excluded: list[str]
) -> None:
    reused.remove(list(reused.fingerprints()))
    put(reused, *(prompt(i, text) for i, text in enumerate(texts)))

    found = hits(reused, " AND ".join(required) + "".join(f" -{word}" for word in excluded))

    def passes(words: Sequence[str]) -> bool:
        return set(required) <= set(words) and not set(excluded) & set(words)

    assert set(found) == {f"#P{i}" for i, text in enumerate(texts) if passes(text.split())}


# ---------------------------------------------------------------------- among which lines
def test_only_allowed_and_living_lines_match(index: KeywordIndex) -> None:
    put(index, *(observation(i, "zebra pool") for i in range(1, 5)))
    lines = index.catalog.snapshot
    index.remove([4 << 2])
    allowed = index.catalog.snapshot.alive.copy()
    allowed[lines.keys == 1 << 2] = False

    for text in ("zebra", "zebra AND pool", '"zebra pool"', "zeb*", "zebra pool"):
        assert set(scores(index, text, allowed)) == {"#2", "#3"}


def test_what_is_written_after_the_snapshot_changes_nothing_in_it(index: KeywordIndex) -> None:
    put(index, observation(1, "zebra pool"), observation(2, "zebra"))
    lines = index.catalog.snapshot
    query = parse("zebra pool")
    before = match(index, lines, query, lines.alive)

    put(index, *(observation(i, "zebra pool") for i in range(3, 30)))
    after = match(index, lines, query, lines.alive)

    assert after.matched.tolist() == before.matched.tolist() == [True, True]
    assert np.allclose(after.score, before.score)


def test_any_mix_of_all_that_a_query_can_hold_is_answered(some: KeywordIndex) -> None:
    """The expressions that FTS5 is given are never malformed."""
    parts = ['"a pool"', "title:pool", "-retry", "AND", "OR", "po*", "池", "C++ 🎉"]

    for mix in itertools.permutations(parts, 3):
        scores(some, " ".join(mix))
    scores(some, " OR ".join(f'"word{i} pool"' for i in range(300)))
    scores(some, " AND ".join(f"word{i}" for i in range(300)))
    scores(some, '"' + "pool " * 700 + '"')
