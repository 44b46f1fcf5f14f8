"""One server over a stub worker, for the tests that leave both as they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.mcp_server.program import Program, running
from tests.shared.stub import Answer, Answering, Asked, Stub, said
from worker.shared.paths import Paths


def hello(_asked: Asked) -> Answer:
    return said("hello")


@dataclass
class Pair:
    """A server that has been opened, and the worker behind it."""

    program: Program
    worker: Stub

    def answering(self, answer: Answering) -> "Pair":
        self.worker.answer = answer
        return self


@pytest.fixture(scope="package")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    paths = Paths(tmp_path_factory.mktemp("mcp") / "data")
    with Stub(paths, hello).serving() as stub, running(paths.data_dir) as program:
        stub.announce()
        program.open()
        yield Pair(program, stub)


@pytest.fixture
def pair(opened: Pair) -> Iterator[Pair]:
    """The same server for all; the worker says hello again afterwards."""
    yield opened
    worker = opened.worker
    worker.answer, worker.api_level, worker.version, worker.healthy = hello, 1, "1.2.3", True
    worker.asked.clear()


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"
