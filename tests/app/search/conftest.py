"""A search window over a worker that answers as a test wants, or over a real one."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.search.window import SearchWindow
from app.settings.store import SettingsStore
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.shared.stub import Answer, Asked, Stub, problem
from worker.shared.contract import Degraded, Facets, Item, SearchReply, Snippet
from worker.shared.paths import Paths
from worker.shared.refs import Kind

Made = Callable[[], tuple[SearchWindow, SettingsStore, QSettings]]


def hit(number: int, **values: object) -> Item:
    """Return one row, unlike all others."""
    row: dict[str, object] = {
        "id": number,
        "ref": f"#{number}",
        "kind": Kind.OBSERVATION,
        "type": "bugfix",
        "title": f"The pool {number} 🎉 is empty",
        "title_marks": [(4, 8)],
        "project": "web",
        "created_at": "2026-03-14T09:30:00+01:00",
        "created_at_epoch": 1_773_477_000_000,
        "snippet": Snippet(
            field="narrative", text="In the pool 连接池 & <b>more</b>", marks=[(7, 11)]
        ),
        "leg": "both",
        "score": 0.5,
    }
    return Item.model_validate(row | values)


@dataclass
class Rows:
    """What the worker holds: so many rows for each query that is not named in `found`."""

    count: int = 120
    found: dict[str, int] = field(default_factory=dict)  # query -> rows
    facets: Facets = field(default_factory=Facets)
    held: dict[str, threading.Event] = field(default_factory=dict)  # query -> when it is answered
    notes: list[str] = field(default_factory=list)
    degraded: list[Degraded] = field(default_factory=list)
    asked: list[dict[str, str]] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer:
        if asked.path != "/api/search":
            return problem(404, "not_found", "There is no such memory.")
        self.asked.append(asked.params)
        query = asked.params.get("query", "")
        if query in self.held:
            self.held[query].wait(20)
        total = self._total(query, asked.params)
        offset, limit = int(asked.params.get("offset", 0)), int(asked.params["limit"])
        items = [hit(number) for number in range(offset, min(total, offset + limit))]
        reply = SearchReply(
            items=items,
            total=total,
            limit=limit,
            offset=offset,
            outcome="hits" if items else "none",
            facets=self.facets,
            notes=self.notes,
            degraded=self.degraded,
        )
        return Answer(reply.model_dump_json().encode())

    def _total(self, query: str, params: dict[str, str]) -> int:
        filtered = json.dumps({k: v for k, v in params.items() if k in ("projects", "obs_type")})
        return self.found.get(f"{query} {filtered}", self.found.get(query, self.count))

    def queries(self) -> list[str]:
        """Return what was searched, without later pages and counts."""
        first = [p for p in self.asked if p["limit"] != "1" and "offset" not in p]
        return [params.get("query", "") for params in first]


@dataclass
class Scene:
    """A window, the worker that it asks, and where it keeps what it keeps."""

    window: SearchWindow
    rows: Rows
    stub: Stub
    store: SettingsStore
    places: QSettings
    paths: Paths


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths(tmp_path / "data")
    paths.create()
    return paths


@pytest.fixture
def new_window(qtbot: QtBot, theme: Theme, paths: Paths) -> Made:
    """Return a window of its own each time, over the same folder."""

    def make() -> tuple[SearchWindow, SettingsStore, QSettings]:
        store = SettingsStore(paths.settings)
        places = QSettings(str(paths.own / "app.ini"), QSettings.Format.IniFormat)
        client = WorkerClient(paths, environ={})
        window = SearchWindow(client, store, places, theme)
        client.setParent(window)
        store.setParent(window)
        qtbot.addWidget(window)
        return window, store, places

    return make


@pytest.fixture
def scene(paths: Paths, new_window: Made) -> Iterator[Scene]:
    """A window that is not open yet, over a worker with 120 rows."""
    rows = Rows()
    with Stub(paths, rows).serving() as stub:
        stub.announce()
        window, store, places = new_window()
        yield Scene(window, rows, stub, store, places, paths)
        for event in rows.held.values():
            event.set()
        window.close()
