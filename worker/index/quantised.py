"""Unit vectors in two bytes a number: half the memory of float32, and a scan reads half as much."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.index.embedder import Matrix

Codes = NDArray[np.int16]

# What 1.0 is stored as, with room for a vector a little longer than 1. A number is off by 1.6e-5
# at most; one that was float16 comes back as the same float16, or as one with the same code.
ONE = 32_000
_ROWS = 256  # are turned into floats at a time, which stay in the processor's cache


def codes_of(vectors: Matrix) -> Codes:
    """Return the codes of vectors whose numbers lie between -1 and 1, of the same shape."""
    codes: Codes = np.rint(vectors * np.float32(ONE)).astype(np.int16)
    return codes


@dataclass(frozen=True, eq=False)
class Quantised:
    """A matrix of vectors, (n, dimension), that is read as float32."""

    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.codes.shape

    def __getitem__(self, rows: slice | NDArray[np.integer]) -> Matrix:
        chosen: Matrix = self.codes[rows].astype(np.float32)
        chosen /= ONE
        return chosen

    def __matmul__(self, vector: Matrix) -> Matrix:
        """Return the product (n,) with one vector (dimension,)."""
        product = np.empty(len(self), np.float32)
        buffer = np.empty((_ROWS, self.shape[1]), np.float32)
        for start in range(0, len(self), _ROWS):
            codes = self.codes[start : start + _ROWS]
            rows = buffer[: len(codes)]
            np.copyto(rows, codes)
            np.dot(rows, vector, out=product[start : start + len(codes)])
        product /= ONE
        return product
