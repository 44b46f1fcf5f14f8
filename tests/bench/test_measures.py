"""What the benchmark reads out of answers, without a worker."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bench import latency, made_up, retrieval, tokens
from tests.bench.api import Answer
from tests.bench.ceiling import by_chance, ceilings
from tests.bench.limits import Limits, Spread, bare_match
from tests.bench.measure import percentile


@pytest.fixture
def memories() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE observations (title, subtitle, narrative, facts)")
        connection.execute("CREATE VIRTUAL TABLE observations_fts USING fts5 (narrative)")
        for text in ("red fox runs", "fox red runs", "blue whale", "修复了缓存失效问题"):
            connection.execute("INSERT INTO observations (narrative) VALUES (?)", (text,))
            connection.execute("INSERT INTO observations_fts VALUES (?)", (text,))
        yield connection


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_percentiles_lie_between_the_extremes(values: list[float]) -> None:
    assert percentile(values, 0) == min(values)
    assert percentile(values, 1) == max(values)
    assert min(values) <= percentile(values, 0.5) <= max(values)


@given(st.text())
def test_the_bare_query_is_always_valid(text: str) -> None:
    match = bare_match(text)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5 (a)")
        if match:
            connection.execute("SELECT 1 FROM t WHERE t MATCH ?", (match,)).fetchall()


def test_a_page_shows_one_of_many_full_matches_by_chance() -> None:
    assert by_chance([1, 20, 40, 200]) == pytest.approx((1 + 1 + 0.5 + 0.1) / 4)


def test_ceilings_count_phrases_words_and_letters_inside_words(
    memories: sqlite3.Connection,
) -> None:
    for _ in range(38):
        memories.execute("INSERT INTO observations_fts VALUES ('red fox runs')")

    def asked(kind: str, query: str, **more: object) -> dict[str, object]:
        return {"kind": kind, "expect": 1, "params": {"query": query, "limit": 20, **more}}

    found = ceilings(
        memories,
        [
            asked("phrase", "fox red"),
            asked("two_word_nonadjacent", "fox red"),
            asked("cjk_substring", "缓存失"),
            asked("single_word", "hal"),
            asked("type_filter", "red", obs_type="bugfix"),
            {"kind": "batch3", "expect": None, "params": {}},
        ],
    )
    words = {"single_word": 1.0, "two_word_nonadjacent": 0.5}
    assert found == {"phrase": 1.0, "cjk_substring": 1.0} | words


def test_the_latency_tables_hold_every_kind_and_what_failed() -> None:
    figures = {"p50": 2.0, "p95": 9.0, "status": {"200": 9, "500": 1}, "expected_found": 0.9}
    one = {"all": figures, "kinds": {"phrase": figures}}
    limits = Limits(fts=Spread(1, 2), scan=Spread(1, 2), health=Spread(1, 2))
    many = {"rps": 300.0, "p95": 40.0, "errors": 0}
    times = latency.time_group(one, many, size=10_000, limits=limits)
    assert [row.ours for row in times.rows] == [2, 9, 2, 9, 300, 40]
    assert [row.limit for row in times.rows[:3]] == [3, 6, None]
    assert times.rows[0].note == "1x 500"
    found = latency.found_group(one["kinds"], {"phrase": 0.8}, size=10_000)  # type: ignore[arg-type]
    assert [(row.ours, row.limit, row.verdict) for row in found.rows] == [(0.9, 0.8, "yes")]


def test_scores_become_percent_and_name_what_spoils_them(tmp_path: Path) -> None:
    scores = {
        "n": 300, "R@10": 0.8412, "MRR@10": 0.66, "p50_ms": 3.1,
        "order_source": {"items": 299, "text": 1}, "judgements_not_loaded": 0,
    }  # fmt: skip
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(scores), encoding="utf-8")
    rows = retrieval.score_rows(retrieval.TRIALS[0], retrieval.read_scores(path))
    assert [(r.name, r.ours, r.verdict) for r in rows] == [
        ("scifact, R@10", 84.1, "yes"),
        ("scifact, MRR@10", 66.0, "yes"),
    ]
    assert rows[0].note.endswith("1 answers by text")


def test_every_trial_has_figures_to_reach() -> None:
    names = [trial.name for trial in retrieval.TRIALS]
    assert names == ["scifact", "xquad_zh", "xquad_zh on xquad_en", "devbench"]
    scores = {
        "n": 1, "R@10": 1.0, "MRR@10": 1.0, "p50_ms": 1, "order_source": {},
        "judgements_not_loaded": 0,
    }  # fmt: skip
    assert all(row.bound for t in retrieval.TRIALS for row in retrieval.score_rows(t, scores))


def test_index_rows_are_told_from_heads_and_prose() -> None:
    page = "2 of 2\n| ID | Title |\n|---|---|\n| #12 | Fixes #7 |\n| #S3 | x |\n#P7 | y\nsee #9"
    assert list(tokens.index_rows(page)) == ["12", "S3", "P7"]


def test_a_title_counts_as_whole_when_its_first_eighty_characters_are_there() -> None:
    long = "a|b " + "word " * 30
    assert tokens.has_title("| #1 | a\\|b " + "word " * 16 + "|", long)
    assert not tokens.has_title("| #1 | a\\|b word word |", long)


def test_a_missing_word_is_seen_also_when_it_occurs_elsewhere() -> None:
    stored = {"title": "The pool", "narrative": "The pool leaks."}
    assert tokens.has_every_word("# The pool\nThe pool leaks.", stored)
    assert not tokens.has_every_word("# The pool\n leaks.", stored)


def test_content_is_read_without_empty_columns_and_brackets() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE TABLE observations (id, title, subtitle, narrative, facts, concepts,"
            " files_read, files_modified)"
        )
        values = (1, "T", "", None, '["a","b"]', "[]", '["x.py"]', None)
        connection.execute("INSERT INTO observations VALUES (?,?,?,?,?,?,?,?)", values)
        assert tokens.read_stored(connection, 1) == {
            "title": "T", "facts": "a\nb", "files_read": "x.py",
        }  # fmt: skip


def test_tokens_are_counted_as_the_encoding_has_them() -> None:
    assert tokens.count("hello world") == 2


def test_random_letters_are_one_to_three_words_of_four_to_nine() -> None:
    chance = random.Random(1)
    for _ in range(200):
        words = made_up.random_letters(chance).split()
        assert 1 <= len(words) <= 3
        assert all(4 <= len(word) <= 9 for word in words)


def test_made_up_queries_hold_no_word_that_occurs_and_are_the_same_each_time() -> None:
    text = "a giraffe met a 茶壶"
    asked = made_up.queries(lambda word: word in text)
    assert asked == made_up.queries(lambda word: word in text)
    assert len(asked) == 100
    assert not {"giraffe", "茶壶"} & {word for query in asked for word in query.split()}
    assert any(not query.isascii() for query in asked)


def test_a_word_list_that_all_occurs_is_refused() -> None:
    with pytest.raises(RuntimeError, match="add words"):
        made_up.queries(lambda word: word != "giraffe")


@pytest.mark.parametrize(
    ("reply", "status", "none"),
    [
        ({"outcome": "none", "total": 0}, 200, True),
        ({"outcome": "hits", "total": 3}, 200, False),
        ({"outcome": "none", "total": 0}, 503, False),
    ],
)
def test_only_a_good_answer_counts_as_none(
    reply: dict[str, object], status: int, *, none: bool
) -> None:
    assert made_up.is_none(Answer(status, json.dumps(reply).encode())) is none
