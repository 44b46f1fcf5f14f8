"""A real worker for windows that show what a worker does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import Worker, running
from worker.shared.paths import Paths


@contextmanager
def searching_by_words(folder: Path, *, memories: int) -> Iterator[Worker]:
    """Run a worker on a new database, once all its parts are well; it loads no model."""
    new_database(Paths(folder).database, some(memories))
    without_meaning(folder)
    with running(folder) as started:
        started.until("/api/ready", lambda status, body: status == 200 and body["state"] == "ok")
        yield started
