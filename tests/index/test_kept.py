"""Our own copy of the vectors: exact, never torn, and whole again after every damage."""

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.index.both import Corpus
from tests.index.kept_vectors import DIMENSION, ints, put, small, unit_vectors
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectors
from worker.index.keys import Keys
from worker.index.snapshot import SAMPLE


def marks(keys: Keys) -> list[bytes]:
    return [int(key).to_bytes(8, "big") for key in keys]


# ---------------------------------------------------------------------- exactness
Change = tuple[bool, list[int]]


CHANGES = st.lists(st.tuples(st.booleans(), st.lists(st.integers(1, 30), max_size=8)), max_size=12)


@settings(max_examples=40, deadline=None)
@given(CHANGES, st.integers(0, 12), st.lists(st.integers(1, 40), unique=True))
def test_whatever_was_put_and_removed_the_nearest_are_those_of_brute_force(
    tmp_path_factory: pytest.TempPathFactory, changes: list[Change], k: int, among: list[int]
) -> None:
    kept = small(tmp_path_factory.mktemp("kept"))
    expected: dict[int, Matrix] = {}
    for number, (is_put, keys) in enumerate(changes):
        array = ints(*keys)
        if is_put:
            vectors = unit_vectors(len(keys), number)
            kept.put(array, marks(array), vectors)
            expected |= dict(zip(keys, vectors, strict=True))
        else:
            kept.remove(array)
            expected = {key: row for key, row in expected.items() if key not in keys}
    query = unit_vectors(1, 99)[0]

    try:
        check_answers(kept, expected, query, k, ints(*among))
        kept.close()
        kept.open()
        check_answers(kept, expected, query, k, ints(*among))
    finally:
        kept.close()


def check_answers(
    kept: KeptVectors, expected: dict[int, Matrix], query: Matrix, k: int, among: Keys
) -> None:
    assert len(kept) == len(expected)
    assert sorted(kept.keys().tolist()) == sorted(expected)
    assert kept.fingerprints() == dict(zip(expected, marks(ints(*expected)), strict=True))
    for chosen in (None, among):
        pool = expected if chosen is None else {k: v for k, v in expected.items() if k in among}
        ranked = sorted(((float(row @ query), key) for key, row in pool.items()), reverse=True)[:k]
        keys, cosines = kept.nearest(query, k, chosen)
        assert keys.tolist() == [key for _, key in ranked]
        assert cosines == pytest.approx([cosine for cosine, _ in ranked], abs=1e-6)
    known = [float(expected[key] @ query) if key in expected else np.nan for key in among.tolist()]
    assert kept.cosines(query, among) == pytest.approx(known, abs=1e-6, nan_ok=True)


def test_real_texts_are_found_by_their_meaning(
    kept: KeptVectors, corpus: Corpus, question: Matrix
) -> None:
    put(kept, corpus)

    keys, cosines = kept.nearest(question, 40)

    best = [corpus.texts[row] for row in np.searchsorted(corpus.keys, keys)]
    assert sum("payment service" in text for text in best[:10]) >= 5
    assert np.all(np.diff(cosines) <= 0)


def test_few_and_many_candidates_give_the_same_cosines(
    kept: KeptVectors, corpus: Corpus, question: Matrix
) -> None:
    put(kept, corpus)

    few_keys, few = kept.nearest(question, 10, corpus.keys[:100])
    many_keys, many = kept.nearest(question, 2_000, corpus.keys[:1_000])

    of_many = dict(zip(many_keys.tolist(), many.tolist(), strict=True))
    assert few == pytest.approx([of_many[key] for key in few_keys.tolist()], abs=1e-6)


def test_of_equal_texts_the_newer_comes_first(kept: KeptVectors, corpus: Corpus) -> None:
    keys = ints(8, 40, 4, 20)
    kept.put(keys, marks(keys), np.tile(corpus.vectors[0], (4, 1)))

    assert kept.nearest(corpus.vectors[0], 3)[0].tolist() == [40, 20, 8]


def test_of_a_key_put_twice_at_once_the_last_counts(kept: KeptVectors, corpus: Corpus) -> None:
    kept.put(ints(4, 8, 4), [b"first---", b"other---", b"last----"], corpus.vectors[:3])

    assert kept.fingerprints() == {4: b"last----", 8: b"other---"}
    assert kept.nearest(corpus.vectors[2], 1)[0].tolist() == [4]


