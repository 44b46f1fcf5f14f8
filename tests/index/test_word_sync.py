"""While somebody writes all the time, each row is looked at once, and nothing is overlooked."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.store.rows import insert, plain
from worker.index.keyword import KeywordIndex
from worker.index.word_sync import FRESH, WordSync
from worker.shared.refs import Kind, Ref
from worker.store.store import Store


class CountingStore(Store):
    """A store that knows how often each record was compared."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.looked_at: Counter[Ref] = Counter()

    def prints(self, refs: Iterable[Ref]) -> dict[Ref, bytes]:
        asked = list(refs)
        self.looked_at.update(asked)
        return super().prints(asked)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CountingStore]:
    store = CountingStore(tmp_path / "claude-mem.db")
    store.open()
    yield store
    store.close()


@pytest.fixture
def words(store: CountingStore, tmp_path: Path) -> Iterator[WordSync]:
    keyword = KeywordIndex(tmp_path / "keyword.db")
    keyword.open()
    words = WordSync(store, keyword, None, threading.Event(), reconcile=3600.0)
    words.reconcile()
    yield words
    keyword.close()


def add(path: Path, count: int) -> None:
    with plain(path) as db:
        for _ in range(count):
            insert(db, "observations", title="pool")


def test_rows_that_come_in_meanwhile_have_nothing_compared_again(
    store: CountingStore, words: WordSync
) -> None:
    for _ in range(3):
        add(store.path, FRESH + 1)
        words.follow()
        add(store.path, 1)  # before those that were found are all indexed
        words.follow()
    while words.follow():
        pass

    assert len(words.keys) == 3 * (FRESH + 2)
    assert set(store.looked_at.values()) == {1}


def test_what_was_deleted_meanwhile_is_forgotten_once_nobody_writes(
    store: CountingStore, words: WordSync
) -> None:
    add(store.path, FRESH + 1)
    words.follow()
    with plain(store.path) as db:
        db.execute("DELETE FROM observations WHERE id = ?", (FRESH + 1,))  # indexed first
        insert(db, "observations", id=2 * FRESH, title="pool")
    while words.follow():
        pass

    assert len(words.keys) == len(store.ids(Kind.OBSERVATION))
