"""The kept postings are never older than what was written, and never more than the budget."""

import threading

import numpy as np
import pytest

from worker.index.postings import Postings, PostingsCache, place, postings_of


def held(counts: dict[int, float]) -> Postings:
    """Return the postings of a term that stands once in each line and counts so much."""
    places = np.array([place(line, 2, 5) for line in counts], dtype=np.int64)
    return postings_of(places, np.array(list(counts.values()), dtype=np.float32))


class Source:
    """Terms and how many lines hold each; counts its readings."""

    def __init__(self, **sizes: int) -> None:
        self.sizes = sizes
        self.read: list[str] = []

    def __call__(self, term: str) -> Postings:
        self.read.append(term)
        return held(dict.fromkeys(range(self.sizes.get(term, 0)), 1.0))


def size(cache: PostingsCache, term: str) -> int:
    return len(cache.get(term).ordinals)


def test_a_term_is_read_once() -> None:
    source = Source(pool=3)
    cache = PostingsCache(source)

    assert [size(cache, "pool"), size(cache, "pool"), size(cache, "none")] == [3, 3, 0]
    assert [size(cache, "none")] == [0]
    assert source.read == ["pool", "none"]


def test_a_kept_term_grows_with_what_is_written_and_is_not_read_again() -> None:
    source = Source(pool=3, retry=2)
    cache = PostingsCache(source)
    size(cache, "pool"), size(cache, "retry")

    assert cache.begin_extending() == {"pool", "retry"}
    cache.extend({"pool": held({3: 1.0, 7: 2.5}), "never asked for": held({3: 1.0})})

    ordinals, counts, places = cache.get("pool")
    assert places.tolist() == [place(line, 2, 5) for line in (0, 1, 2, 3, 7)]
    assert ordinals.tolist() == [0, 1, 2, 3, 7]
    assert counts.tolist()[3:] == [1.0, 2.5]
    assert size(cache, "retry") == 2
    assert source.read == ["pool", "retry"]


def test_a_line_that_was_read_with_the_list_already_is_not_added_twice() -> None:
    cache = PostingsCache(Source(pool=4))
    size(cache, "pool")

    cache.extend({"pool": held({2: 1.0, 3: 1.0, 4: 1.0})})

    ordinals, _, places = cache.get("pool")
    assert ordinals.tolist() == [0, 1, 2, 3, 4]
    assert len(places) == 5


def test_after_clear_everything_is_read_anew() -> None:
    source = Source(pool=3, retry=2)
    cache = PostingsCache(source)
    size(cache, "pool"), size(cache, "retry")

    cache.clear()
    size(cache, "pool"), size(cache, "retry")

    assert source.read == ["pool", "retry"] * 2


@pytest.mark.parametrize("forget", ["extend", "extend, read meanwhile", "clear"])
def test_what_was_read_before_a_write_is_not_kept_after_it(forget: str) -> None:
    """The reader has its list already, the writer writes, then the reader comes back."""
    source = Source(pool=3)
    reading, written = threading.Event(), threading.Event()

    def slow(term: str) -> Postings:
        found = source(term)
        reading.set()
        assert written.wait(10)
        return found

    cache = PostingsCache(slow)
    reader = threading.Thread(target=size, args=(cache, "pool"))
    reader.start()
    assert reading.wait(10)

    def finish() -> None:
        written.set()
        reader.join()

    source.sizes = {"pool": 4}
    if forget == "clear":
        cache.clear()
        finish()
    else:
        kept = cache.begin_extending()
        assert kept == frozenset()
        if forget == "extend, read meanwhile":
            finish()
        cache.extend({})
        finish()

    assert size(cache, "pool") == 4


def test_what_was_not_asked_for_longest_goes_when_the_budget_is_spent() -> None:
    source = Source(a=400, b=400, c=400)
    cache = PostingsCache(source, budget=2_000)
    for term in ("a", "b", "a", "c"):  # b is the oldest when c comes
        size(cache, term)

    for term in ("a", "c", "b"):
        size(cache, term)

    assert source.read == ["a", "b", "c", "b"]


def test_a_list_longer_than_the_budget_is_kept_alone() -> None:
    source = Source(the=5_000, pool=1)
    cache = PostingsCache(source, budget=100)

    for term in ("pool", "the", "the"):
        size(cache, term)

    assert source.read == ["pool", "the"]


def test_growing_lists_count_against_the_budget() -> None:
    source = Source(a=300, b=300)
    cache = PostingsCache(source, budget=1_400)
    size(cache, "b"), size(cache, "a")

    cache.extend({"a": held(dict.fromkeys(range(300, 500), 1.0))})
    size(cache, "b")

    assert source.read == ["b", "a", "b"]
