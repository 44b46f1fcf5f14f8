"""How words stand to each other, as numbers."""

import numpy as np

from worker.index.keys import CODE
from worker.index.keyword_rows import COLUMNS
from worker.index.postings import Places, place
from worker.search.standing import LEAD, SENTENCE, in_a_row, in_order, near, prominence
from worker.shared.refs import Kind

OBSERVATION = list(COLUMNS[Kind.OBSERVATION])


def at(*places: tuple[int, str, int]) -> Places:
    """Return (line, column, offset) as places."""
    return np.array([place(x, OBSERVATION.index(c), o) for x, c, o in places], dtype=np.int64)


def test_words_of_one_sentence_are_near_in_any_order_but_not_across_columns() -> None:
    pool = at((0, "narrative", 4), (1, "narrative", 90), (2, "title", 0), (3, "facts", 0))
    retry = at((0, "narrative", 2), (1, "narrative", 90 + SENTENCE + 1), (2, "narrative", 1))

    assert near([pool, retry]).tolist() == [0]
    assert near([retry, pool]).tolist() == [0]


def test_order_is_told_from_mere_nearness() -> None:
    pool, retry = at((0, "facts", 1), (1, "facts", 7)), at((0, "facts", 3), (1, "facts", 2))

    assert in_order([pool, retry]).tolist() == [0]
    assert in_order([retry, pool]).tolist() == [1]
    assert sorted(near([pool, retry]).tolist()) == [0, 1]


def test_a_row_of_words_has_its_gaps_where_the_query_has_them() -> None:
    the, pool = at((0, "facts", 1), (1, "facts", 5)), at((0, "facts", 3), (1, "facts", 6))

    assert in_a_row({0: the, 2: pool}).tolist() == the[:1].tolist()
    assert in_a_row({0: the, 1: pool}).tolist() == the[1:].tolist()


def test_the_title_and_the_lead_stand_out_and_the_rest_of_the_text_half_as_much() -> None:
    kinds = np.full(4, CODE[Kind.OBSERVATION], dtype=np.int8)
    places = at(
        (0, "title", 9), (1, "narrative", LEAD - 1), (2, "narrative", LEAD), (3, "files", 0)
    )

    assert prominence(kinds, places).tolist() == [2, 2, 1, 0]
