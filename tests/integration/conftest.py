"""Data folders that several modules start from."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration import embedders, offline
from tests.integration.answers import BY_WORDS, parts, search, until_part
from tests.integration.memories import new_database, some
from tests.integration.processes import running
from worker.shared.contract import SearchReply
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState

MEMORIES = 150


@dataclass(frozen=True, slots=True)
class Built:
    """A data folder with whole indexes, and how it came to them."""

    data_dir: Path
    without_model: dict[str, PartReport]  # at the first start, no model could be loaded
    words_only: SearchReply
    done_when_killed: int  # vectors, at the second start, which ended by kill -9
    embedded_until_killed: list[str]
    embedded_after: list[str]  # at the third, which ended well
    report: offline.Report  # of the third

    def copy(self, to: Path) -> Path:
        """Return a copy that a test may spoil."""
        shutil.copytree(self.data_dir, to)
        return to


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A small memory, indexed in three starts, as a user's who has bad luck at first."""
    folder = tmp_path_factory.mktemp("built")
    data_dir = folder / "data"
    new_database(Paths(data_dir).database, some(MEMORIES))

    with running(data_dir, environ=embedders.missing(folder / "missing")) as worker:
        until_part(worker, "model", PartState.DOWN)
        without_model = until_part(worker, "chroma", PartState.DEGRADED)
        words_only = search(worker, query=BY_WORDS)
        worker.stop()

    environ = embedders.counting(folder / "counting")
    with running(data_dir, environ=environ) as worker:
        until_part(worker, "vectors", PartState.BUILDING)
        while not (vectors := parts(worker)["vectors"]).done:
            pass
        worker.process.kill()
        worker.process.wait(15)
    before = embedders.embedded(folder / "counting")

    report = offline.build(data_dir, environ)
    after = embedders.embedded(folder / "counting", since=len(before))
    return Built(data_dir, without_model, words_only, vectors.done, before, after, report)
