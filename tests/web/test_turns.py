"""Many searches at once: few are worked on, and none that stands still holds up the others."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from tests.web.conftest import OwnHostClient
from tests.web.fakes import OneMemory
from worker.shared.contract import SearchReply, SearchRequest
from worker.web.turns import AT_ONCE

SEARCH = "/api/search?query=pool"
STILL = "/api/search?query=still"


class Crowd(OneMemory):
    """Counts who searches at the same time; those for `still` stay until they are let go."""

    def __init__(self) -> None:
        super().__init__()
        self.inside: set[int] = set()
        self.most = 0
        self.standing = threading.Semaphore(0)
        self.let_go = threading.Event()

    def search(self, request: SearchRequest) -> SearchReply:
        self.inside.add(threading.get_ident())
        self.most = max(self.most, len(self.inside))
        if request.query == "still":
            self.standing.release()
            assert self.let_go.wait(30)
        else:
            time.sleep(0.002)  # lets the others run, as SQLite does
        self.inside.remove(threading.get_ident())
        return super().search(request)


@pytest.fixture
def search() -> Crowd:
    return Crowd()


def ask(app: Flask, path: str) -> int:
    app.test_client_class = OwnHostClient
    return app.test_client().get(path).status_code


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no stall of the machine be what sends a search ahead."""
    monkeypatch.setattr("worker.web.turns.PATIENCE", 30)


@pytest.mark.usefixtures("patient")
def test_few_searches_are_worked_on_at_once(app: Flask, search: Crowd) -> None:
    with ThreadPoolExecutor(8) as clients:
        answers = list(clients.map(lambda path: ask(app, path), [SEARCH] * 80))
    assert set(answers) == {200}
    assert search.most == AT_ONCE


@pytest.mark.parametrize("path", [SEARCH, "/api/timeline?anchor=1", "/api/stats", "/health"])
def test_searches_that_stand_still_keep_nobody_from_an_answer(
    app: Flask, search: Crowd, path: str
) -> None:
    with ThreadPoolExecutor(AT_ONCE) as clients:
        still = [clients.submit(ask, app, STILL) for _ in range(AT_ONCE)]
        try:
            assert all(search.standing.acquire(timeout=30) for _ in still)
            assert ask(app, path) == 200
        finally:
            search.let_go.set()
    assert [each.result() for each in still] == [200, 200]


@pytest.mark.usefixtures("patient")
def test_a_search_that_failed_gives_its_place_back(app: Flask, search: Crowd) -> None:
    assert [ask(app, "/api/search?limit=banana") for _ in range(5)] == [400] * 5
    with ThreadPoolExecutor(8) as clients:
        assert set(clients.map(lambda path: ask(app, path), [SEARCH] * 40)) == {200}
    assert search.most == AT_ONCE
