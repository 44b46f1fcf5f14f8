"""A real worker that knows a few projects, for what is not to be remembered."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.worker_client import WorkerClient
from tests.app.real_worker import searching_by_words
from tests.integration.processes import Worker
from worker.shared.paths import Paths


@pytest.fixture(scope="session")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("real")
    with searching_by_words(folder, memories=3) as started:
        yield started


@pytest.fixture
def client(qtbot: QtBot, worker: Worker) -> Iterator[WorkerClient]:
    client = WorkerClient(Paths(worker.data_dir), environ={})
    yield client
    qtbot.wait(20)  # for what is let go of, before its client goes