def test_batches_give_everything_once(kept: KeptVectors, corpus: Corpus) -> None:
    part = corpus.first(250)
    put(kept, part)

    batches = list(kept.batches(100))

    assert [len(keys) for keys, _ in batches] == [100, 100, 50]
    keys = np.concatenate([keys for keys, _ in batches])
    rows = np.concatenate([rows for _, rows in batches])
    assert keys.tolist() == part.keys.tolist()
    assert rows == pytest.approx(part.vectors, abs=1e-3)


def test_batches_of_chosen_keys_leave_out_the_unknown(kept: KeptVectors, corpus: Corpus) -> None:
    put(kept, corpus.first(10))

    assert [keys.tolist() for keys, _ in kept.batches(2, among=ints(12, 9_999, 4))] == [[12, 4]]


# ---------------------------------------------------------------------- background
def test_the_background_of_few_vectors_is_that_of_all(
    kept: KeptVectors, corpus: Corpus, question: Matrix
) -> None:
    few = corpus.first(SAMPLE)
    put(kept, few)
    cosines = kept.cosines(question, few.keys)

    mean, deviation = kept.background(question)

    assert mean == pytest.approx(float(cosines.mean()), abs=1e-5)
    assert deviation == pytest.approx(float(cosines.std()), abs=1e-5)


def test_the_background_is_the_same_in_whatever_order_the_vectors_came(tmp_path: Path) -> None:
    keys = np.arange(1, 3 * SAMPLE, dtype=np.int64)
    vectors = unit_vectors(len(keys), 1)
    answers = []
    for name, order in (("there", np.arange(len(keys))), ("back", np.arange(len(keys))[::-1])):
        kept = small(tmp_path / name)
        kept.put(keys[order], marks(keys[order]), vectors[order])
        answers.append(kept.background(vectors[0]))
        kept.close()

    assert answers[0] == pytest.approx(answers[1], abs=1e-6)


def test_the_background_of_nothing_may_be_divided_by(kept: KeptVectors, question: Matrix) -> None:
    assert kept.background(question) == (0.0, 1.0)


def test_equal_vectors_have_a_deviation_to_divide_by(kept: KeptVectors, corpus: Corpus) -> None:
    kept.put(ints(4, 8), marks(ints(4, 8)), np.tile(corpus.vectors[0], (2, 1)))

    assert kept.background(corpus.vectors[0])[1] > 0


# ---------------------------------------------------------------------- many readers, one writer
def test_readers_never_see_a_torn_state(tmp_path: Path) -> None:
    """Each key lies on an axis of its own class; a row under a wrong key has a wrong cosine."""
    kept = small(tmp_path)
    axes = np.eye(DIMENSION, dtype=np.float32)
    done = threading.Event()
    wrong: list[str] = []

    def read(axis: int) -> None:
        everything = np.arange(400, dtype=np.int64)
        while not done.is_set():
            for among in (None, everything):
                keys, cosines = kept.nearest(axes[axis], 1_000, among)
                if not np.array_equal(cosines, (keys % DIMENSION == axis).astype(np.float32)):
                    wrong.append(f"{keys} {cosines}")
                    return

    readers = [threading.Thread(target=read, args=(axis,)) for axis in range(4)]
    for reader in readers:
        reader.start()
    random = np.random.default_rng(7)
    for _ in range(60):
        keys = random.choice(400, size=40, replace=False).astype(np.int64)
        kept.put(keys, marks(keys), axes[keys % DIMENSION])
        kept.remove(keys[::3])
    done.set()
    for reader in readers:
        reader.join()
    kept.close()

    assert wrong == []


def test_what_a_reader_holds_stays_as_it_is(kept: KeptVectors, corpus: Corpus) -> None:
    put(kept, corpus.first(20))
    held = kept.batches(5)
    next(held)

    kept.remove(corpus.keys[:20])
    put(kept, corpus.part(20, 60))

    assert np.concatenate([k for k, _ in held]).tolist() == corpus.keys[5:20].tolist()
