"""Chroma and the kept vectors together: the same answers whatever happens to one of them."""

import os
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
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
from worker.index.chroma import ChromaError, ChromaIndex, entry_id
from worker.index.embedder import Matrix
from worker.index.keys import Keys
from worker.index.vectors import Nearest, VectorIndex
from worker.shared.readiness import PartState

ROOT = Path(__file__).parents[2]


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


def test_a_query_that_meets_a_new_beginning_is_answered_and_taken_for_no_fault(
    index: VectorIndex, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collection that was asked is gone by the time it would answer."""

    def too_late(_: Matrix, k: int) -> Keys:
        index.ask_anew()
        index.catch_up()
        raise ChromaError(f"The collection that was asked for {k} does not exist.")

    monkeypatch.setattr(chroma_of(index), "nearest", too_late)

    answer = index.nearest(corpus.vectors[0], 10)

    assert answer.keys[0] == corpus.keys[0]
    assert chroma_report(index).state is PartState.OK
    assert not index.needs_catch_up


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
            "from tests.index.both import new_chroma, new_kept\n"
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
