"""Imports by the command line into a running worker, and what is stored then."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.integration.processes import Worker, command, environment
from worker.shared.paths import Paths

OTHER = "99999999-2222-4333-8444-555555555555"  # a session that is not the usual one
SIZE = "Twenty connections are enough: more than that, and Postgres itself begins to wait."


def run(worker: Worker, *args: str) -> "subprocess.CompletedProcess[str]":
    data_dir = str(worker.data_dir)
    return command("import", *args, "--data-dir", data_dir, environ=environment(worker.data_dir))


def imported(worker: Worker, *args: str) -> Any:  # noqa: ANN401 - JSON
    done = run(worker, *args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def old(path: Path) -> Path:
    """Let a file look as if nobody had written to it for a day."""
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return path


def stored(worker: Worker, sql: str) -> list[Any]:
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection:
        return connection.execute(sql).fetchall()


def refs(worker: Worker, query: str) -> list[str]:
    _, body = worker.get(f"/api/search?query={query}&format=json")
    return [item["ref"] for item in body["items"]]
