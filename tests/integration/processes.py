"""A real worker process for a test, in a folder of its own."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "worker"]


@dataclass(frozen=True)
class Worker:
    """A running worker and how to ask it."""

    process: "subprocess.Popen[str]"
    data_dir: Path
    port: int

    def get(self, path: str) -> tuple[int, Any]:
        """Return status and JSON of a GET."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def until(self, path: str, holds: Callable[[int, Any], bool], *, seconds: float = 30) -> Any:  # noqa: ANN401 - JSON
        """Ask until the answer is as wanted."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            status, body = self.get(path)
            if holds(status, body):
                return body
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(0.05)
        raise AssertionError(f"{path} still answers {status} {body}")

    def stop(self) -> int:
        """End it as a system does at shutdown, and return its exit code."""
        self.process.terminate()
        return self.process.wait(15)


def environment(home: Path) -> dict[str, str]:
    """The environment of this process with a home of its own and none of our variables."""
    ours = ("CLAUDE_MEM_DATA_DIR", "CLAUDE_MEM_WORKER_PORT", "MEMTRAY_PORT")
    return {k: v for k, v in os.environ.items() if k not in ours} | {"HOME": str(home)}


@contextmanager
def running(
    data_dir: Path, *, environ: Mapping[str, str] | None = None, port: int = 0
) -> Iterator[Worker]:
    """Run a worker and give it once it serves; it is gone afterwards whatever happens."""
    with subprocess.Popen(
        [*COMMAND, "run", "--data-dir", str(data_dir), "--port", str(port)],
        cwd=ROOT,
        env=dict(environ or environment(data_dir)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            assert process.stdout
            line = process.stdout.readline()
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            assert found, process.communicate(timeout=15)
            yield Worker(process, data_dir, int(found[1]))
        finally:
            process.kill()


def command(
    *args: str, environ: Mapping[str, str], cwd: Path = ROOT
) -> "subprocess.CompletedProcess[str]":
    """Run one command to its end."""
    return subprocess.run(
        [*COMMAND, *args],
        cwd=cwd,
        env=dict(environ),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
