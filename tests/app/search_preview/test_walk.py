"""From hit to hit, and back to where one has been."""

import pytest

from app.search.preview.history import MOST, History, Place
from app.search.preview.walk import Walk

A, B, C = Place("#1"), Place("#2", "pool"), Place("#S3")


@pytest.mark.parametrize(
    ("steps", "counter"),
    [
        ([], "3 hits"),
        ([1], "1 of 3"),
        ([1, 1, 1], "3 of 3"),
        ([1, 1, 1, 1], "1 of 3"),
        ([-1], "3 of 3"),
        ([1, -1], "3 of 3"),
        ([1, 1, -1], "1 of 3"),
    ],
)
def test_the_walk_goes_round(steps: list[int], counter: str) -> None:
    walk = Walk(((0, 1), (5, 6), (8, 9)))
    for step in steps:
        walk = walk.moved(step)

    assert walk.counted(none="") == counter


def test_a_walk_without_places_stands_still() -> None:
    assert Walk().moved(1) == Walk()
    assert Walk().counted(none="none") == "none"
    assert Walk(((1, 2),)).counted(none="none") == "1 hit"


def test_one_goes_back_and_forward() -> None:
    history = History().visited(A).visited(B).visited(C)

    assert history.ahead(-1) == B
    assert history.ahead(1) is None
    assert history.moved(-1).moved(-1).ahead(1) == B
    assert history.moved(-1).moved(-1).ahead(-1) is None
    assert history.moved(1) == history


def test_a_place_that_is_gone_is_left_out() -> None:
    history = History().visited(A).visited(B).visited(C)

    assert history.without(-1) == History((A, C), 1)
    assert history.moved(-1).without(1) == History((A, B), 1)


def test_a_new_way_forgets_what_lay_ahead() -> None:
    history = History().visited(A).visited(B).moved(-1).visited(C)

    assert history.places == (A, C)
    assert history.ahead(-1) == A


def test_the_same_place_is_visited_once() -> None:
    assert History().visited(A).visited(A).places == (A,)


def test_a_long_history_forgets_its_beginning() -> None:
    history = History()
    for number in range(MOST + 5):
        history = history.visited(Place(f"#{number}"))

    assert history.places[0] == Place("#5")
    assert history.ahead(-1) == Place(f"#{MOST + 3}")
