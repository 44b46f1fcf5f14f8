"""An index of both kinds of vectors for a test, and how to look at it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from worker.index.chroma import ChromaIndex, entry_id
from worker.index.embedder import Matrix
from worker.index.kept import KeptVectors
from worker.index.keys import Keys
from worker.index.vectors import Nearest, VectorIndex
from worker.shared.readiness import PartReport


@dataclass(frozen=True)
class Corpus:
    """Texts with their keys, fingerprints and real vectors."""

    texts: tuple[str, ...]
    keys: Keys
    fingerprints: tuple[bytes, ...]
    vectors: Matrix

    def first(self, count: int) -> "Corpus":
        return self.part(0, count)

    def part(self, start: int, stop: int) -> "Corpus":
        chosen = slice(start, stop)
        return Corpus(
            self.texts[chosen],
            self.keys[chosen],
            self.fingerprints[chosen],
            self.vectors[chosen],
        )


def new_kept(folder: Path, *, model: str = "test") -> KeptVectors:
    return KeptVectors(folder / "vectors.db", model=model, dimension=512)


def new_chroma(folder: Path, *, model: str = "test") -> ChromaIndex:
    return ChromaIndex(folder / "chroma", model=model, dimension=512)


@contextmanager
def opened(folder: Path, chroma: ChromaIndex | None = None) -> Iterator[VectorIndex]:
    """An index as after a start of the worker, before it has caught up."""
    with closing(VectorIndex(new_kept(folder), chroma or new_chroma(folder))) as index:
        index.open()
        yield index


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
