"""On a disk without room the worker goes on, says so, and ends when asked to."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.answers import search
from tests.integration.memories import new_database, some
from tests.integration.processes import running
from worker.shared.paths import Paths


@pytest.fixture(params=[400, 1300])
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A data folder with some memories, on a file system with so many kB of room beside them."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs to mount a small file system")
    made = tmp_path / "made"
    new_database(Paths(made).database, some())
    room = Paths(made).database.stat().st_size // 1024 + request.param
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={room}k", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    shutil.copy(Paths(made).database, Paths(folder).database)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_named_and_search_goes_on(small_disk: Path) -> None:
    with running(small_disk) as worker:
        worker.until("/api/ready", lambda _, ready: "disk" in str(ready), seconds=60)

        assert search(worker, query="payment service").items
        assert worker.get("/health")[0] == 200
        assert worker.stop() == 0
        assert worker.process.stderr
        assert "Logging error" not in worker.process.stderr.read()
