"""Both indexes follow the store, whatever others do to it, and no work is done twice."""

import logging
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.index.fakes import FakeEmbedder
from tests.index.running import Start, until
from tests.store.rows import MARCH, ROOT, insert, plain
from worker.index.embedder import Matrix
from worker.index.meaning_sync import BATCH
from worker.index.sync import Intervals
from worker.shared.readiness import PartState
from worker.store import connection


# ---------------------------------------------------------------------- following
def test_all_kinds_are_indexed_by_word_and_by_vector(start: Start, database: Path) -> None:
    worker = start()

    until(worker.is_in_step)

    assert worker.found("number7") == {"#8", "#S8", "#P8"}
    reports = {report.part: (report.state, report.done) for report in worker.sync.reports()}
    assert reports["keyword"] == reports["vectors"] == (PartState.OK, 100)


def test_rows_that_others_add_are_found_within_seconds(start: Start, database: Path) -> None:
    worker = start(intervals=Intervals())  # as in daily life
    until(worker.is_in_step)

    with plain(database) as db:
        insert(db, "observations", title="brandnew")
        insert(db, "user_prompts", prompt_text="brandnew")

    until(lambda: worker.found("brandnew") == {"#81", "#P11"}, seconds=5)
    until(worker.is_in_step)
    assert len(worker.embedder.texts) == 102


def test_rows_that_others_delete_are_forgotten(start: Start, database: Path) -> None:
    worker = start()
    until(worker.is_in_step)

    with plain(database) as db:
        db.execute("DELETE FROM observations WHERE id IN (8, 80)")
        db.execute("DELETE FROM session_summaries")

    until(worker.is_in_step)
    assert worker.found("number7") == {"#P8"}


def test_a_row_that_comes_in_below_the_highest_id_is_found(start: Start, database: Path) -> None:
    """As when memories of another machine are merged in with their ids."""
    with plain(database) as db:
        db.execute("DELETE FROM observations WHERE id = 5")
    worker = start()
    until(worker.is_in_step)

    with plain(database) as db:
        insert(db, "observations", id=5, title="latecomer")

    until(lambda: worker.found("latecomer") == {"#5"})


def test_edits_by_others_are_found_at_the_next_comparison(start: Start, database: Path) -> None:
    worker = start(intervals=Intervals(poll=0.05, retry=0.05, reconcile=0.2))
    until(worker.is_in_step)

    with plain(database) as db:
        db.execute("UPDATE observations SET title = 'rewritten' WHERE id = 3")
        db.execute("UPDATE observations SET merged_into_project = 'other' WHERE id = 4")
        db.execute("DELETE FROM observations WHERE id = 9")
        insert(db, "observations", id=99, title="instead of number nine")

    until(worker.is_in_step)
    assert worker.found("rewritten") == {"#3"}
    assert len(worker.embedder.texts) == 102  # what only changed its project has its vector


def test_the_summary_of_a_session_that_goes_on_is_looked_at_without_a_comparison(
    start: Start, database: Path
) -> None:
    worker = start(intervals=Intervals(poll=0.05, retry=0.05, reconcile=3600))
    until(worker.is_in_step)
    embedded = len(worker.embedder.texts)

    with plain(database) as db:
        insert(db, "observations", title="number eighty-one")
        db.execute(
            "UPDATE session_summaries SET completed = 'rewritten', created_at_epoch = ?"
            " WHERE id = 3",
            (MARCH + 1,),
        )

    until(lambda: worker.found("rewritten") == {"#S3"})
    until(worker.is_in_step)
    assert len(worker.embedder.texts) == embedded + 2


def test_a_chunk_of_lost_vectors_is_made_again_after_a_restart(
    start: Start, database: Path
) -> None:
    first = start()
    until(first.is_in_step)
    first.stop()
    with plain(first.kept.path) as db:
        db.execute("DELETE FROM vectors WHERE key % 10 < 3")
        (left,) = db.execute("SELECT count(*) FROM vectors").fetchone()

    second = start()
    until(second.is_in_step)

    assert len(second.embedder.texts) == 100 - left > 0


# ---------------------------------------------------------------------- nothing twice
def test_a_restart_with_nothing_new_embeds_nothing(start: Start, database: Path) -> None:
    first = start()
    until(first.is_in_step)
    first.stop()

    second = start()
    until(second.is_in_step)
    with plain(database) as db:
        insert(db, "observations", title="a sign that all before it was looked at")
    until(second.is_in_step)

    assert second.embedder.texts == ["a sign that all before it was looked at"]


