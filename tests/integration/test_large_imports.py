"""Imports of single large files: broken off in the middle, killed, and complete in the end."""

import datetime as dt
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.bench.conversations import export
from tests.ingest.transcripts.made import Talk
from tests.integration.processes import Worker, running
from worker.ingest.claude_ai.export import read_export
from worker.ingest.transcripts.lines import Reading
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths

TURNS = 3000
TABLES = ("sdk_sessions", "observations", "session_summaries", "user_prompts")


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """One session of a month, with an answer of a tool that is a line of megabytes."""
    talk, began = Talk(), dt.datetime(2026, 5, 4, tzinfo=dt.UTC)
    for turn in range(TURNS):
        asked = (began + dt.timedelta(minutes=10 * turn)).isoformat()
        told = (began + dt.timedelta(minutes=10 * turn + 5)).isoformat()
        talk.asks(f"Question {turn}?", timestamp=asked)
        if turn == TURNS // 2:
            talk.uses("Bash", "a line of a log\n" * 200_000, command="cat server.log")
        talk.says(
            f"Because server {turn} answers before its pool is open, each request fails.",
            timestamp=told,
        )
    return talk.write(tmp_path / "projects")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def client(data_dir: Path) -> WorkerClient:
    return WorkerClient(Paths(data_dir), "test")


def begun(client: WorkerClient, file: Path) -> str:
    return str(client.post("/api/import", {"paths": [str(file)]})["id"])


def until(worker: Worker, job: str, **wanted: Any) -> Any:  # noqa: ANN401 - JSON
    """Wait until a job has at least these figures, or this state, and return it."""

    def holds(status: int, body: Any) -> bool:  # noqa: ANN401 - JSON
        return status == 200 and all(
            body[name] == value if isinstance(value, str) else body[name] >= value
            for name, value in wanted.items()
        )

    return worker.until(f"/api/jobs/{job}", holds, seconds=120)


def stored(data_dir: Path) -> dict[str, int]:
    with closing(sqlite3.connect(Paths(data_dir).database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in TABLES
        }


def told(file: Path) -> Iterator[str]:
    for rows in read_export(file, Reading()):
        yield from (row["table"] for row in rows)


def test_cancelled_in_the_middle_of_a_file_nothing_of_its_session_is_stored_until_it_goes_on(
    session: Path, data_dir: Path, client: WorkerClient
) -> None:
    with running(data_dir) as worker:
        job = begun(client, session)
        until(worker, job, bytes_done=1)

        cancelled = client.delete(f"/api/jobs/{job}")

        assert (cancelled["state"], cancelled["files_done"]) == ("cancelled", 0)
        assert set(stored(data_dir).values()) == {0}
        client.post(f"/api/jobs/{job}/resume", {})
        until(worker, job, state="done")
        assert stored(data_dir)["observations"] == TURNS


def test_killed_in_the_middle_of_a_file_it_is_complete_in_the_end_and_nothing_is_double(
    session: Path, data_dir: Path, client: WorkerClient
) -> None:
    with running(data_dir) as first:  # while it reads
        job = begun(client, session)
        until(first, job, bytes_done=1)
        first.process.kill()
    with running(data_dir) as second:  # while it writes, or looks for secrets
        until(second, job, bytes_done=session.stat().st_size)
        second.process.kill()
    with running(data_dir) as last:
        until(last, job, state="done")

    assert stored(data_dir) == {
        "sdk_sessions": 1, "observations": TURNS, "session_summaries": 1, "user_prompts": TURNS,
    }  # fmt: skip


def test_killed_in_the_middle_of_an_export_it_is_complete_in_the_end_and_nothing_is_double(
    tmp_path: Path, data_dir: Path, client: WorkerClient
) -> None:
    file = tmp_path / "conversations.json"
    export(file, 4_000_000)
    with running(data_dir) as first:
        job = begun(client, file)
        until(first, job, bytes_done=1_000_000)
        first.process.kill()
    with running(data_dir) as last:
        until(last, job, state="done")

    assert stored(data_dir) == Counter(told(file))
