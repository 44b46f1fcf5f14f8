"""A hundred thousand memories: the start is quick all the same, and so is each search."""

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.answers import search, until_part
from tests.integration.memories import (
    MINUTE,
    NOON,
    Memory,
    add,
    new_database,
    without_meaning,
    writing,
)
from tests.integration.processes import running
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

SIZE = 100_000
START = 15.0  # seconds until it serves
SEARCH = 2.0  # seconds, 95 of 100 searches
WHILE_BUILDING = 15.0  # seconds, each search before the index is there

pytestmark = pytest.mark.slow


def vocabulary() -> list[str]:
    """Return 5,000 made words, the first of which are to be the common ones."""
    chance = random.Random(1)
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    return ["".join(chance.choices(syllables, k=3)) for _ in range(5_000)]


def memories(words: list[str]) -> Iterator[Memory]:
    chance = random.Random(2)
    weights = [1 / (rank + 3) for rank in range(len(words))]  # as in human language
    for number in range(SIZE):
        text = chance.choices(words, weights, k=50)
        at = NOON - number * MINUTE
        yield Memory(" ".join(text[:7]), " ".join(text[7:]), f"project{number % 9}", at=at)


def test_start_and_search_are_quick(tmp_path: Path) -> None:
    words = vocabulary()
    database = Paths(tmp_path).database
    new_database(database)
    with writing(database) as connection:
        add(connection, memories(words))
    without_meaning(tmp_path)
    chance = random.Random(3)

    with running(tmp_path) as worker:
        until_part(worker, "keyword", PartState.BUILDING)
        began = time.monotonic()
        assert search(worker, query=words[40]).degraded
        assert time.monotonic() - began < WHILE_BUILDING
        worker.until("/api/ready", lambda _, body: body["parts"][1]["state"] == "ok", seconds=600)
        assert worker.stop() == 0

    began = time.monotonic()
    with running(tmp_path) as worker:
        assert worker.get("/health")[0] == 200
        assert time.monotonic() - began < START
        until_part(worker, "keyword", PartState.OK)
        took = []
        for number in range(300):
            query = " ".join(chance.choices(words, k=1 + number % 4))
            began = time.monotonic()
            search(worker, query=query, **({"project": "project3"} if number % 5 == 0 else {}))
            took.append(time.monotonic() - began)
    assert statistics.quantiles(took, n=20)[-1] < SEARCH
