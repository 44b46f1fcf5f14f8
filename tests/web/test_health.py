"""Health is quick and says who; readiness says how."""

import json
import os
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from worker.shared.errors import StoreUnavailableError
from worker.shared.readiness import Health, PartReport, PartState, Ready
from worker.shared.refs import Kind
from worker.web.app import Services, create_app
from worker.web.health import Observations


@pytest.mark.parametrize("path", ["/health", "/api/health"])
def test_health_says_who_answers(client: FlaskClient, path: str) -> None:
    health = Health.model_validate_json(client.get(path).data)

    assert health.service == "memtray-worker"
    assert health.api_level == 1
    assert (health.version, health.instance, health.port) == ("1.2.3", "abc", 37777)
    assert health.pid == os.getpid()
    assert 0 <= health.uptime_seconds < 60


def test_health_gives_no_token_away(client: FlaskClient) -> None:
    assert "the-token" not in client.get("/health").text


@pytest.mark.parametrize(
    ("state", "status"),
    [
        (PartState.OK, 200),
        (PartState.BUILDING, 200),
        (PartState.DEGRADED, 200),
        (PartState.DOWN, 503),
    ],
)
def test_readiness_is_503_only_when_down(services: Services, state: PartState, status: int) -> None:
    ready = Ready(state=state, parts=[PartReport(part="store", state=state, cause="why")])
    client = create_app(replace(services, ready=lambda: ready)).test_client()

    response = client.get("/api/ready", base_url="http://localhost:37777")

    assert response.status_code == status
    assert json.loads(response.data)["parts"][0]["cause"] == "why"


class Counting:
    """Counts the questions, answers as told, and waits while the gate is shut."""

    def __init__(self) -> None:
        self.asked = 0
        self.number = 5
        self.error: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.answered = threading.Event()

    def __call__(self) -> Mapping[Kind, int]:
        self.asked += 1
        self.gate.wait()
        self.answered.set()
        if self.error:
            raise self.error
        return {Kind.OBSERVATION: self.number}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def until(observations: Observations, expected: int | None) -> None:
    """Ask until the answer has come; the counting thread needs a moment."""
    for _ in range(1_000):
        if observations() == expected:
            return
    pytest.fail(f"never {expected}")


def test_the_number_is_asked_at_most_once_a_second() -> None:
    counting, clock = Counting(), Clock()
    observations = Observations(counting, clock=clock)
    until(observations, 5)

    counting.number = 6
    assert [observations() for _ in range(50)] == [5] * 50
    assert counting.asked == 1

    clock.now = 1.5
    until(observations, 6)
    assert counting.asked == 2


def test_a_store_that_hangs_does_not_hold_health_up() -> None:
    counting, clock = Counting(), Clock()
    observations = Observations(counting, clock=clock)
    until(observations, 5)
    counting.gate.clear()
    clock.now = 2.0

    assert [observations() for _ in range(50)] == [5] * 50
    assert counting.asked == 2

    counting.gate.set()


@pytest.mark.parametrize("error", [StoreUnavailableError("gone"), sqlite3.OperationalError("lock")])
def test_the_number_is_unknown_while_the_store_fails(error: Exception) -> None:
    counting, clock = Counting(), Clock()
    observations = Observations(counting, clock=clock)
    until(observations, 5)

    counting.error = error
    clock.now = 2.0
    until(observations, None)

    counting.error = None
    clock.now = 4.0
    until(observations, 5)
