"""Small vectors, and files of them."""

from pathlib import Path

import numpy as np

from tests.index.both import Corpus
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectors
from worker.index.keys import Keys
from worker.index.quantised import Quantised, codes_of

DIMENSION = 8


def small(folder: Path) -> KeptVectors:
    kept = KeptVectors(folder / "vectors.db", model="small", dimension=DIMENSION)
    kept.open()
    return kept


def put(kept: KeptVectors, corpus: Corpus) -> None:
    kept.put(corpus.keys, corpus.fingerprints, corpus.vectors)


def ints(*values: int) -> Keys:
    return np.array(values, np.int64)


def unit_vectors(count: int, seed: int, dimension: int = DIMENSION) -> Matrix:
    """Return vectors for arithmetic, not for recall: of length 1, and exact as they are kept."""
    vectors = np.random.default_rng(seed).normal(size=(count, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Quantised(codes_of(vectors.astype(np.float16).astype(np.float32)))[:]
