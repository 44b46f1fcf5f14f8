"""Real vectors of real sentences, made once a session."""

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from worker.index.chroma import ChromaIndex
from worker.index.embedder import Matrix, UniversalSentenceEncoder
from worker.index.kept import KeptVectors
from worker.index.keys import Keys

THINGS = (
    "login form", "database pool", "image cache", "search index", "mail queue", "payment service",
    "build script", "tray icon", "config parser", "backup job", "date picker", "PDF export",
    "websocket client", "rate limiter", "log viewer", "unit test runner", "user avatar", "map view",
    "spell checker", "audio player", "shopping cart", "file watcher", "shell completion",
    "translation table", "weather widget", "invoice printer", "chess engine", "recipe importer",
    "garden planner", "bus timetable",
)  # fmt: skip
EVENTS = (
    "times out", "leaks memory", "crashes at midnight", "was rewritten in Rust",
    "shows wrong numbers", "now retries three times", "lost its translations",
    "ignores the settings file", "became twice as fast",
)  # fmt: skip
REASONS = (
    "because a lock was never released", "after the upgrade to Python 3.12",
    "since the cache key had no version", "so that users on slow networks can work",
)  # fmt: skip


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


@pytest.fixture(scope="session")
def encoder() -> UniversalSentenceEncoder:
    encoder = UniversalSentenceEncoder()
    encoder.load()
    return encoder


@pytest.fixture(scope="session")
def corpus(encoder: UniversalSentenceEncoder) -> Corpus:
    """1,080 sentences: enough that Chroma writes its index files."""
    texts = tuple(f"The {' '.join(words)}." for words in itertools.product(THINGS, EVENTS, REASONS))
    keys = np.arange(1, len(texts) + 1, dtype=np.int64) << 2
    prints = tuple(index.to_bytes(8, "big") for index in range(len(texts)))
    return Corpus(texts, keys, prints, encoder.encode(texts))


@pytest.fixture(scope="session")
def question(encoder: UniversalSentenceEncoder) -> Matrix:
    vector: Matrix = encoder.encode(["Why does paying for an order take so long?"])[0]
    return vector


def new_kept(folder: Path, *, model: str = "test") -> KeptVectors:
    return KeptVectors(folder / "vectors.db", model=model, dimension=512)


def new_chroma(folder: Path, *, model: str = "test") -> ChromaIndex:
    return ChromaIndex(folder / "chroma", model=model, dimension=512)
