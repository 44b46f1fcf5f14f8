"""The meaning leg: the query's vector, the memories nearest to it, and how near is near."""

from dataclasses import dataclass, field

import numpy as np

from worker.index.embedder import EmbedderMissingError, Matrix, QueryVectors
from worker.index.keys import Keys
from worker.index.vectors import VectorIndex
from worker.search.fusion import UNKNOWN, Background
from worker.shared.contract import Degraded
from worker.shared.readiness import PartState

NEAREST = 100

# How near is near, as cosines, measured (docs/SEARCH.md). Words that occur in no memory reach .24
# less than once in twenty times; a question in another language than its answer lies between .12
# and .55, and is told from a made-up word by its length. Whether a memory is near does not depend
# on others: it must not vanish because one of them is deleted.
FLOOR = 0.24
FLOOR_SENTENCE = 0.12


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the meaning leg found, best first; nothing where it could not look."""

    keys: Keys = field(default_factory=lambda: np.array([], dtype=np.int64))
    cosines: Matrix = field(default_factory=lambda: np.array([], dtype=np.float32))
    background: Background = UNKNOWN
    source: str = ""  # who answered: chroma or kept
    degraded: tuple[Degraded, ...] = ()

    def near(self, *, sentence: bool) -> Keys:
        """Return the keys that are near enough to be shown.

        sentence: the query is one, in a script without blanks.
        """
        return self.keys[self.cosines >= (FLOOR_SENTENCE if sentence else FLOOR)]


class MeaningLeg:
    """Answers from the vectors there are; says what is missing instead of failing."""

    def __init__(self, queries: QueryVectors | None, vectors: VectorIndex) -> None:
        self._queries = queries
        self._vectors = vectors

    def nearest(self, text: str, among: Keys | None) -> Meaning:
        """Return the memories nearest to `text`, all or `among` these keys."""
        if self._queries is None:
            return Meaning()  # switched off: that is a choice, not an impairment
        state, reason = self._queries.embedder.state
        if state in (PartState.BUILDING, PartState.DEGRADED):  # a query does not wait for it
            soon = "It is ready in a few seconds" if state is PartState.BUILDING else "Until then"
            return _without_model(reason, f"{soon}; words are searched.")
        try:
            vector = self._queries.vector(text)
        except EmbedderMissingError as exc:
            return _without_model(exc.detail, "Until then, words are searched.")
        found = self._vectors.nearest(vector, NEAREST, among)
        degraded: tuple[Degraded, ...] = ()
        if found.impairment:
            remedy = "See GET /api/ready for the state of each part."
            degraded = (Degraded(part="vectors", reason=found.impairment, remedy=remedy),)
        background = Background(*self._vectors.kept.background(vector))
        return Meaning(found.keys, found.cosines, background, found.source, degraded)

    def cosines(self, text: str, keys: Keys) -> Matrix:
        """Return each key's cosine with a text that `nearest` was asked, NaN without a vector."""
        if self._queries is None or self._queries.embedder.state.state is not PartState.OK:
            return np.full(len(keys), np.nan, dtype=np.float32)
        return self._vectors.kept.cosines(self._queries.vector(text), keys)


def _without_model(reason: str, remedy: str) -> Meaning:
    return Meaning(degraded=(Degraded(part="model", reason=reason, remedy=remedy),))
