"""Speaks raw JSON-RPC to a stdio MCP server: how soon it answers, how much memory it takes."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

from tests.bench.material import ROOT
from tests.bench.table import Group
from tests.bench.targets import row
from tests.bench.workers import private_environ

RUNS = 7
OURS = ("-m", "mcp_server")
BARE = ("-m", "tests.bench.bare_mcp")
_INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "memtray-bench", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class Start:
    """One start of a server."""

    seconds: float  # from spawn until initialize was answered
    megabytes: float  # resident, right after


class Session:
    """A server that has answered initialize."""

    def __init__(self, process: subprocess.Popen[bytes], started: float) -> None:
        self._stdin: IO[bytes] = _pipe(process.stdin)
        self._stdout: IO[bytes] = _pipe(process.stdout)
        self._number = 0
        self.ask("initialize", _INITIALIZE)
        seconds = time.perf_counter() - started
        self.start = Start(seconds, psutil.Process(process.pid).memory_info().rss / 1e6)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        """Return the result of one call; raise RuntimeError when the answer is none."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while line := self._stdout.readline():
            message = json.loads(line)
            if message.get("id") == self._number:
                if "result" not in message:
                    raise RuntimeError(f"{method} was answered by {line!r}")
                result: dict[str, Any] = message["result"]
                return result
        raise RuntimeError(f"the MCP server ended before it answered {method}")

    def _send(self, message: Mapping[str, object]) -> None:
        self._stdin.write(json.dumps(message).encode("ascii") + b"\n")
        self._stdin.flush()


@contextmanager
def session(arguments: Sequence[str], *, data_dir: Path) -> Iterator[Session]:
    """Start a server by `python ARGUMENTS` on `data_dir`; end it by closing its stdin."""
    with tempfile.TemporaryDirectory() as home:
        environ = private_environ(Path(home), CLAUDE_MEM_DATA_DIR=str(data_dir))
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        with process:  # closes the pipes and waits
            try:
                yield Session(process, started)
            except BaseException:
                process.kill()
                raise


def measure(*, runs: int = RUNS) -> Group:
    """Return seconds and memory, beside a server of the bare SDK that does nothing."""
    pairs = [(_one_start(OURS), _one_start(BARE)) for _ in range(runs)]  # in the same weather
    ours, bare = (_median(starts) for starts in zip(*pairs, strict=True))
    note = "limit: a bare server of the SDK"
    return Group(
        f"MCP server, median of {runs}",
        (
            row(
                "mcp seconds",
                "answer to initialize",
                ours.seconds,
                unit="s",
                limit=bare.seconds,
                note=note,
            ),
            row(
                "mcp memory",
                "memory after it",
                ours.megabytes,
                unit="MB",
                limit=bare.megabytes,
                note=note,
            ),
        ),
    )


def _median(starts: Sequence[Start]) -> Start:
    return Start(
        statistics.median(s.seconds for s in starts), statistics.median(s.megabytes for s in starts)
    )


def _one_start(arguments: Sequence[str]) -> Start:
    with (
        tempfile.TemporaryDirectory() as folder,
        session(arguments, data_dir=Path(folder)) as server,
    ):
        return server.start


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("the process was started without pipes")
    return pipe
