"""The routes over the real search by words, with the rows that a test wants."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from flask.testing import FlaskClient

from tests.web.conftest import PORT, OwnHostClient, identity_for, services_for
from worker.compose import Loaded, load
from worker.shared.paths import Paths
from worker.shared.readiness import PartState
from worker.shared.settings import Settings
from worker.store.store import Store
from worker.web.app import create_app


@contextmanager
def serving(paths: Paths, insert: Callable[[], object]) -> Iterator[tuple[FlaskClient, Loaded]]:
    """Serve what `insert` writes into the new database of `paths`, once all of it is indexed."""
    paths.create()
    store = Store(paths.database)
    store.open()
    insert()
    loaded = load(paths, Settings(semantic=False), store)
    loaded.start()
    _wait_until_ready(loaded)
    identity = identity_for(PORT, paths.data_dir)
    app = create_app(replace(services_for(store, identity), search=loaded.service))
    app.test_client_class = OwnHostClient
    yield app.test_client(), loaded
    loaded.stop()
    store.close()


def _wait_until_ready(loaded: Loaded) -> None:
    deadline = time.monotonic() + 60
    while loaded.sync.reports()[0].state is not PartState.OK:
        assert time.monotonic() < deadline, loaded.sync.reports()
