"""The API over a real store and a search service that knows one memory."""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.fakes import NothingToMend, OneMemory
from worker.backup.service import Backups
from worker.ingest.capture import Capture
from worker.ingest.compacting import Compacting
from worker.ingest.importing import Imports
from worker.ingest.letting_go import Trash
from worker.ingest.scan import Scan
from worker.ingest.service import Ingest
from worker.ingest.traces import Traces
from worker.ports import bind
from worker.recalls.recorder import Recorder
from worker.recalls.service import Recalls
from worker.serve import Server
from worker.shared.identity import Identity
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState, Ready
from worker.store.store import Store
from worker.web.app import Services, create_app

PORT = 37777
TOKEN = "the-token"  # noqa: S105 - of a worker that lives for one test


def identity_for(port: int, data_dir: Path, *, require_token: bool = False) -> Identity:
    return Identity(
        version="1.2.3",
        instance="abc",
        pid=os.getpid(),
        port=port,
        started=time.time(),
        token=TOKEN,
        data_dir=str(data_dir),
        require_token=require_token,
    )


class OwnHostClient(FlaskClient):
    """Names the worker's own address as Host, unless told otherwise."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:  # noqa: ANN401 - as in its parent
        kwargs.setdefault("base_url", f"http://127.0.0.1:{PORT}")
        return super().open(*args, **kwargs)


def all_well() -> Ready:
    return Ready(state=PartState.OK, parts=[PartReport(part="store", state=PartState.OK)])


def nothing() -> None:
    """Take the place of what ends the worker."""


def services_for(store: Store, identity: Identity, *, search: OneMemory | None = None) -> Services:
    """Everything that the routes call, with a search that knows one memory."""
    paths = Paths(Path(identity.data_dir))
    search = search or OneMemory()
    state = paths.data_dir / "state.db"
    imports = Imports(store, state, nothing)
    capture = Capture(store, state)
    traces = Traces(store, state, anew=nothing)
    scan = Scan(store, state, backups=Backups(paths), traces=traces)
    compacting = Compacting(store, paths)
    trash = Trash(
        store, state, wake=nothing, search=search.search, traces=traces, backups=Backups(paths)
    )
    recorder = Recorder(paths.data_dir / "state.db", lambda: True)
    return Services(
        search=search,
        store=store,
        ready=all_well,
        identity=identity,
        stop=nothing,
        used=nothing,
        saving=Ingest(store, state),
        imports=lambda: imports,
        trash=lambda: trash,
        capture=lambda: capture,
        redacting=lambda: scan,
        compacting=lambda: compacting,
        backups=Backups(paths),
        upkeep=NothingToMend(),
        recalls=Recalls(recorder, store),
        note=recorder.note,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "claude-mem.db")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def search() -> OneMemory:
    return OneMemory()


@pytest.fixture
def services(store: Store, search: OneMemory, tmp_path: Path) -> Services:
    return services_for(store, identity_for(PORT, tmp_path), search=search)


@pytest.fixture
def app(services: Services) -> Flask:
    return create_app(services)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    app.test_client_class = OwnHostClient
    return app.test_client()


@pytest.fixture(scope="module")
def live_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a real server."""
    data_dir = tmp_path_factory.mktemp("live")
    store = Store(data_dir / "claude-mem.db")
    store.open()
    listening = bind(0)
    port: int = listening.getsockname()[1]
    identity = identity_for(port, data_dir)
    app = create_app(services_for(store, identity))
    server = Server(app, listening)
    thread = threading.Thread(target=server.run)
    thread.start()
    yield port
    server.stop()
    thread.join()
    store.close()
