"""Months of use: what was deleted gives its room back, and nothing else is touched."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.integration.memories import Memory, add, new_database, writing
from tests.web.conftest import PORT, TOKEN, OwnHostClient, identity_for, services_for
from tests.web.test_problems import problem
from worker.checks.size import check_size
from worker.ingest.compacting import Compacting
from worker.shared.jobs import JobState
from worker.shared.paths import Paths
from worker.store import compacting
from worker.store.compacting import NoRoomError, NotAloneError
from worker.store.store import Store
from worker.web.app import create_app

HEADERS = {"Authorization": f"Bearer {TOKEN}"}
ROWS = 4_000
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT count(*) FROM observations").fetchone()
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """A memory of which nine in ten were deleted."""
    paths = Paths(tmp_path / "data")
    new_database(paths.database)
    paths.create()
    words = "one of many words that fill a page " * 20
    with writing(paths.database) as connection:
        add(connection, [Memory(f"Number {n}", f"{n} {words}") for n in range(ROWS)])
    with writing(paths.database) as connection:
        connection.execute("DELETE FROM observations WHERE id % 10")
    return paths


@pytest.fixture
def store(paths: Paths) -> Iterator[Store]:
    opened = Store(paths.database)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def service(store: Store, paths: Paths) -> Compacting:
    return Compacting(store, paths)


@pytest.fixture
def client(store: Store, paths: Paths) -> FlaskClient:
    app = create_app(services_for(store, identity_for(PORT, paths.data_dir)))
    app.test_client_class = OwnHostClient
    return app.test_client()


@pytest.fixture
def another_program(paths: Paths) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-c", HOLDER, str(paths.database)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def until_done() -> None:
    for thread in threading.enumerate():
        if thread.name == "compact":
            thread.join(60)


def rows(store: Store) -> list[object]:
    return store.read().execute("SELECT * FROM observations ORDER BY id").fetchall()


def test_compacted_the_file_has_a_fifth_at_most_and_all_rows(
    client: FlaskClient, store: Store, paths: Paths
) -> None:
    before, kept = paths.database.stat().st_size, rows(store)
    report = check_size(paths)
    assert "unused" in report.cause

    answer = client.post("/api/compact", json={}, headers=HEADERS)
    until_done()

    assert answer.status_code == 202
    size = client.get("/api/compact").get_json()
    assert size["state"] == "done", size["cause"]
    assert size["before"] == before
    assert paths.database.stat().st_size == size["bytes"] <= before / 5
    assert rows(store) == kept
    assert store.damage(threading.Event()) == ""
    found = "SELECT count(*) FROM observations_fts WHERE observations_fts MATCH 'number'"
    assert store.read().execute(found).fetchone() == (ROWS // 10,)


@pytest.mark.skipif(sys.platform == "win32", reason="there the system does not tell who it is")
def test_while_another_program_has_it_open_it_is_refused_and_named(
    client: FlaskClient, another_program: "subprocess.Popen[str]", paths: Paths
) -> None:
    before = paths.database.stat().st_size

    found = problem(client.post("/api/compact", json={}, headers=HEADERS), 409)

    assert found.code == "in_use"
    assert f"pid {another_program.pid}" in found.detail
    assert paths.database.stat().st_size == before


def test_without_room_for_a_copy_nothing_is_begun(
    service: Compacting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compacting, "MARGIN", 2**60)

    with pytest.raises(NoRoomError, match="MB of room, and this needs"):
        service.compact()
    assert service.size().state is None


@pytest.mark.skipif(sys.platform == "win32", reason="there the system does not tell who it is")
def test_it_is_alone_once_the_other_has_ended(
    service: Compacting, another_program: "subprocess.Popen[str]"
) -> None:
    with pytest.raises(NotAloneError):
        service.compact()
    another_program.kill()
    another_program.wait(20)

    service.compact()
    until_done()

    assert service.size().state is JobState.DONE


def test_compacting_is_named_where_it_is_worth_it(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "memtray-worker compact" not in check_size(paths).cause

    monkeypatch.setattr("worker.checks.size._WORTH", 1000)

    assert "memtray-worker compact" in check_size(paths).cause
    assert check_size(Paths(paths.data_dir / "none")).cause == "There is no database."
