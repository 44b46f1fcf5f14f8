"""The MCP server as a process, spoken to line by line."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "mcp_server")
SECONDS = 30  # more than any answer takes on a busy machine

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a test", "version": "1"},
}


class Program:
    """A server; `lines` holds what it wrote on stdout, `stderr` is a file."""

    def __init__(self, process: "subprocess.Popen[bytes]", stderr: Path) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.stdin = process.stdin
        self.stdout = process.stdout
        self.stderr = stderr
        self.lines: queue.Queue[bytes] = queue.Queue()
        self._number = 0
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self.stdout:
            self.lines.put(line)
        self.lines.put(b"")  # the end

    def send(self, line: bytes | Mapping[str, object]) -> None:
        self.stdin.write(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n")
        self.stdin.flush()

    def receive(self, *, seconds: float = SECONDS) -> dict[str, Any]:
        """Return the next message; raise queue.Empty when none comes in time."""
        line = self.lines.get(timeout=seconds)
        assert line, "the server has ended"
        message: dict[str, Any] = json.loads(line)
        return message

    def ask(self, method: str, params: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Return the whole response to one request."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        while (message := self.receive()).get("id") != self._number:
            assert "method" in message, message  # a notification
        return message

    def open(self) -> dict[str, Any]:
        """Do the handshake and return what the server says about itself."""
        result: dict[str, Any] = self.ask("initialize", INITIALIZE)["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def call(self, tool: str, arguments: object = None) -> tuple[str, bool]:
        """Return text and isError of one call."""
        response = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in response, response
        (part,) = response["result"]["content"]
        return part["text"], response["result"].get("isError", False)

    def close(self) -> int:
        """Close stdin and return the exit code."""
        self.stdin.close()
        return self.process.wait(SECONDS)

    def clean(self) -> None:
        """Leave nothing behind, whatever the test did."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.stdin, self.stdout):
            with suppress(BrokenPipeError):
                pipe.close()


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return our environment with a home of its own and no setting of ours in it."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CLAUDE_MEM_", "MEMTRAY_"))}
    return kept | {"HOME": str(home), "USERPROFILE": str(home)} | more


@contextmanager
def running(
    data_dir: Path,
    *,
    command: Sequence[str] = COMMAND,
    cwd: Path = ROOT,
    **environ: str,
) -> Iterator[Program]:
    """Run the server on a data folder; a file beside that takes its stderr."""
    stderr = data_dir.with_name("stderr")
    with stderr.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--data-dir", str(data_dir)],
            cwd=cwd,
            env=environment(data_dir.parent, **environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=file,
        )
    program = Program(process, stderr)
    try:
        yield program
    finally:
        program.clean()
