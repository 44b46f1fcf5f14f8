"""An index and a whole search over a few records, made in a line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from worker.index.fingerprint import record_fingerprint
from worker.index.keyword import KeywordIndex
from worker.store.records import Record


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
    index.put([(record, record_fingerprint(record)) for record in records])
