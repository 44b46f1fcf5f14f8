"""What a worker answers to a few questions, for comparing it before and after a fault."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from tests.integration.processes import Worker
from worker.shared.contract import SearchReply
from worker.shared.readiness import PartReport, PartState, Ready

BY_MEANING = "Why is paying sluggish?"  # holds no word of any memory, nor a piece of one
BY_WORDS = "payment service"
QUESTIONS = (
    {"query": BY_MEANING},
    {"query": BY_MEANING, "project": "garden"},
    {"query": "The copies that we keep in case of a loss are damaged"},
    {"query": BY_WORDS},
    {"query": "disk lock", "limit": "50"},
)
INDEXED = {"store", "keyword", "vectors", "chroma", "model"}

Rows = list[list[Any]]  # id, leg and score of each


def answers(worker: Worker) -> list[Rows]:
    """Return the rows that answer each of the questions."""
    return [rows(search(worker, **question)) for question in QUESTIONS]


def rows(reply: SearchReply) -> Rows:
    return [[item.id, item.leg, item.score] for item in reply.items]


def search(worker: Worker, **params: str) -> SearchReply:
    """Search by HTTP."""
    status, body = worker.get(f"/api/search?{urlencode({**params, 'format': 'json'})}")
    assert status == 200, body
    return SearchReply.model_validate(body)


def parts(worker: Worker) -> dict[str, PartReport]:
    """Return how each part is, by its name."""
    return _by_name(worker.get("/api/ready")[1])


def until_whole(worker: Worker, *, seconds: float = 120) -> None:
    """Wait until every part is ok and has all that there is to have."""
    worker.until("/api/ready", lambda _, body: is_whole(_by_name(body)), seconds=seconds)


def is_whole(reports: Mapping[str, PartReport]) -> bool:
    """Say whether every part is ok and has all that there is to have.

    What is not looked at yet, or not there, as a client that is not installed, is no fault.
    """
    return reports.keys() >= INDEXED and all(
        (part.state is PartState.OK and part.done == part.total)
        or (name not in INDEXED and part.state is PartState.OFF)
        for name, part in reports.items()
    )


def until_part(worker: Worker, name: str, state: PartState) -> dict[str, PartReport]:
    """Wait until one part is in a state, and return how all are."""

    def reached(_: int, body: object) -> bool:
        reports = _by_name(body)
        return name in reports and reports[name].state is state

    return _by_name(worker.until("/api/ready", reached, seconds=60))


def _by_name(ready: object) -> dict[str, PartReport]:
    return {part.part: part for part in Ready.model_validate(ready).parts}
