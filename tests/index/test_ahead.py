"""What is read ahead for searches to come waits while searches come."""

import logging
from pathlib import Path

import pytest

from tests.index.running import QUICK, Worker, until
from tests.store.rows import insert, plain
from worker.index.sync import Intervals


class Asked(Worker):
    """A run of the worker that is asked for a word in the very moment before it reads ahead."""

    def look_ahead(self) -> None:
        self.keyword.postings("pool")


@pytest.mark.parametrize("quiet", [0.0, 600.0])
def test_nothing_is_read_ahead_while_somebody_searches(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, quiet: float
) -> None:
    worker = Asked(tmp_path, intervals=Intervals(poll=QUICK.poll, retry=QUICK.retry, quiet=quiet))
    with plain(worker.store.path) as db:
        insert(db, "observations", title="The pool deadlocks", memory_session_id="m")
    caplog.set_level(logging.DEBUG, "worker.index.sync")
    worker.sync.start()
    try:
        until(worker.is_in_step)
        if quiet:
            with pytest.raises(AssertionError, match="in time"):
                until(lambda: "read ahead" in caplog.text, seconds=1.0)
        else:
            until(lambda: "read ahead" in caplog.text)
    finally:
        worker.stop()
