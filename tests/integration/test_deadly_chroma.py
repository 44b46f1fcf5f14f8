"""A library that ends the whole process when it opens its files: once, and each time."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.integration import embedders
from tests.integration.answers import (
    BY_MEANING,
    BY_WORDS,
    answers,
    parts,
    search,
    until_part,
    until_whole,
)
from tests.integration.conftest import MEMORIES, Built
from tests.integration.processes import command, running
from worker.shared.paths import Paths
from worker.shared.readiness import PartState


def dies(data_dir: Path, environ: Mapping[str, str]) -> None:
    """Run a worker until its own death."""
    with running(data_dir, environ=environ) as worker:
        assert worker.process.wait(60) < 0


def test_the_start_after_a_death_by_chroma_makes_it_anew(built: Built, tmp_path: Path) -> None:
    data_dir = built.copy(tmp_path / "data")
    environ = embedders.with_deadly_chroma(tmp_path / "deadly", deaths=1)
    dies(data_dir, environ)

    with running(data_dir, environ=environ) as worker:
        until_part(worker, "keyword", PartState.OK)
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        until_whole(worker)
        assert answers(worker) == built.report.answers
        assert worker.stop() == 0

    assert (Paths(data_dir).index / "chroma.bad-1").is_dir()
    titles = {text.partition("\n")[0] for text in embedders.embedded(tmp_path / "deadly")}
    assert len(titles) < MEMORIES  # queries alone: the vectors are kept


@pytest.mark.slow
def test_chroma_that_kills_each_start_is_left_closed_and_named(
    built: Built, tmp_path: Path
) -> None:
    data_dir = built.copy(tmp_path / "data")
    environ = embedders.with_deadly_chroma(tmp_path / "deadly", deaths=1000)
    for _ in range(3):
        dies(data_dir, environ)

    with running(data_dir, environ=environ) as worker:
        chroma = until_part(worker, "chroma", PartState.DEGRADED)["chroma"]
        until_part(worker, "model", PartState.OK)
        found = search(worker, query=BY_MEANING)
        assert answers(worker) == built.report.answers
        assert worker.process.poll() is None

        assert "3 times in a row" in chroma.cause
        assert str(Paths(data_dir).index / "chroma") in chroma.cause
        assert "memtray-worker reindex chroma" in chroma.remedy
        assert "3 times in a row" in found.degraded[0].reason

        embedders.kill_next(tmp_path / "deadly", 0)
        done = command("reindex", "chroma", "--data-dir", str(data_dir), environ=environ)
        assert done.returncode == 0, done.stderr
        worker.until("/api/ready", lambda *_: parts(worker)["chroma"].state is PartState.OK)
        assert answers(worker) == built.report.answers
        assert search(worker, query=BY_MEANING).degraded == []
