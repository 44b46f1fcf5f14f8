"""A data folder of a test's own, for commands that start workers in the background."""

import json
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.bench.workers import free_port
from tests.integration.memories import without_meaning
from tests.integration.processes import command, environment
from worker.shared.identity import WorkerRecord, read_record
from worker.shared.paths import Paths
from worker.shared.stop import Stopped

ORDERLY = (Stopped.ASKED, Stopped.TERMINATED)  # by TERM where a busy machine answers too late


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the commands work, and on which port."""

    paths: Paths
    environ: Mapping[str, str]
    port: int

    def command(self, *args: str) -> "subprocess.CompletedProcess[str]":
        """Run `memtray-worker ...` on this folder."""
        return command(
            args[0], "--data-dir", str(self.paths.data_dir), *args[1:], environ=self.environ
        )

    def told(self, *args: str) -> Any:  # noqa: ANN401 - JSON
        """Return what a command that succeeds says with --json."""
        done = self.command(*args, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def status(self) -> dict[str, Any]:
        """Return what `status` says, whether a worker answers or not."""
        found: dict[str, Any] = json.loads(self.command("status", "--json").stdout)
        return found

    def start(self) -> psutil.Process:
        """Start a worker in the background and return its process."""
        return psutil.Process(self.told("start")["pid"])

    @property
    def record(self) -> WorkerRecord:
        found = read_record(self.paths.worker_json)
        assert found
        return found

    @property
    def listens(self) -> bool:
        """True while anybody takes connections on the port."""
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
        except (ConnectionRefusedError, ConnectionResetError):
            return False
        return True

    def processes(self) -> list[psutil.Process]:
        """Return the living workers of this folder, by their command lines."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                told = process.cmdline()
                if "run" in told and str(self.paths.data_dir) in told:
                    found += [process] * (process.status() != psutil.STATUS_ZOMBIE)
        return found


@contextmanager
def folder(data_dir: Path) -> Iterator[Folder]:
    """Give a folder for quick workers, without meaning; none of them outlives this."""
    without_meaning(data_dir)
    port = free_port()
    environ = environment(data_dir.parent) | {"MEMTRAY_PORT": str(port)}
    made = Folder(Paths(data_dir), environ, port)
    try:
        yield made
    finally:
        for process in made.processes():
            process.kill()
            process.wait(15)
