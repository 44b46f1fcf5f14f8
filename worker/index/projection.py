"""What Chroma sees of the vectors that are kept: their coordinates on fewer axes.

Chroma only proposes; its proposals are scored again with whole vectors. So it may see them on the
axes along which they differ most: a third of the dimensions tells the neighbours apart as well, at
a third of the disk and half of the time. And it may see them from another origin, halfway to their
mean: the inner product with a query then orders them as before, while the graph that Chroma walks
leads to the neighbours of a query that lies far from all, such as a lone word (docs/SEARCH.md).
"""

import hashlib
import io
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal
from zipfile import BadZipFile

import numpy as np

from worker.index.embedder import Matrix
from worker.index.quantised import Quantised
from worker.shared.paths import write_private

DIMENSIONS = 160
FEWEST = 1_000  # vectors that tell where the axes lie; fewer are searched whole
SAMPLE = 8_192  # vectors the axes are computed from
ORIGIN = 0.5  # of the way to their mean
GROWTH = 8  # times as many vectors as at the last fit may lie elsewhere: it is done anew

log = logging.getLogger(__name__)


class View:
    """How Chroma sees the vectors: as they are."""

    space: ClassVar[Literal["cosine", "ip"]] = "cosine"  # Chroma's name of the distance
    fitted = 0

    @property
    def mark(self) -> str:
        """The same for what is stored alike."""
        return ""

    def stored(self, vectors: Matrix) -> Matrix:
        """Return what is stored of vectors, (n, dimension) or (dimension,)."""
        return vectors

    def asked(self, query: Matrix) -> Matrix:
        """Return what is asked for a query, (dimension,)."""
        return query

    def own_distance(self, vector: Matrix) -> float:
        """Return how far Chroma finds a vector from itself."""
        return 0.0


@dataclass(frozen=True, eq=False)
class Projection(View):
    """On orthonormal axes, (dimension, DIMENSIONS), the one along which most differs first."""

    axes: Matrix
    origin: Matrix  # (dimension,)
    fitted: int  # how many vectors there were
    space: ClassVar[Literal["cosine", "ip"]] = "ip"

    def stored(self, vectors: Matrix) -> Matrix:
        moved: Matrix = np.subtract(vectors, self.origin)
        coordinates: Matrix = moved @ self.axes
        return coordinates

    def asked(self, query: Matrix) -> Matrix:
        coordinates: Matrix = query @ self.axes
        return coordinates

    def own_distance(self, vector: Matrix) -> float:
        return 1.0 - float(self.asked(vector) @ self.stored(vector))

    @property
    def mark(self) -> str:
        content = self.axes.tobytes() + self.origin.tobytes()
        return hashlib.blake2b(content, digest_size=4).hexdigest()


def fit(vectors: Matrix | Quantised) -> Projection:
    """Return the principal axes of a sample, those of the highest variance."""
    sample = vectors[:: len(vectors) // SAMPLE + 1]
    mean = sample.mean(axis=0)
    centred = sample - mean
    _, axes = np.linalg.eigh(centred.T @ centred)
    chosen = np.ascontiguousarray(axes[:, : -DIMENSIONS - 1 : -1])
    return Projection(chosen, ORIGIN * mean, len(vectors))


class ProjectionFile:
    """The projection that the vectors of one model were last given; derived, so it may be lost."""

    def __init__(self, path: Path, model: str) -> None:
        self._path = path
        self._model = model
        self._current: Projection | None = None

    def due(self, rows: int) -> bool:
        """Say whether so many vectors need a projection, or another than the one there is."""
        return rows >= FEWEST and (self._current is None or rows >= GROWTH * self._current.fitted)

    def of(self, vectors: Matrix | Quantised) -> Projection | None:
        """Return the projection for all these vectors, fitted anew where it is due."""
        if self._current is None:
            self._current = self._read(vectors.shape[1])
        if self.due(len(vectors)):
            self._current = fit(vectors)
            self._write(self._current)
        return self._current

    def _read(self, dimension: int) -> Projection | None:
        try:
            with np.load(io.BytesIO(self._path.read_bytes()), allow_pickle=False) as stored:
                found = Projection(stored["axes"], stored["origin"], int(stored["fitted"]))
                known = stored["model"] == self._model
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, EOFError, BadZipFile) as exc:
            log.warning("%s cannot be read (%s): its content is computed anew", self._path, exc)
            return None
        shapes = found.axes.shape, found.origin.shape
        fits = shapes == ((dimension, DIMENSIONS), (dimension,)) and found.axes.dtype == np.float32
        return found if known and fits else None

    def _write(self, projection: Projection) -> None:
        content = io.BytesIO()
        np.savez(
            content,
            axes=projection.axes,
            origin=projection.origin,
            fitted=projection.fitted,
            model=self._model,
        )
        try:
            write_private(self._path, content.getvalue())
        except OSError as exc:  # then it is computed again at the next start
            log.warning("%s cannot be written: %s", self._path, exc)
