"""Fewer dimensions for Chroma: the principal axes of the vectors that are kept.

Chroma only proposes; its proposals are scored again with whole vectors. So it may see them
projected on the axes along which they differ most: a third of the dimensions tells the neighbours
apart as well, at a third of the disk and half of the time (docs/SEARCH.md).
"""

import hashlib
import io
import logging
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from worker.index.embedder import Matrix
from worker.index.quantised import Quantised
from worker.shared.paths import write_private

DIMENSIONS = 160
FEWEST = 1_000  # vectors that tell where the axes lie; fewer are searched whole
SAMPLE = 8_192  # vectors the axes are computed from
GROWTH = 8  # times as many vectors as at the last fit may lie elsewhere: it is done anew

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """Orthonormal axes, (dimension, DIMENSIONS), the one along which most lies first."""

    axes: Matrix
    fitted: int  # how many vectors there were

    def __call__(self, vectors: Matrix) -> Matrix:
        """Return the coordinates of vectors, (n, dimension) or (dimension,), on the axes."""
        projected: Matrix = vectors @ self.axes
        return projected

    @property
    def mark(self) -> str:
        """The same for the same axes alone."""
        return hashlib.blake2b(self.axes.tobytes(), digest_size=4).hexdigest()


def fit(vectors: Matrix | Quantised) -> Projection:
    """Return the eigenvectors of the second moments of a sample, those of the highest values."""
    sample = vectors[:: len(vectors) // SAMPLE + 1]
    _, axes = np.linalg.eigh(sample.T @ sample)
    return Projection(np.ascontiguousarray(axes[:, : -DIMENSIONS - 1 : -1]), len(vectors))


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
                found = Projection(stored["axes"], int(stored["fitted"]))
                known = stored["model"] == self._model
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, EOFError, BadZipFile) as exc:
            log.warning("%s cannot be read (%s): its content is computed anew", self._path, exc)
            return None
        fits = found.axes.shape == (dimension, DIMENSIONS) and found.axes.dtype == np.float32
        return found if known and fits else None

    def _write(self, projection: Projection) -> None:
        content = io.BytesIO()
        np.savez(content, axes=projection.axes, fitted=projection.fitted, model=self._model)
        try:
            write_private(self._path, content.getvalue())
        except OSError as exc:  # then it is computed again at the next start
            log.warning("%s cannot be written: %s", self._path, exc)