# Keeps two batches; with the third, the process is gone.
RUN_UNTIL_KILLED = """
import os, signal, sys, threading
from pathlib import Path
from tests.index.running import Worker
from worker.index.meaning_sync import BATCH

worker = Worker(Path(sys.argv[1]))
put = worker.vectors.put

def put_or_die(keys, prints, vectors):
    if len(worker.kept) == 2 * BATCH:
        os.kill(os.getpid(), signal.SIGKILL)
    put(keys, prints, vectors)

worker.vectors.put = put_or_die
worker.sync.start()
threading.Event().wait(60)
"""


def test_a_run_that_was_killed_between_batches_is_gone_on_with(
    start: Start, database: Path
) -> None:
    command = [sys.executable, "-c", RUN_UNTIL_KILLED, str(database.parent)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL

    worker = start()
    until(worker.is_in_step)

    assert len(worker.embedder.texts) == 100 - 2 * BATCH
    assert "pool number79" not in worker.embedder.texts  # one of the newest, which came first


# ---------------------------------------------------------------------- troubles
@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.1)


@pytest.mark.usefixtures("impatient")
def test_a_store_that_is_locked_for_a_while_is_waited_for(
    prepare: Start, database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as holder:
        holder.execute("PRAGMA journal_mode = DELETE")  # in which a writer keeps readers out
        worker = prepare()
        holder.execute("BEGIN EXCLUSIVE")
        worker.sync.start()
        until(lambda: "another program holds it" in caplog.text)
        insert(holder, "observations", title="meanwhile")
        holder.execute("COMMIT")

    until(worker.is_in_step)
    assert worker.found("meanwhile") == {"#81"}


def test_a_store_that_vanishes_for_a_while_is_waited_for(
    prepare: Start, database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker = prepare()
    away = database.rename(database.with_name("away.db"))
    worker.sync.start()
    until(lambda: "check that it exists" in caplog.text)
    meanwhile = worker.report("keyword")

    away.rename(database)

    assert str(database) in caplog.text
    assert meanwhile.state is PartState.BUILDING  # it is the store that fails, and says so itself
    until(worker.is_in_step)
    until(lambda: worker.report("keyword").state is PartState.OK)


def test_words_are_found_while_the_file_of_the_vectors_cannot_be_used(
    start: Start, database: Path
) -> None:
    in_the_way = database.parent / "index" / "vectors.db"
    in_the_way.mkdir(parents=True)
    worker = start()
    until(worker.words_are_in_step)
    with plain(database) as db:
        insert(db, "observations", title="brandnew")
    until(lambda: worker.found("brandnew") == {"#81"})
    assert worker.report("keyword").state is PartState.OK
    assert worker.report("vectors").state is PartState.DOWN
    assert "vectors.db" in worker.report("vectors").cause

    in_the_way.rmdir()

    until(worker.is_in_step)
    until(lambda: worker.report("vectors").state is PartState.OK)
    assert len(worker.embedder.texts) == 101


def test_a_keyword_index_that_a_query_found_damaged_is_built_anew_once(
    start: Start, database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker = start()
    until(worker.is_in_step)
    for suffix in ("", "-wal"):
        file = worker.keyword.path.with_name(worker.keyword.path.name + suffix)
        file.write_bytes(b"\xa5" * file.stat().st_size)

    worker.sync.rebuild()

    until(lambda: "is built anew" in caplog.text and worker.is_in_step())
    assert worker.found("number7") == {"#8", "#S8", "#P8"}
    assert caplog.text.count("the keyword index is built anew") == 1
    assert len(worker.embedder.texts) == 100


def test_a_keyword_index_that_was_deleted_is_built_anew(start: Start, database: Path) -> None:
    worker = start()
    until(worker.is_in_step)

    worker.keyword.path.unlink()

    until(lambda: worker.keyword.path.exists() and worker.words_are_in_step())
    assert worker.found("number7") == {"#8", "#S8", "#P8"}


class Broken(FakeEmbedder):
    """Fails in a way that nobody thought of, once."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        if not self.texts:
            self.texts.append("")
            raise np.linalg.LinAlgError("the model gave up")
        return super().encode(texts)


def test_the_thread_survives_what_nobody_thought_of(
    start: Start, database: Path, caplog: pytest.LogCaptureFixture
) -> None:
    worker = start(embedder=Broken())

    until(worker.is_in_step)

    assert [r.levelno for r in caplog.records if r.exc_info] == [logging.ERROR]
