"""The jobs of earlier workers stay known, whatever comes first."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.breaking import Breaker, until_it_rests
from tests.ingest.transcripts.made import Talk, pool_talk
from tests.integration.memories import new_database
from worker.ingest.importing import Imports
from worker.shared.jobs import ImportPathsRequest, JobState
from worker.shared.paths import Paths
from worker.store.store import Store


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths(tmp_path / "data")
    paths.create()
    new_database(paths.database)
    return paths


@pytest.fixture
def store(paths: Paths) -> Iterator[Store]:
    opened = Store(paths.database)
    opened.open()
    yield opened
    opened.close()


def imported(imports: Imports, file: Path) -> str:
    job = imports.begin(ImportPathsRequest(paths=[str(file)]))
    deadline = time.monotonic() + 60
    while imports.job(job.id).state is JobState.RUNNING:
        assert time.monotonic() < deadline
    return job.id


def test_an_import_before_all_is_loaded_forgets_none_of_an_earlier_worker(
    store: Store, paths: Paths, tmp_path: Path
) -> None:
    talks = [pool_talk().write(tmp_path / "one")]
    talks.append(Talk("22222222-2222-4333-8444-555555555555").asks("Why?").write(tmp_path / "two"))

    known = [imported(Imports(store, paths.state, lambda: None), file) for file in talks]

    latest = Imports(store, paths.state, lambda: None)
    assert [job.id for job in latest.jobs()] == known[::-1]


def test_a_line_that_cannot_be_read_is_counted_once_however_often_its_file_is_read(
    store: Store, paths: Paths, tmp_path: Path
) -> None:
    torn = pool_talk().write(tmp_path / "talks")
    torn.write_text('{"torn\n' + torn.read_text(encoding="utf-8"), encoding="utf-8")
    later = Talk("22222222-2222-4333-8444-555555555555").asks("Why?").write(tmp_path / "talks")
    os.utime(later, (torn.stat().st_mtime + 1,) * 2)
    breaker = Breaker(Imports.cancel)
    imports = breaker.imports = Imports(store, paths.state, breaker)
    job = imports.begin(ImportPathsRequest(paths=[str(tmp_path / "talks")])).id
    assert until_it_rests(imports, job) is JobState.CANCELLED

    imports.resume(job)

    assert until_it_rests(imports, job) is JobState.DONE
    done = imports.job(job)
    assert (done.failures, [failed.line for failed in done.failed]) == (1, [1])
