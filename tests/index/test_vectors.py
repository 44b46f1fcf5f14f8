"""Chroma and the kept vectors together: the same answers whatever happens to one of them."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from tests.index.conftest import Corpus, new_chroma, new_kept
from worker.index.chroma import ChromaIndex, entry_id
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectorsError
from worker.index.keys import Keys
from worker.index.vectors import MAX_REBUILDS, Nearest, VectorIndex
from worker.shared.contract import PartReport, PartState

ROOT = Path(__file__).parents[2]


@contextmanager
def opened(folder: Path, chroma: ChromaIndex | None = None) -> Iterator[VectorIndex]:
    """An index as after a start of the worker, before it has caught up."""
    with closing(VectorIndex(new_kept(folder), chroma or new_chroma(folder))) as index:
        index.open()
        yield index


@pytest.fixture
def index(tmp_path: Path, corpus: Corpus) -> Iterator[VectorIndex]:
    """An index of 200 texts that Chroma serves."""
    with opened(tmp_path) as index:
        put(index, corpus.first(200))
        index.catch_up()
        yield index


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> Path:
    """A folder with all texts in both, closed; copy it before use."""
    folder = tmp_path_factory.mktemp("filled")
    with opened(folder) as index:
        put(index, corpus)
        index.catch_up()
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "index"))


def put(index: VectorIndex, corpus: Corpus) -> None:
    index.put(corpus.keys, corpus.fingerprints, corpus.vectors)


def entries(corpus: Corpus) -> set[str]:
    return set(map(entry_id, corpus.keys.tolist(), corpus.fingerprints))


def chroma_of(index: VectorIndex) -> ChromaIndex:
    assert index.chroma is not None
    return index.chroma


def chroma_report(index: VectorIndex) -> PartReport:
    return {report.part: report for report in index.reports()}["chroma"]


def same(one: Nearest, other: Nearest) -> bool:
    return one.keys.tolist() == other.keys.tolist() and np.allclose(one.cosines, other.cosines)


# ---------------------------------------------------------------------- who answers
def test_an_unfiltered_query_is_answered_by_chromas_own_query(
    index: VectorIndex, corpus: Corpus
) -> None:
    """What only Chroma lacks is not found, though the kept vectors have it."""
    chroma_of(index).remove(entries(corpus.first(1)))

    answer = index.nearest(corpus.vectors[0], 10)

    assert answer.source == "chroma"
    assert answer.impairment is None
    assert corpus.keys[0] not in answer.keys
    assert corpus.keys[0] in index.kept.nearest(corpus.vectors[0], 10)[0]


def test_each_unfiltered_query_asks_chroma_once(
    index: VectorIndex, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    chroma = chroma_of(index)
    asked: list[int] = []
    query = chroma.nearest

    def spy(vector: Matrix, k: int) -> Keys:
        asked.append(k)
        return query(vector, k)

    monkeypatch.setattr(chroma, "nearest", spy)

    for vector in corpus.vectors[:3]:
        index.nearest(vector, 7)
        index.nearest(vector, 7, corpus.keys[:50])

    assert asked == [7, 7, 7]


def test_a_filtered_query_is_answered_exactly_by_the_kept_vectors(
    index: VectorIndex, corpus: Corpus, question: Matrix
) -> None:
    among = corpus.keys[:200:3]

    answer = index.nearest(question, 5, among)

    cosines = corpus.vectors[:200:3] @ question
    assert answer.source == "kept"
    assert answer.impairment is None
    assert answer.keys.tolist() == among[np.argsort(-cosines)[:5]].tolist()


def test_chroma_and_the_kept_vectors_agree_on_real_texts(
    index: VectorIndex, question: Matrix
) -> None:
    answer = index.nearest(question, 20)

    exact = Nearest(*index.kept.nearest(question, 20), "kept")
    assert answer.source == "chroma"
    assert same(answer, exact)


def test_hits_that_are_no_longer_kept_are_dropped(index: VectorIndex, corpus: Corpus) -> None:
    index.kept.remove(corpus.keys[:1])

    answer = index.nearest(corpus.vectors[0], 10)

    assert answer.source == "chroma"
    assert len(answer.keys) == 9
    assert corpus.keys[0] not in answer.keys


def test_before_chroma_is_open_the_kept_vectors_answer(
    folder: Path, corpus: Corpus, question: Matrix
) -> None:
    with opened(folder) as index:
        before = index.nearest(question, 10)
        index.catch_up()
        after = index.nearest(question, 10)

    assert before.source == "kept"
    assert before.impairment == "Chroma is not open yet."
    assert after.source == "chroma"
    assert same(before, after)


def test_without_chroma_nothing_is_impaired(
    tmp_path: Path, corpus: Corpus, question: Matrix
) -> None:
    with closing(VectorIndex(new_kept(tmp_path), None)) as index:
        index.open()
        put(index, corpus.first(10))
        index.catch_up()
        index.remove(corpus.keys[:2])
        answer = index.nearest(question, 20)
        state = chroma_report(index).state

    assert (answer.source, answer.impairment, len(answer.keys)) == ("kept", None, 8)
    assert state is PartState.OFF


# ---------------------------------------------------------------------- changes
def test_a_new_text_is_found_through_chroma_at_once(index: VectorIndex, corpus: Corpus) -> None:
    put(index, corpus.part(200, 210))

    answer = index.nearest(corpus.vectors[205], 1)

    assert (answer.source, answer.keys.tolist()) == ("chroma", [corpus.keys[205]])


def test_an_edited_text_has_one_entry_and_its_new_vector(
    index: VectorIndex, corpus: Corpus
) -> None:
    index.put(corpus.keys[:1], [b"edited--"], corpus.vectors[900:901])

    ids = chroma_of(index).ids()
    answer = index.nearest(corpus.vectors[900], 1)

    assert [entry for entry in ids if entry.startswith(f"{corpus.keys[0]}.")] == [
        entry_id(int(corpus.keys[0]), b"edited--")
    ]
    assert (answer.source, answer.keys.tolist()) == ("chroma", [corpus.keys[0]])


def test_a_removed_text_is_gone_from_both(index: VectorIndex, corpus: Corpus) -> None:
    index.remove(corpus.keys[:5])

    assert chroma_of(index).ids() == entries(corpus.part(5, 200))
    assert len(index.kept) == 195


# ---------------------------------------------------------------------- catching up
def test_catching_up_makes_chroma_equal_to_what_is_kept(index: VectorIndex, corpus: Corpus) -> None:
    """Entries lost, left over, of an old text and of others: all are put right."""
    chroma = chroma_of(index)
    chroma.remove(entries(corpus.first(60)))
    old = corpus.part(300, 310)
    chroma.add(old.keys, old.fingerprints, old.vectors)
    chroma.add(corpus.keys[100:101], [b"old text"], corpus.vectors[100:101])

    index.catch_up()

    assert chroma.ids() == entries(corpus.first(200))
    report = chroma_report(index)
    assert (report.state, report.done, report.total) == (PartState.OK, 200, 200)


def test_an_edit_while_chroma_was_away_reaches_it(folder: Path, corpus: Corpus) -> None:
    with opened(folder) as index:
        index.put(corpus.keys[:1], [b"edited--"], corpus.vectors[900:901])
        index.catch_up()
        ids = chroma_of(index).ids()

    assert entry_id(int(corpus.keys[0]), b"edited--") in ids
    assert len(ids) == len(corpus.keys)


def test_a_restart_with_nothing_new_adds_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chroma = new_chroma(folder)
    monkeypatch.delattr(ChromaIndex, "add")

    with opened(folder, chroma) as index:
        index.catch_up()
        state = chroma_report(index).state

    assert state is PartState.OK


def test_catching_up_stops_when_asked_and_goes_on_later(tmp_path: Path, corpus: Corpus) -> None:
    stopping = threading.Event()
    stopping.set()
    with opened(tmp_path) as index:
        put(index, corpus.first(300))

        index.catch_up(stopping)
        stopped = chroma_report(index)
        answer = index.nearest(corpus.vectors[0], 3)
        stopping.clear()
        index.catch_up(stopping)
        ended = chroma_report(index)

    assert (stopped.state, stopped.done, stopped.total) == (PartState.BUILDING, 0, 300)
    assert answer.source == "kept"
    assert (ended.state, ended.done, ended.total) == (PartState.OK, 300, 300)


def test_catching_up_gives_way_to_other_work_after_its_time(tmp_path: Path, corpus: Corpus) -> None:
    calls = 0
    with opened(tmp_path) as index:
        put(index, corpus.first(300))
        index.catch_up(seconds=0.001)
        first = index.needs_catch_up, chroma_report(index).state
        while index.needs_catch_up and calls < 1_000:
            index.catch_up(seconds=0.1)
            calls += 1
        report = chroma_report(index)

    assert first == (True, PartState.BUILDING)
    assert (report.state, report.done, report.total) == (PartState.OK, 300, 300)


def test_the_report_counts_what_came_in_since(index: VectorIndex, corpus: Corpus) -> None:
    put(index, corpus.part(200, 230))
    index.remove(corpus.keys[:10])

    report = chroma_report(index)

    assert (report.done, report.total) == (220, 220)


def test_a_worker_killed_while_it_adds_loses_nothing(tmp_path: Path, corpus: Corpus) -> None:
    with opened(tmp_path) as index:
        put(index, corpus)
    adding = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import pathlib, sys\n"
            "from tests.index.conftest import new_chroma, new_kept\n"
            "from worker.index.vectors import VectorIndex\n"
            "folder = pathlib.Path(sys.argv[1])\n"
            "chroma = new_chroma(folder)\n"
            "add, added = chroma.add, []\n"
            "def telling(keys, *rest):\n"
            "    add(keys, *rest)\n"
            "    print(len(keys), flush=True)\n"
            "chroma.add = telling\n"
            "index = VectorIndex(new_kept(folder), chroma)\n"
            "index.open()\n"
            "index.catch_up()\n",
            str(tmp_path),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert adding.stdout is not None
    with adding, adding.stdout:
        adding.stdout.readline()
        adding.stdout.readline()
        adding.kill()

    with opened(tmp_path) as index:
        before = index.nearest(corpus.vectors[500], 20)
        index.catch_up()
        ids = chroma_of(index).ids()
        after = index.nearest(corpus.vectors[500], 20)

    assert ids == entries(corpus)
    assert after.source == "chroma"
    assert same(before, after)


def test_enough_texts_give_chroma_fewer_dimensions(
    index: VectorIndex, corpus: Corpus, question: Matrix
) -> None:
    """200 are held whole; with 1,080 the axes are known, and it is filled anew."""
    put(index, corpus)
    assert index.needs_catch_up

    index.catch_up()

    assert index.reports()[1].state is PartState.OK
    assert index.reports()[1].done == 1_080
    assert not index.needs_catch_up
    answer = index.nearest(question, 20)
    exact, _ = index.kept.nearest(question, 20)
    assert answer.source == "chroma"
    assert len(set(answer.keys.tolist()) & set(exact.tolist())) >= 19


def test_lost_axes_are_computed_again(folder: Path, question: Matrix) -> None:
    (folder / "projection.npz").unlink()
    with opened(folder) as index:
        index.catch_up()

        assert index.reports()[1].state is PartState.OK
        assert index.nearest(question, 5).source == "chroma"
        assert (folder / "projection.npz").exists()


# ---------------------------------------------------------------------- damage
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


# ---------------------------------------------------------------------- threads
def test_many_may_search_while_one_changes(index: VectorIndex, corpus: Corpus) -> None:
    done = threading.Event()
    wrong: list[str] = []

    def search(number: int) -> None:
        while not done.is_set():
            answer = index.nearest(corpus.vectors[number], 3)
            if answer.impairment or answer.keys[0] != corpus.keys[number]:
                wrong.append(f"{number}: {answer}")
                return

    readers = [threading.Thread(target=search, args=(number,)) for number in range(4)]
    for reader in readers:
        reader.start()
    for start in range(200, 400, 20):
        put(index, corpus.part(start, start + 20))
        index.remove(corpus.keys[start : start + 5])
    done.set()
    for reader in readers:
        reader.join()

    assert wrong == []
    assert chroma_of(index).ids() == {
        entry_id(key, mark) for key, mark in index.kept.fingerprints().items()
    }
