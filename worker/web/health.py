"""Alive, who, and how each part is."""

import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait

from flask import Blueprint, Response

from worker.shared.errors import MemtrayError
from worker.shared.identity import Identity
from worker.shared.readiness import Health, PartState, Ready
from worker.shared.refs import Kind
from worker.web.replies import json_reply

HEALTH = "health.health"  # the endpoint's name in Flask
READY = "health.readiness"

_PATIENCE = 0.02  # seconds; a count takes a few milliseconds unless the database is locked


class Observations:
    """How many observations there are, asked at most once a second and never waited for long."""

    def __init__(
        self,
        counts: Callable[[], Mapping[Kind, int]],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._counts = counts
        self._clock = clock
        self._asker = ThreadPoolExecutor(1, thread_name_prefix="observations")
        self._asking = threading.Lock()  # held from the question to its answer
        self._known: int | None = None
        self._due = clock()

    def __call__(self) -> int | None:
        """Return the latest number; None while the store does not answer."""
        if self._clock() >= self._due and self._asking.acquire(blocking=False):
            wait([self._asker.submit(self._ask)], timeout=_PATIENCE)
        return self._known

    def _ask(self) -> None:
        try:
            self._known = self._counts()[Kind.OBSERVATION]
        except (MemtrayError, sqlite3.Error):
            self._known = None
        finally:
            self._due = self._clock() + 1
            self._asking.release()


def health_routes(
    identity: Identity, ready: Callable[[], Ready], observations: Callable[[], int | None]
) -> Blueprint:
    """Return /health and /api/ready; `observations` must answer at once."""
    routes = Blueprint("health", __name__)

    @routes.get("/health")
    @routes.get("/api/health")
    def health() -> Response:
        return json_reply(Health.model_validate(identity.health(observations())))

    @routes.get("/api/ready")
    def readiness() -> Response:
        report = ready()
        return json_reply(report, 503 if report.state is PartState.DOWN else 200)

    return routes
