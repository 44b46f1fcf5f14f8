"""What Claude asks through the MCP server is on record, is backed up, and can be switched off."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.integration.answers import parts, until_part
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import Worker, command, environment, running
from tests.mcp_server import program
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths
from worker.shared.readiness import PartState
from worker.shared.recalls_contract import Recall, RecallsReply
from worker.shared.settings import save_settings


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    data_dir = tmp_path / "data"
    new_database(Paths(data_dir).database, some(20))
    without_meaning(data_dir)
    with running(data_dir) as found:
        yield found
        found.stop()


def ask(worker: Worker, *calls: tuple[str, dict[str, Any]]) -> None:
    with program.running(worker.data_dir) as server:
        server.open()
        for tool, arguments in calls:
            text, failed = server.call(tool, arguments)
            assert not failed, text


def recalls(worker: Worker, count: int) -> list[Recall]:
    body = worker.until("/api/recalls?format=json", lambda _, found: len(found["recalls"]) >= count)
    return RecallsReply.model_validate(body).recalls


def test_each_step_of_claude_is_recorded(worker: Worker) -> None:
    ask(
        worker,
        ("search", {"query": "payment service", "limit": 3}),
        ("timeline", {"anchor": 5}),
        ("get_observations", {"ids": [5, 6]}),
    )

    details, timeline, search = recalls(worker, 3)

    assert {each.client for each in (details, timeline, search)} == {"a-test"}
    assert (search.tool, search.asked, search.filters) == ("search", "payment service", "limit=3")
    assert [seen.ref for seen in search.seen] == ["#15", "#5"]
    assert all("payment" in seen.title for seen in search.seen)
    assert (timeline.asked, details.asked) == ("#5", "#5 #6")
    assert [seen.ref for seen in details.seen] == ["#5", "#6"]
    assert parts(worker)["recalls"].state is PartState.OK


def test_switched_off_in_the_settings_nothing_more_is_recorded(worker: Worker) -> None:
    paths = Paths(worker.data_dir)
    ask(worker, ("search", {"query": "before"}))
    recalls(worker, 1)
    save_settings(paths.settings, {"record_recalls": False})
    ask(worker, ("search", {"query": "zebra"}))

    assert parts(worker)["recalls"].state is PartState.OFF
    assert worker.stop() == 0
    kept = b"".join(file.read_bytes() for file in paths.own.glob("state.db*"))
    assert b"before" in kept
    assert b"zebra" not in kept


def test_a_locked_state_db_neither_slows_nor_fails_a_search(worker: Worker) -> None:
    ask(worker, ("search", {"query": "before"}))
    recalls(worker, 1)
    state = Paths(worker.data_dir).state
    with closing(sqlite3.connect(state, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        ask(worker, *(("search", {"query": "meanwhile"}),) * 3)
        assert time.monotonic() - began < 15  # the start of an MCP server is most of it
        reports = until_part(worker, "recalls", PartState.DEGRADED)
        assert str(state) in reports["recalls"].cause
        assert reports["recalls"].remedy

    assert [recall.asked for recall in recalls(worker, 4)] == ["meanwhile"] * 3 + ["before"]
    until_part(worker, "recalls", PartState.OK)


def test_recalls_are_in_the_backup_and_come_back_with_it(worker: Worker) -> None:
    environ = environment(worker.data_dir.parent)
    ask(worker, ("search", {"query": "payment"}))
    recalls(worker, 1)
    where = ("--data-dir", str(worker.data_dir))
    made = command("backup", *where, "--json", environ=environ)
    assert made.returncode == 0, made.stderr
    client = WorkerClient(Paths(worker.data_dir), "test", environ=environ)
    assert client.post("/api/recalls/clear", {}) == {"cleared": 1, "notes": []}

    back = command("restore", *where, "--yes", environ=environ)

    assert back.returncode == 0, back.stderr
    assert [recall.asked for recall in recalls(worker, 1)] == ["payment"]
