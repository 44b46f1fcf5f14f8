"""claude-mem itself, running beside our worker on one data folder.

To have it, install claude-mem 13.25.3 and bun into scratch folders of your own, and say where they
are: MEMTRAY_TEST_CLAUDE_MEM is the package's folder, MEMTRAY_TEST_BUN the program bun.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.bench.workers import free_port
from tests.integration.processes import Worker, environment

PACKAGE, BUN = (os.environ.get(f"MEMTRAY_TEST_{name}") for name in ("CLAUDE_MEM", "BUN"))
FOUND_WITHIN = 10.0  # seconds


@dataclass(frozen=True, slots=True)
class ClaudeMem:
    """A running worker of claude-mem."""

    port: int

    def ask(self, path: str, body: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Return the JSON of a GET, or of a POST where there is a body."""
        return json.loads(self.says(path, body))

    def says(self, path: str, body: Mapping[str, object] | None = None) -> str:
        """Return the text of an answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            method = "GET" if body is None else "POST"
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = response.read().decode("utf-8")
            assert response.status == 200, answer
            return answer
        finally:
            connection.close()

    def is_ready(self) -> bool:
        try:
            return bool(self.ask("/api/readiness")["status"] == "ready")
        except (OSError, AssertionError):
            return False


def surroundings(data_dir: Path) -> dict[str, str]:
    """Return the environment of both, with claude-mem on a free port; skip where it is absent."""
    if not PACKAGE or not BUN:
        pytest.skip("MEMTRAY_TEST_CLAUDE_MEM and MEMTRAY_TEST_BUN name no claude-mem to run")
    return environment(data_dir.parent) | {
        "CLAUDE_MEM_DATA_DIR": str(data_dir),
        "CLAUDE_MEM_WORKER_PORT": str(free_port()),
        "CLAUDE_MEM_CHROMA_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }


@contextmanager
def claude_mem(environ: Mapping[str, str]) -> Iterator[ClaudeMem]:
    """Run claude-mem in its surroundings and give it once it is ready."""
    theirs = ClaudeMem(int(environ["CLAUDE_MEM_WORKER_PORT"]))
    log = Path(environ["CLAUDE_MEM_DATA_DIR"]).parent / "claude-mem.txt"
    command = [str(BUN), "plugin/scripts/worker-service.cjs", "--daemon"]
    with log.open("wb") as output, subprocess.Popen(
        command, cwd=PACKAGE, env=environ, stdout=output, stderr=output
    ) as process:  # fmt: skip
        try:
            deadline = time.monotonic() + 60
            while not theirs.is_ready():
                assert process.poll() is None, log.read_text(encoding="utf-8")
                assert time.monotonic() < deadline
            yield theirs
        finally:
            process.terminate()
            process.wait(30)


def until_found(worker: Worker, query: str, id_: int, *, kind: str = "observation") -> None:
    """Wait as long as is allowed until a search of ours has a row among the first three."""
    asked = urlencode({"query": query, "format": "json", "limit": 3})

    def is_there(_: int, body: Any) -> bool:  # noqa: ANN401 - JSON
        return (kind, id_) in [(item["kind"], item["id"]) for item in body["items"]]

    worker.until(f"/api/search?{asked}", is_there, seconds=FOUND_WITHIN)
