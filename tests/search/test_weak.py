"""Hits that are marked weak, and that no hit hangs on another memory."""

import numpy as np
import pytest

from tests.search.conftest import Searching
from tests.store.rows import plain
from worker.search.meaning_leg import Meaning
from worker.search.render import search_page
from worker.search.weak import COSINE, COSINE_SENTENCE, SCORE, weak
from worker.shared.contract import SearchRequest


def is_weak(score: float, cosine: float, *, whole: bool = False, sentence: bool = False) -> bool:
    numbers = np.array([score], np.float32), np.array([cosine], np.float32)
    return bool(weak(*numbers, np.array([whole]), sentence=sentence)[0])


def test_one_strong_sign_is_enough() -> None:
    assert is_weak(SCORE - 0.01, COSINE - 0.01)
    assert not is_weak(SCORE + 0.01, 0.0)
    assert not is_weak(0.0, COSINE + 0.01)
    assert not is_weak(0.0, 0.0, whole=True)


def test_a_sentence_needs_less_since_its_words_may_be_of_another_language() -> None:
    assert is_weak(0.0, COSINE_SENTENCE + 0.01)
    assert not is_weak(0.0, COSINE_SENTENCE + 0.01, sentence=True)


def test_a_memory_without_a_vector_is_judged_by_its_words() -> None:
    assert is_weak(SCORE / 2, float("nan"))
    assert not is_weak(SCORE * 2, float("nan"))


@pytest.fixture
def garden(searching: Searching) -> Searching:
    """One memory about roses, some about other things that share a word with a question."""
    searching.remember(title="Roses are cut in March", narrative="Above the third bud.")
    for i in range(30):
        searching.remember(title=f"Queue {i} drained", narrative=f"Batch {i} of the third shard.")
    return searching.start()


QUESTION = "third quarter earnings forecast spreadsheet revenue margin"


def test_what_shares_one_word_of_a_question_is_marked(garden: Searching) -> None:
    reply = garden.search(QUESTION, format="json")

    assert reply.items
    assert all(item.weak for item in reply.items)


@pytest.mark.parametrize("query", ["roses", "third bud", '"third bud"', "bud AND third", "ros*"])
def test_what_holds_all_that_was_asked_for_is_not(garden: Searching, query: str) -> None:
    first = garden.search(query).items[0]

    assert (first.ref, first.weak) == ("#1", False)


@pytest.mark.parametrize("order", ["relevance", "date_desc", "date_asc"])
def test_the_order_does_not_change_which_are_weak(garden: Searching, order: str) -> None:
    found = garden.search("third bud", orderBy=order, limit=100).items

    assert {item.ref: item.weak for item in found} == {
        item.ref: item.weak for item in garden.search("third bud", limit=100).items
    }


def test_filters_alone_find_nothing_weak(garden: Searching) -> None:
    assert not any(item.weak for item in garden.search(project="p", limit=100).items)


def test_claude_reads_which_are_weak(garden: Searching) -> None:
    request = SearchRequest(query=QUESTION)
    page = search_page(garden.search(QUESTION), request)

    rows = [line for line in page.splitlines() if line.startswith("| #")]
    assert rows
    assert all(row.endswith(", weak |") for row in rows)


@pytest.mark.parametrize(("sentence", "cosines"), [(True, [0.17, 0.13]), (False, [0.3, 0.25])])
def test_what_is_near_does_not_hang_on_what_is_nearer(sentence: bool, cosines: list[float]) -> None:
    both = Meaning(np.array([8, 4]), np.array(cosines, np.float32))
    rest = Meaning(np.array([4]), np.array(cosines[1:], np.float32))

    assert both.near(sentence=sentence).tolist() == [8, 4]
    assert rest.near(sentence=sentence).tolist() == [4]


def test_a_hit_by_meaning_stays_when_the_hit_before_it_is_deleted(searching: Searching) -> None:
    searching.remember(title="automobile")
    searching.remember(title="automobile insurance and the paper work of it")
    searching.start()
    assert searching.hits("car") == ["#1", "#2"]

    with plain(searching.store.path) as db:
        db.execute("DELETE FROM observations WHERE id = 1")
    searching.sync.wake()

    assert searching.hits("car") == ["#2"]
