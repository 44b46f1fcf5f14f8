"""Real vectors of real sentences, made once a session."""

import itertools
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.index.both import Corpus, new_chroma, new_kept, opened, put
from worker.index.chroma import ChromaIndex
from worker.index.embedder import Matrix, UniversalSentenceEncoder
from worker.index.kept import KeptVectors
from worker.index.vectors import VectorIndex

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


@pytest.fixture
def index(tmp_path: Path, corpus: Corpus) -> Iterator[VectorIndex]:
    """An index of 200 texts that Chroma serves."""
    with opened(tmp_path) as index:
        put(index, corpus.first(200))
        index.catch_up()
        yield index


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> Path:
    """A folder with all texts in both, closed; copy it before use."""
    folder = tmp_path_factory.mktemp("filled")
    with opened(folder) as index:
        put(index, corpus)
        index.catch_up()
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(filled, tmp_path / "index"))


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[ChromaIndex]:
    with closing(new_chroma(tmp_path)) as chroma:
        chroma.open()
        yield chroma


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[KeptVectors]:
    kept = new_kept(tmp_path)
    kept.open()
    yield kept
    kept.close()
