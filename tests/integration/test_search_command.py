"""Searching from the command line, through a worker that is started when there is none."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests.integration.processes import COMMAND, ROOT, command, environment
from worker.ports import bind
from worker.shared.contract import SearchReply
from worker.shared.identity import read_record
from worker.shared.paths import Paths
from worker.store.store import Store

TITLES = ("Connection pool 连接池 exhausted", "Retry with backoff 🎉", "Unrelated kitchen notes")


def fill(database: Path) -> None:
    """Make a database with one observation a title."""
    store = Store(database)
    store.open()
    store.close()
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at,"
            " started_at_epoch) VALUES ('c', 'm', 'demo', '', 1)"
        )
        connection.executemany(
            "INSERT INTO observations (memory_session_id, project, type, title, created_at,"
            " created_at_epoch) VALUES ('m', 'demo', 'bugfix', ?, '', ?)",
            ((title, 1_790_000_000_000 + n) for n, title in enumerate(TITLES)),
        )


@pytest.fixture(scope="module")
def environ(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment whose home holds memories, and no worker that outlives the tests."""
    home = tmp_path_factory.mktemp("home")
    paths = Paths(home / ".claude-mem")
    paths.create()
    fill(paths.database)
    with bind(0) as free:
        port = free.getsockname()[1]
    yield environment(home) | {"MEMTRAY_PORT": str(port)}
    record = read_record(paths.worker_json)
    if record:
        worker = psutil.Process(record.pid)
        worker.terminate()
        worker.wait(15)


def test_it_starts_a_worker_and_prints_the_table(environ: dict[str, str]) -> None:
    found = command("search", "connection", "pool", environ=environ)

    assert found.returncode == 0, found.stderr
    assert TITLES[0] in found.stdout
    assert "Traceback" not in found.stderr


def test_json_is_the_reply_and_filters_are_passed_on(environ: dict[str, str]) -> None:
    every = command("search", "--json", "retry", "backoff", environ=environ)
    none = command("search", "--json", "retry", "--project", "other", environ=environ)
    one = command("search", "--json", "pool", "--type", "bugfix", "--limit", "1", environ=environ)

    assert TITLES[1] in [item.title for item in SearchReply.model_validate_json(every.stdout).items]
    assert SearchReply.model_validate_json(none.stdout).items == []
    assert SearchReply.model_validate_json(one.stdout).limit == 1


def test_a_bad_value_is_told_with_its_name(environ: dict[str, str]) -> None:
    failed = command("search", "x", "--limit", "0", environ=environ)

    assert failed.returncode == 1
    assert "limit" in failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.parametrize("dashes", [(), ("--",)])
def test_a_word_that_begins_with_a_dash_is_a_word_to_exclude(
    environ: dict[str, str], dashes: tuple[str, ...]
) -> None:
    found = command("search", "--json", *dashes, "retry", "-kitchen", environ=environ)

    assert found.returncode == 0, found.stderr
    assert TITLES[1] in [item.title for item in SearchReply.model_validate_json(found.stdout).items]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_poor_console_prints_what_it_can(environ: dict[str, str], encoding: str) -> None:
    found = command("search", "pool", environ=environ | {"PYTHONIOENCODING": encoding})

    assert found.returncode == 0, found.stderr
    assert "Connection pool" in found.stdout


def test_a_reader_that_has_seen_enough_is_no_error(environ: dict[str, str]) -> None:
    with subprocess.Popen(
        [*COMMAND, "search", "pool"],
        cwd=ROOT,
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""


def test_a_worker_that_the_user_stopped_is_not_started(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ".claude-mem")
    paths.create()
    paths.stopped_mark.touch()
    with bind(0) as free:
        port = free.getsockname()[1]
    environ = environment(tmp_path) | {"MEMTRAY_PORT": str(port)}

    failed = command("search", "pool", environ=environ)

    assert failed.returncode == 1
    assert "stopped by the user" in failed.stderr
    assert "memtray-worker " in failed.stderr  # the command that starts it
    assert failed.stdout == ""
    assert not paths.worker_json.exists()
