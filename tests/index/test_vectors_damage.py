"""Whatever is damaged, deleted or not to be had, the answers stay the same, and it heals."""

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.index.both import (
    Corpus,
    chroma_of,
    chroma_report,
    entries,
    new_chroma,
    new_kept,
    opened,
    put,
    same,
)
from worker.index.chroma import ChromaIndex
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectorsError
from worker.index.keys import Keys
from worker.index.vectors import MAX_REBUILDS, VectorIndex
from worker.shared.readiness import PartState


def _truncate(name: str, size: int) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        found = list(folder.rglob(name))
        assert found
        for path in found:
            os.truncate(path, size)

    return damage


def _garble(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        found = list(folder.rglob(name))
        assert found
        for path in found:
            path.write_bytes(b"\xa5" * path.stat().st_size)

    return damage


def _delete(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        found = list(folder.rglob(name))
        assert found
        for path in found:
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return damage


DAMAGES = {
    "data cut": _truncate("data_level0.bin", 100_000),
    "header cut": _truncate("header.bin", 10),
    "header emptied": _truncate("header.bin", 0),
    "header garbled": _garble("header.bin"),
    "ids cut": _truncate("index_metadata.pickle", 20),
    "database deleted": _delete("chroma.sqlite3"),
    "database cut": _truncate("chroma.sqlite3", 5_000),
    "database garbled": _garble("chroma.sqlite3"),
    "index deleted": _delete("*-*-*-*-*"),
    "everything deleted": _delete("chroma"),
}


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_files_change_no_answer_and_heal(
    folder: Path, corpus: Corpus, question: Matrix, damage: Callable[[Path], None], killed: bool
) -> None:
    """Whether the worker was stopped well, so that it knows its files, or not."""
    damage(folder)
    if killed:
        (folder / "chroma.sealed").unlink()

    with opened(folder) as index:
        meanwhile = index.nearest(question, 20)
        index.catch_up()
        after = index.nearest(question, 20)
        ids = chroma_of(index).ids()
        report = chroma_report(index)

    assert (meanwhile.source, after.source) == ("kept", "chroma")
    assert same(meanwhile, after)
    assert ids == entries(corpus)
    assert report.state is PartState.OK


def test_data_that_would_kill_the_worker_is_never_opened(folder: Path, question: Matrix) -> None:
    for path in folder.rglob("data_level0.bin"):
        path.write_bytes(b"\xff" * path.stat().st_size)

    with opened(folder) as index:
        index.catch_up()
        answer = index.nearest(question, 20)

    assert answer.source == "chroma"
    assert (folder / "chroma.bad-1").is_dir()


class BlindChroma(ChromaIndex):
    """A Chroma that never finds what it holds."""

    resets = 0

    def probe(self, keys: Keys, vectors: Matrix) -> float:
        return 0.5 if len(keys) else 1.0

    def reset(self, *, anew: bool = False) -> None:
        self.resets += 1
        super().reset(anew=anew)


def test_after_two_vain_rebuilds_it_stays_degraded(
    tmp_path: Path, corpus: Corpus, question: Matrix
) -> None:
    chroma = BlindChroma(tmp_path / "chroma", model="test", dimension=512)
    with opened(tmp_path, chroma) as index:
        put(index, corpus.first(20))
        index.catch_up()
        index.catch_up()
        report = chroma_report(index)
        answer = index.nearest(question, 5)

    assert chroma.resets == MAX_REBUILDS
    assert report.state is PartState.DEGRADED
    assert "finds only 50%" in report.cause
    assert report.remedy
    assert answer.source == "kept"
    assert answer.impairment == report.cause


def test_a_chroma_that_fails_while_it_serves_is_replaced_and_heals(
    index: VectorIndex, corpus: Corpus, question: Matrix
) -> None:
    before = index.nearest(question, 10)
    chroma_of(index).close()

    meanwhile = index.nearest(question, 10)
    put(index, corpus.part(200, 205))
    degraded, needed = chroma_report(index), index.needs_catch_up
    index.catch_up()
    after = index.nearest(corpus.vectors[203], 1)

    assert same(before, meanwhile)
    assert meanwhile.impairment
    assert (degraded.state, needed) == (PartState.DEGRADED, True)
    assert (after.source, after.keys.tolist()) == ("chroma", [corpus.keys[203]])
    assert not index.needs_catch_up


def test_a_folder_deleted_under_a_running_worker_is_made_again(
    folder: Path, corpus: Corpus, question: Matrix
) -> None:
    with opened(folder) as index:
        index.catch_up()
        before = index.nearest(question, 10)
        shutil.rmtree(folder / "chroma")
        index.remove(corpus.keys[:1])
        meanwhile, needed = index.nearest(question, 10), index.needs_catch_up
        index.catch_up()
        after = index.nearest(question, 10)

    assert needed
    assert (meanwhile.source, after.source) == ("kept", "chroma")
    assert same(before, meanwhile)
    assert same(before, after)
    with opened(folder) as index:
        index.catch_up()
        assert chroma_of(index).ids() == entries(corpus.part(1, len(corpus.keys)))


def test_a_folder_deleted_while_nothing_is_written_is_noticed(
    folder: Path, question: Matrix
) -> None:
    with opened(folder) as index:
        index.catch_up()
        before = index.nearest(question, 10)
        shutil.rmtree(folder / "chroma")
        needed = index.needs_catch_up
        index.catch_up()
        after = index.nearest(question, 10)
        report = chroma_report(index)

    assert needed
    assert report.state is PartState.OK
    assert after.source == "chroma"
    assert same(before, after)


def test_a_second_worker_answers_without_touching_chroma(
    index: VectorIndex, tmp_path: Path, corpus: Corpus, question: Matrix
) -> None:
    second = VectorIndex(new_kept(tmp_path), new_chroma(tmp_path))
    with closing(second):
        second.open()
        second.catch_up()
        answer = second.nearest(question, 10)
        report = chroma_report(second)

    assert report.state is PartState.DEGRADED
    assert "Another process" in report.cause
    assert same(answer, index.nearest(question, 10))
    assert list(tmp_path.glob("chroma.bad-*")) == []


def test_without_chromadb_installed_search_goes_on(
    tmp_path: Path, corpus: Corpus, question: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    with opened(tmp_path) as index:
        put(index, corpus.first(50))
        index.catch_up()
        answer = index.nearest(question, 10)
        report = chroma_report(index)

    assert len(answer.keys) == 10
    assert report.state is PartState.DEGRADED
    assert "chromadb" in report.cause


# ---------------------------------------------------------------------- the kept vectors
def test_vectors_that_cannot_be_read_are_reported(tmp_path: Path, question: Matrix) -> None:
    (tmp_path / "vectors.db").mkdir()
    index = VectorIndex(new_kept(tmp_path), new_chroma(tmp_path))

    with closing(index), pytest.raises(KeptVectorsError):
        index.open()
    index.catch_up()

    report = index.reports()[0]
    assert (report.part, report.state) == ("vectors", PartState.DOWN)
    assert "vectors.db cannot be used" in report.cause
    assert index.nearest(question, 5).impairment == report.cause
    assert not (tmp_path / "chroma").exists()


def test_lost_vectors_are_named_and_come_back(
    folder: Path, corpus: Corpus, question: Matrix
) -> None:
    with opened(folder) as index:
        before = index.nearest(question, 10)
    (folder / "vectors.db").write_bytes(b"\xa5" * 9_000)

    with opened(folder) as index:
        report = index.reports()[0]
        index.catch_up()
        put(index, corpus)
        after = index.nearest(question, 10)

    assert "was damaged" in report.cause
    assert after.source == "chroma"
    assert same(before, after)
