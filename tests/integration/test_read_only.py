"""On a file system that may not be written each command says so, names the file and a way out."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration.memories import new_database, some
from tests.integration.processes import command, environment, running
from worker.shared.paths import Paths


@pytest.fixture(params=[True, False], ids=["used before", "never used"])
def read_only(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A data folder with memories, that can be read alone."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs to mount a file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    try:
        new_database(Paths(folder).database, some(5))
        if request.param:
            with running(folder, environ=environment(tmp_path)) as worker:
                worker.stop()
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_each_command_names_the_folder_and_a_way_out(read_only: Path) -> None:
    environ = environment(read_only.parent) | {"MEMTRAY_PORT": "0"}
    for name, *words in (("start",), ("run",), ("stop",), ("search", "disk")):
        done = command(name, "--data-dir", str(read_only), *words, environ=environ)

        assert done.returncode == 1
        said = done.stderr.splitlines()[-1]
        assert f"{read_only}/memtray" in said
        assert "--data-dir" in said
        assert "Errno" not in said


def test_the_doctor_looks_at_all_and_says_which_folder_it_is(read_only: Path) -> None:
    done = command("doctor", "--data-dir", str(read_only), environ=environment(read_only.parent))

    assert f"{read_only}/memtray cannot be" in done.stdout
    assert "canary" in done.stdout
    assert done.stderr == ""
