"""The keyword index among threads: several read it while one writes."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.index.keyword_entries import counted, found, put
from tests.index.records import observation
from worker.index.keyword import IndexNotWrittenError, KeywordIndex


@pytest.fixture
def index(tmp_path: Path) -> Iterator[KeywordIndex]:
    opened = KeywordIndex(tmp_path / "index" / "keyword.db")
    opened.open()
    yield opened
    opened.close()


def test_readers_see_whole_batches_while_another_thread_writes(index: KeywordIndex) -> None:
    """Each batch holds its number ten times; half of the batches are replaced meanwhile."""
    wrong: list[object] = []
    written = 0
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                before = written
                lines = index.catalog.snapshot
                ordinals, counts, _ = index.postings("pool")
                seen = ordinals[ordinals < lines.size]
                alive = int(np.count_nonzero(lines.alive[seen]))
                # those that are just being replaced may be missed once
                if alive < before - 10 or alive > lines.rows or len(counts) != len(ordinals):
                    wrong.append((before, alive, lines.rows))
                if before and len(found(index, "number0")) != 10:
                    wrong.append("number0")
        except Exception as exc:  # noqa: BLE001 - the test shall show it
            wrong.append(exc)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(30):
        ids = range(10 * number, 10 * number + 10)
        put(index, *(observation(i, f"pool number{number}") for i in ids))
        written += 10
        if number % 2:
            put(index, *(observation(i, f"pool again number{number}") for i in ids))
    done.set()
    for reader in readers:
        reader.join()

    assert wrong == []
    assert len(counted(index, "pool")) == 300


def test_a_writer_that_cannot_get_the_lock_does_not_take_the_index_for_damaged(
    index: KeywordIndex,
) -> None:
    put(index, observation(1, title="pool"))
    with closing(sqlite3.connect(index.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(IndexNotWrittenError, match=r"keyword\.db cannot be written"):
            put(index, observation(2, title="pool"))
        other.execute("ROLLBACK")
    put(index, observation(2, title="pool"))

    assert index.catalog.snapshot.rows == 2


def test_a_word_asked_for_all_the_while_is_found_as_soon_as_it_is_put(index: KeywordIndex) -> None:
    """A search that meets the writing must not leave its empty list behind."""
    ended, word = threading.Event(), ["aboutnothing"]

    def ask() -> None:
        while not ended.is_set():
            index.postings(word[0])

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    missed = []
    for i in range(1, 250):
        word[0] = f"smew{i}x"
        put(index, observation(i, narrative=f"The {word[0]} lives in the reeds."))
        if len(index.postings(word[0]).ordinals) != 1:
            missed.append(i)
    ended.set()
    for asker in askers:
        asker.join()

    assert missed == []
