"""The meaning leg: the query's vector, the memories nearest to it, and how near is near."""

from dataclasses import dataclass, field

from worker.index.embedder import EmbedderMissingError, QueryVectors
from worker.index.keys import Keys
from worker.index.vectors import VectorIndex
from worker.search.fusion import UNKNOWN, Background
from worker.shared.contract import Degraded, PartState

NEAREST = 100

# Measured (docs/SEARCH.md): made-up words reach a cosine of .27 at most and .20 in one of twenty;
# what answers a question lies above .20 in nineteen of twenty. Beside keyword matches, which show
# that the words mean something here, a lower one will do.
FLOOR = 0.20
FLOOR_BESIDE_KEYWORDS = 0.20


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the meaning leg found: key -> cosine of the nearest, best first."""

    cosines: dict[int, float] = field(default_factory=dict)
    background: Background = UNKNOWN
    source: str = ""  # who answered: chroma or kept
    degraded: tuple[Degraded, ...] = ()

    def near(self, floor: float) -> set[int]:
        """Return the keys that are near enough to be shown."""
        return {key for key, cosine in self.cosines.items() if cosine >= floor}


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
        if state is not PartState.OK:
            loading = state is PartState.BUILDING
            remedy = "It is ready in a few seconds." if loading else "Reinstall Memtray."
            return Meaning(degraded=(Degraded(part="model", reason=reason, remedy=remedy),))
        try:
            vector = self._queries.vector(text)
        except EmbedderMissingError as exc:
            problem = Degraded(part="model", reason=exc.detail, remedy="Reinstall Memtray.")
            return Meaning(degraded=(problem,))
        found = self._vectors.nearest(vector, NEAREST, among=among)
        mean, deviation = self._vectors.kept.background(vector)
        degraded: tuple[Degraded, ...] = ()
        if found.impairment:
            remedy = "It is rebuilt from the kept vectors at the next start."
            degraded = (Degraded(part="chroma", reason=found.impairment, remedy=remedy),)
        cosines = dict(zip(found.keys.tolist(), found.cosines.tolist(), strict=True))
        return Meaning(cosines, Background(mean, deviation), found.source, degraded)

    def cosines(self, text: str, keys: Keys) -> dict[int, float]:
        """Return the cosine of each key that has a vector; of a text that `nearest` was asked."""
        if self._queries is None or not len(keys):
            return {}
        values = self._vectors.kept.cosines(self._queries.vector(text), keys)
        pairs = zip(keys.tolist(), values.tolist(), strict=True)
        return {key: value for key, value in pairs if value == value}  # not NaN
