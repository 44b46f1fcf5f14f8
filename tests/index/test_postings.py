"""The kept postings are never older than what was written, and never more than the budget."""

import threading

import numpy as np
import pytest

from worker.index.postings import Postings, PostingsCache


class Source:
    """Terms and how many lines hold each; counts its readings."""

    def __init__(self, **sizes: int) -> None:
        self.sizes = sizes
        self.read: list[str] = []

    def __call__(self, term: str) -> Postings:
        self.read.append(term)
        lines = np.arange(self.sizes.get(term, 0), dtype=np.int32)
        return Postings(lines, np.ones(len(lines), dtype=np.float32))


def size(cache: PostingsCache, term: str) -> int:
    return len(cache.get(term).ordinals)


def test_a_term_is_read_once() -> None:
    source = Source(pool=3)
    cache = PostingsCache(source)

    assert [size(cache, "pool"), size(cache, "pool"), size(cache, "none")] == [3, 3, 0]
    assert [size(cache, "none")] == [0]
    assert source.read == ["pool", "none"]


def test_a_dropped_term_is_read_anew_and_others_are_not() -> None:
    source = Source(pool=3, retry=2)
    cache = PostingsCache(source)
    size(cache, "pool"), size(cache, "retry")

    source.sizes = {"pool": 4, "retry": 9}
    cache.drop(["pool", "never asked for"])

    assert [size(cache, "pool"), size(cache, "retry")] == [4, 2]


def test_after_clear_everything_is_read_anew() -> None:
    source = Source(pool=3, retry=2)
    cache = PostingsCache(source)
    size(cache, "pool"), size(cache, "retry")

    cache.clear()
    size(cache, "pool"), size(cache, "retry")

    assert source.read == ["pool", "retry"] * 2


@pytest.mark.parametrize("forget", ["drop", "clear"])
def test_what_was_read_before_a_write_is_not_kept_after_it(forget: str) -> None:
    """The reader has its list already, the writer drops the term, then the reader comes back."""
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

    source.sizes = {"pool": 4}
    if forget == "drop":
        cache.drop(["pool"])
    else:
        cache.clear()
    written.set()
    reader.join()

    assert size(cache, "pool") == 4


def test_what_was_not_asked_for_longest_goes_when_the_budget_is_spent() -> None:
    source = Source(a=400, b=400, c=400)
    cache = PostingsCache(source, budget=1_000)
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


def test_terms_dropped_and_read_again_do_not_use_the_budget_up() -> None:
    source = Source(a=300, b=300)
    cache = PostingsCache(source, budget=700)
    size(cache, "b")
    for _ in range(20):
        size(cache, "a")
        cache.drop(["a"])
    source.read.clear()

    size(cache, "b")

    assert source.read == []
