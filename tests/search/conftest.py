"""An index and a whole search over a few records, made in a line."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from tests.index.fakes import FakeEmbedder
from tests.index.running import Worker, until
from tests.store.rows import insert, plain
from worker.index.embedder import QueryVectors
from worker.index.fingerprint import text_fingerprint
from worker.index.keyword import KeywordIndex
from worker.search.meaning_leg import MeaningLeg
from worker.search.service import Parts, SearchService
from worker.search.sources import Sources
from worker.shared.contract import SearchReply, SearchRequest
from worker.store.records import Record

few_examples = settings(max_examples=50, deadline=None)  # a busy machine may be slow


@pytest.fixture
def index(tmp_path: Path) -> Iterator[KeywordIndex]:
    opened = KeywordIndex(tmp_path / "keyword.db")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeywordIndex]:
    """An index for many examples: each begins by removing what the last one left."""
    opened = KeywordIndex(tmp_path_factory.mktemp("reused") / "keyword.db")
    opened.open()
    yield opened
    opened.close()


def put(index: KeywordIndex, *records: Record) -> None:
    index.put([(record, text_fingerprint(repr(record))) for record in records])


# ---------------------------------------------------------------------- a whole search
@dataclass
class Searching(Worker):
    """A run of the worker that answers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sources = Sources(self.store)
        self.has_looked_ahead = threading.Event()
        meaning = MeaningLeg(QueryVectors(self.embedder), self.vectors)
        sync = self.sync
        parts = Parts(self.store, self.keyword, meaning, sync.reports, sync.rebuild, self.sources)
        self.service = SearchService(parts)

    def look_ahead(self) -> None:
        self.sources.look_up(self.keyword.catalog.snapshot)
        self.has_looked_ahead.set()

    def start(self) -> "Searching":
        """Index everything there is."""
        self.sync.start()
        until(lambda: self.is_in_step() and self.embedder.state.state.value == "ok")
        return self

    def search(self, query: str = "", **asked: object) -> SearchReply:
        return self.service.search(SearchRequest.model_validate({"query": query, **asked}))

    def hits(self, query: str = "", **asked: object) -> list[str]:
        return [item.ref for item in self.search(query, **asked).items]

    def pages(self, query: str = "", **asked: object) -> list[str]:
        """Return the hits of all pages, one after the other."""
        refs: list[str] = []
        while page := self.hits(query, **{"limit": 100} | asked, offset=len(refs)):
            refs += page
        return refs

    def remember(self, table: str = "observations", **values: object) -> int:
        """Write a record past the store, as another program would; lists become JSON."""
        with plain(self.store.path) as db:
            return remember(db, table, **values)


def remember(db: sqlite3.Connection, table: str = "observations", **values: object) -> int:
    """Write a record on an open connection; lists become JSON."""
    row = {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        for name, value in values.items()
    }
    return insert(db, table, **row)


SENSES = {"automobil": "car"}  # words of one meaning, as the terms that analysis makes of them


@pytest.fixture
def searching(tmp_path: Path) -> Iterator[Searching]:
    """A search over an empty store, not started yet."""
    worker = Searching(tmp_path, FakeEmbedder(SENSES))
    yield worker
    worker.stop()
