"""An embedder that needs no model: texts that share words are near each other."""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from worker.index.analyze import is_stop_word, terms
from worker.index.embedder import EmbedderState, Matrix
from worker.shared.readiness import PartState

DIMENSION = 512  # so many that words which have nothing in common lie far below the floor


class FakeEmbedder:
    """Adds up a fixed direction a word; counts what it was asked.

    `senses` maps a term to another whose direction it shares.
    """

    name = "fake"
    dimension = DIMENSION

    def __init__(self, senses: Mapping[str, str] | None = None) -> None:
        self.texts: list[str] = []  # all that were embedded
        self.state = EmbedderState(PartState.BUILDING, "not loaded")
        self._senses = senses or {}

    def load(self) -> None:
        self.state = EmbedderState(PartState.OK)

    def encode(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> Matrix:
        words = [term for term in terms(text)[0] if not is_stop_word(term)]
        total = sum((_direction(self._senses.get(word, word)) for word in words), _NOWHERE)
        vector: Matrix = total / np.linalg.norm(total)
        return vector


@cache
def _direction(word: str) -> Matrix:
    chance = np.random.default_rng(zlib.crc32(word.encode("utf-8", "replace")))
    return chance.normal(size=DIMENSION).astype(np.float32)


_NOWHERE = 1e-3 * _direction("")  # what a text without words points at
