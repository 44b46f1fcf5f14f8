"""Where the indexes and the search are put together; loads all that is heavy."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from worker.index.chroma import ChromaIndex
from worker.index.embedder import (
    Embedder,
    EmbedderMissingError,
    QueryVectors,
    UniversalSentenceEncoder,
)
from worker.index.kept import KeptVectors
from worker.index.keyword import KeywordIndex
from worker.index.sync import Sync
from worker.index.vectors import VectorIndex
from worker.search.meaning_leg import MeaningLeg
from worker.search.service import Parts, SearchService
from worker.shared.contract import PartReport, PartState, Ready
from worker.shared.errors import StoreUnavailableError
from worker.shared.paths import Paths
from worker.shared.settings import Settings
from worker.store.store import Store


@dataclass(frozen=True, slots=True)
class Loaded:
    """The search service and the life of what it stands on."""

    service: SearchService
    ready: Callable[[], Ready]
    _sync: Sync
    _keyword: KeywordIndex
    _vectors: VectorIndex
    _embedder: Embedder | None

    def start(self) -> None:
        """Bring the indexes up to date in the background, and load the model."""
        self._sync.start()
        if self._embedder:
            with suppress(EmbedderMissingError):  # its state says so
                self._embedder.load()

    def stop(self) -> None:
        """End the background work and close the indexes."""
        self._sync.stop()
        self._vectors.close()
        self._keyword.close()


def load(paths: Paths, settings: Settings, store: Store) -> Loaded:
    """Return the search over a store that is open."""
    model, dimension = UniversalSentenceEncoder.name, UniversalSentenceEncoder.dimension
    embedder = UniversalSentenceEncoder() if settings.semantic else None
    chroma = ChromaIndex(
        paths.index / "chroma", model=model, dimension=dimension, server=settings.chroma_server
    )
    kept = KeptVectors(paths.index / "vectors.db", model=model, dimension=dimension)
    vectors = VectorIndex(kept, chroma if embedder else None)
    keyword = KeywordIndex(paths.index / "keyword.db")
    sync = Sync(store, keyword, vectors, embedder)
    meaning = MeaningLeg(QueryVectors(embedder) if embedder else None, vectors)

    def state() -> Sequence[PartReport]:
        return _index_reports(sync, vectors, embedder)

    service = SearchService(Parts(store, keyword, meaning, state, sync.rebuild))
    return Loaded(service, lambda: _ready(store, state()), sync, keyword, vectors, embedder)


def _index_reports(
    sync: Sync, vectors: VectorIndex, embedder: Embedder | None
) -> Sequence[PartReport]:
    """Return how far the indexes are, without blocking."""
    parts = {report.part: report for report in sync.reports()}
    for report in vectors.reports():
        if report.state is not PartState.OK or report.part not in parts:
            parts[report.part] = report
    if embedder:
        state, cause = embedder.state
        parts["model"] = PartReport(part="model", state=state, cause=cause)
    return tuple(parts.values())


def _ready(store: Store, reports: Sequence[PartReport]) -> Ready:
    """Return how all parts are; down only where the store is."""
    try:
        store.data_version()
    except StoreUnavailableError as exc:
        down = PartReport(part="store", state=PartState.DOWN, cause=exc.detail)
        return Ready(state=PartState.DOWN, parts=[down, *reports])
    states = {report.state for report in reports}
    if states & {PartState.DEGRADED, PartState.DOWN}:
        state = PartState.DEGRADED
    else:
        state = PartState.BUILDING if PartState.BUILDING in states else PartState.OK
    return Ready(state=state, parts=[PartReport(part="store", state=PartState.OK), *reports])
