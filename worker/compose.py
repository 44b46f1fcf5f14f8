"""Where the indexes and the search are put together; loads all that is heavy."""

from collections.abc import Callable
from dataclasses import dataclass

from worker.checks import readiness
from worker.index.chroma import ChromaIndex
from worker.index.embedder import QueryVectors, UniversalSentenceEncoder
from worker.index.kept import KeptVectors
from worker.index.keyword import KeywordIndex
from worker.index.sync import Sync
from worker.index.vectors import VectorIndex
from worker.search.meaning_leg import MeaningLeg
from worker.search.service import Parts, SearchService
from worker.shared.contract import Ready
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

    def start(self) -> None:
        """Bring the indexes up to date in the background."""
        self._sync.start()

    def wake(self) -> None:
        """Look for new memories at once."""
        self._sync.wake()

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

    service = SearchService(Parts(store, keyword, meaning, sync.reports, sync.rebuild))
    return Loaded(service, lambda: readiness(store, sync.reports()), sync, keyword, vectors)
