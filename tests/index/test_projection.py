"""The axes on which Chroma sees the vectors."""

from pathlib import Path

import numpy as np
import pytest

from tests.index.both import Corpus
from worker.index.embedder import Matrix
from worker.index.projection import DIMENSIONS, FEWEST, GROWTH, ProjectionFile, fit


@pytest.fixture
def file(tmp_path: Path) -> ProjectionFile:
    return ProjectionFile(tmp_path / "projection.npz", "test")


def normal(rows: int) -> Matrix:
    vectors = np.random.default_rng(rows).standard_normal((rows, 512)).astype(np.float32)
    scaled: Matrix = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def test_the_axes_are_orthonormal_and_keep_nearly_all(corpus: Corpus) -> None:
    projection = fit(corpus.vectors)

    axes = projection.axes
    np.testing.assert_allclose(axes.T @ axes, np.eye(DIMENSIONS), atol=1e-4)
    stored = projection.stored(corpus.vectors)
    whole = corpus.vectors - projection.origin
    assert np.linalg.norm(stored, axis=1) == pytest.approx(np.linalg.norm(whole, axis=1), rel=0.1)
    assert projection.stored(corpus.vectors[0]) == pytest.approx(stored[0], abs=1e-5)


def test_a_query_orders_what_is_stored_as_it_orders_the_vectors(corpus: Corpus) -> None:
    projection = fit(corpus.vectors)
    query = corpus.vectors[3]

    seen = projection.stored(corpus.vectors) @ projection.asked(query)
    exact = corpus.vectors @ query

    assert np.corrcoef(seen, exact)[0, 1] > 0.99
    assert np.argmax(seen) == np.argmax(exact) == 3
    assert projection.own_distance(query) == pytest.approx(1 - seen[3], abs=1e-5)


def test_few_vectors_stay_whole(file: ProjectionFile, corpus: Corpus) -> None:
    assert file.of(corpus.vectors[: FEWEST - 1]) is None
    assert not file.due(FEWEST - 1)
    assert file.due(FEWEST)


def test_it_is_fitted_anew_only_after_much_growth(file: ProjectionFile) -> None:
    first = file.of(normal(FEWEST))

    assert file.of(normal(FEWEST * GROWTH - 1)) is first
    assert first is not None
    assert file.due(FEWEST * GROWTH)
    second = file.of(normal(FEWEST * GROWTH))
    assert second is not None
    assert second.mark != first.mark


def test_a_restart_finds_the_same_axes(tmp_path: Path, corpus: Corpus) -> None:
    before = ProjectionFile(tmp_path / "projection.npz", "test").of(corpus.vectors)
    after = ProjectionFile(tmp_path / "projection.npz", "test").of(corpus.vectors[:10])

    assert before is not None
    assert after is not None
    assert after.mark == before.mark
    assert (tmp_path / "projection.npz").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 torn", b"\x93NUMPY", b"{}"])
def test_a_damaged_file_is_computed_anew(tmp_path: Path, corpus: Corpus, content: bytes) -> None:
    path = tmp_path / "projection.npz"
    path.write_bytes(content)

    found = ProjectionFile(path, "test").of(corpus.vectors)

    assert found is not None
    assert found.mark == fit(corpus.vectors).mark
    assert path.read_bytes() != content


def test_an_origin_of_other_vectors_is_computed_anew(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "projection.npz"
    fitted = fit(corpus.vectors)
    np.savez(path, axes=fitted.axes, origin=fitted.origin[1:], fitted=1_000, model="test")

    found = ProjectionFile(path, "test").of(corpus.vectors)

    assert found is not None
    assert found.mark == fitted.mark


def test_the_axes_of_another_model_are_not_used(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "projection.npz"
    ProjectionFile(path, "another").of(corpus.vectors)

    assert ProjectionFile(path, "test").of(corpus.vectors[:10]) is None


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path, corpus: Corpus) -> None:
    file = ProjectionFile(tmp_path / "gone" / "projection.npz", "test")

    assert file.of(corpus.vectors) is not None
    assert not file.due(len(corpus.vectors))
