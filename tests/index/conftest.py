"""Real vectors of real sentences, made once a session; and runs of what keeps the indexes."""

import itertools
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.index.both import Corpus, new_chroma, new_kept, opened, put
from tests.index.running import Start, Worker
from tests.store.rows import MARCH, insert, plain
from worker.index.chroma import ChromaIndex
from worker.index.embedder import Matrix, UniversalSentenceEncoder
from worker.index.kept import KeptVectors
from worker.index.vectors import VectorIndex
from worker.store.store import Store

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


@pytest.fixture
def prepare(tmp_path: Path) -> Iterator[Start]:
    """Return runs of the worker over one folder, not started yet; all are stopped at the end."""
    workers: list[Worker] = []

    def worker(**parts: Any) -> Worker:  # noqa: ANN401 - what the dataclass takes
        workers.append(Worker(tmp_path, **parts))
        return workers[-1]

    yield worker
    for each in workers:
        each.stop()


@pytest.fixture
def start(prepare: Start) -> Start:
    def run(**parts: Any) -> Worker:  # noqa: ANN401 - what the dataclass takes
        worker = prepare(**parts)
        worker.sync.start()
        return worker

    return run


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A store with a hundred records of all kinds, closed."""
    store = Store(tmp_path / "claude-mem.db")
    store.open()
    store.close()
    with plain(store.path) as db:
        for i in range(80):
            insert(db, "observations", title=f"pool number{i}", created_at_epoch=MARCH + i)
        for i in range(10):
            insert(db, "session_summaries", request=f"summary number{i}")
            insert(db, "user_prompts", prompt_text=f"prompt number{i}")
    return store.path
