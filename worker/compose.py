"""Where the indexes and the search are put together; loads all that is heavy."""

from dataclasses import dataclass

from worker.checks.database import known_damage
from worker.index.chroma import ChromaIndex
from worker.index.embedder import Embedder, QueryVectors, UniversalSentenceEncoder
from worker.index.kept import KeptVectors
from worker.index.keyword import KeywordIndex
from worker.index.sync import Sync
from worker.index.vectors import VectorIndex
from worker.search.meaning_leg import MeaningLeg
from worker.search.service import Parts, SearchService
from worker.search.sources import Sources
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport
from worker.shared.settings import Settings
from worker.store.store import Store


@dataclass(frozen=True, slots=True)
class Loaded:
    """The search service and the life of what it stands on."""

    service: SearchService
    sync: Sync
    keyword: KeywordIndex
    vectors: VectorIndex
    embedder: Embedder | None  # None where search by meaning is switched off

    def start(self) -> None:
        """Bring the indexes up to date in the background."""
        self.sync.start()

    def wake(self) -> None:
        """Look for new memories at once."""
        self.sync.wake()

    def stop(self) -> None:
        """End the background work and close the indexes."""
        self.sync.stop()
        self.vectors.close()
        self.keyword.close()


def load(
    paths: Paths, settings: Settings, store: Store, *, embedder: Embedder | None = None
) -> Loaded:
    """Return the search over a store that is open, with a model of its own unless one is given."""
    if settings.semantic:
        embedder = embedder or UniversalSentenceEncoder()
    vectors = vector_index(paths, settings)
    keyword = keyword_index(paths)
    sources = Sources(store)

    def look_ahead() -> None:
        sources.look_up(keyword.catalog.snapshot)

    sync = Sync(store, keyword, vectors, embedder, look_ahead=look_ahead)
    meaning = MeaningLeg(QueryVectors(embedder) if embedder else None, vectors)

    def reports() -> list[PartReport]:
        damaged = known_damage(store)
        return [*([damaged] if damaged else []), *sync.reports()]

    service = SearchService(Parts(store, keyword, meaning, reports, sync.rebuild, sources))
    return Loaded(service, sync, keyword, vectors, embedder)


def keyword_index(paths: Paths) -> KeywordIndex:
    """Return the keyword index of a data folder, not opened."""
    return KeywordIndex(paths.index / "keyword.db")


def vector_index(paths: Paths, settings: Settings) -> VectorIndex:
    """Return the vectors of a data folder, not opened."""
    model, dimension = UniversalSentenceEncoder.name, UniversalSentenceEncoder.dimension
    kept = KeptVectors(paths.index / "vectors.db", model=model, dimension=dimension)
    chroma = ChromaIndex(
        paths.index / "chroma", model=model, dimension=dimension, server=settings.chroma_server
    )
    return VectorIndex(kept, chroma if settings.semantic else None)
