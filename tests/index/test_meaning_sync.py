"""Vectors are made newest first, beside all else, and of the text as it is."""

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.index.fakes import FakeEmbedder
from tests.index.running import PATIENCE, Start, until
from tests.store.rows import insert, plain
from worker.index import sync
from worker.index.embedder import Matrix
from worker.index.meaning_sync import BATCH
from worker.index.sync import Intervals
from worker.shared.readiness import PartState


def test_the_newest_are_embedded_first(start: Start, database: Path) -> None:
    worker = start()
    until(worker.is_in_step)

    newest = {f"pool number{i}" for i in range(80 - BATCH, 80)}
    assert set(worker.embedder.texts[:BATCH]) == newest


class Slow(FakeEmbedder):
    """Waits before its second batch until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may_go_on = threading.Event()

    def encode(self, texts: Sequence[str]) -> Matrix:
        if self.texts:
            assert self.may_go_on.wait(PATIENCE)
        return super().encode(texts)


def test_what_comes_in_meanwhile_is_embedded_before_the_backlog(
    start: Start, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "LANES", 1)  # with two, little of a hundred would be left
    embedder = Slow()
    worker = start(embedder=embedder)
    until(lambda: len(embedder.texts) == BATCH)

    with plain(database) as db:
        insert(db, "observations", title="just now")
    embedder.may_go_on.set()
    until(worker.is_in_step)

    assert embedder.texts.index("just now") <= 3 * BATCH < len(embedder.texts)


class InPairs(FakeEmbedder):
    """Makes no batch before it was asked for two."""

    def __init__(self) -> None:
        super().__init__()
        self._both = threading.Barrier(2)
        self._is_first = True

    def encode(self, texts: Sequence[str]) -> Matrix:
        if self._is_first:
            self._both.wait(PATIENCE)
            self._is_first = False
        return super().encode(texts)


@pytest.mark.usefixtures("database")
def test_while_nobody_searches_two_batches_are_made_at_a_time(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync, "LANES", 2)  # a machine with one core has one

    worker = start(embedder=InPairs())

    until(worker.is_in_step)


def test_words_do_not_wait_for_a_batch_of_vectors(start: Start, database: Path) -> None:
    embedder = Slow()
    worker = start(embedder=embedder)
    until(lambda: len(embedder.texts) == BATCH)

    with plain(database) as db:
        insert(db, "observations", title="meanwhile")
    until(lambda: worker.found("meanwhile") == {"#81"})

    assert len(embedder.texts) == BATCH
    embedder.may_go_on.set()
    until(worker.is_in_step)


def test_a_text_that_changes_while_its_vector_is_made_is_embedded_again(
    start: Start, database: Path
) -> None:
    embedder = Slow()
    worker = start(embedder=embedder, intervals=Intervals(poll=0.05, retry=0.05, reconcile=0.05))
    until(lambda: len(embedder.texts) == BATCH)  # the next are read, and wait

    with plain(database) as db:
        db.execute("UPDATE observations SET title = 'altered'")
    until(lambda: len(worker.found("altered")) == 80)
    embedder.may_go_on.set()

    until(worker.is_in_step)


class Loading(FakeEmbedder):
    """Is loaded once it may be."""

    def __init__(self) -> None:
        super().__init__()
        self.may_be_loaded = threading.Event()

    def load(self) -> None:
        assert self.may_be_loaded.wait(PATIENCE)
        super().load()


def test_new_rows_do_not_wait_for_the_model(start: Start, database: Path) -> None:
    embedder = Loading()
    worker = start(embedder=embedder)

    with plain(database) as db:
        insert(db, "observations", title="just now")
    until(worker.words_are_in_step)

    assert embedder.texts == []
    embedder.may_be_loaded.set()
    until(worker.is_in_step)


def test_progress_is_told_while_the_indexes_are_made(start: Start, database: Path) -> None:
    embedder = Slow()
    worker = start(embedder=embedder)
    until(lambda: worker.report("vectors").done == BATCH)

    report = worker.report("vectors")

    assert (report.state, report.total) == (PartState.BUILDING, 100)
    assert "32 of 100" in report.cause
    embedder.may_go_on.set()
    until(worker.is_in_step)
