"""Another program that adds observations all the time, as claude-mem's own worker would.

Run as a process with a database; for each row, once it is committed, one JSON line follows on
stdout. It ends when stdin does.
"""

import json
import queue
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.integration.memories import Memory, add
from tests.integration.processes import ROOT

PROJECT = "busy"
_PAUSE = 0.1  # seconds


@dataclass(frozen=True, slots=True)
class Written:
    """One row, and when it was committed, in seconds since the epoch."""

    id: int
    word: str
    committed: float


class Writer:
    """What the other process has written so far."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> Written:
        """Return the next row that is committed from now on."""
        while not self._lines.empty():
            self._lines.get()
        fields: dict[str, Any] = json.loads(self._lines.get(timeout=30))
        return Written(**fields)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)


@contextmanager
def writer_on(database: Path) -> Iterator[Writer]:
    """Let another process write to a database; it has ended afterwards, without an error."""
    command = [sys.executable, "-m", "tests.integration.writer", str(database)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            yield Writer(process)
        finally:
            assert process.stdin
            process.stdin.close()
            process.wait(30)
        assert process.returncode == 0


def main(database: str) -> None:
    """Write until stdin ends."""
    ended = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=(ended,), daemon=True).start()
    number = 0
    with closing(sqlite3.connect(database, timeout=30)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # as claude-mem does
        while not ended.wait(_PAUSE):
            word = f"wanderling{number:05}"
            now = int(time.time() * 1000)
            with connection:
                memory = Memory(f"Seen {word}", "Somebody else wrote this.", PROJECT, at=now)
                (id_,) = add(connection, [memory])
            print(json.dumps({"id": id_, "word": word, "committed": time.time()}), flush=True)  # noqa: T201 - its answer
            number += 1


def _wait_for_the_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


if __name__ == "__main__":
    main(sys.argv[1])
