"""One data folder for all parts, wherever it is and whatever it is called."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil
import pytest

from tests.bench.workers import free_port
from tests.integration.mcp_client import connected
from tests.integration.memories import Memory, new_database, without_meaning
from tests.integration.processes import command, environment
from worker.shared.client import WorkerClient
from worker.shared.identity import read_record
from worker.shared.paths import Paths

TITLE = "A wombat moved house"


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[Paths]:
    """A folder with a blank and an umlaut in its name, and no worker that outlives the test."""
    paths = Paths(tmp_path / "Ä b (x)" / "Erinnerungen 記憶")
    new_database(paths.database, [Memory(TITLE)])
    without_meaning(paths.data_dir)
    yield paths
    if record := read_record(paths.worker_json):
        worker = psutil.Process(record.pid)
        worker.terminate()
        worker.wait(15)


@pytest.fixture
def environ(tmp_path: Path) -> Mapping[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    return environment(home) | {"MEMTRAY_PORT": str(free_port())}


def test_all_parts_use_the_folder_that_the_environment_names(
    paths: Paths, environ: Mapping[str, str], tmp_path: Path
) -> None:
    chosen = {**environ, "CLAUDE_MEM_DATA_DIR": str(paths.data_dir)}

    with connected(paths.data_dir, chosen) as client:  # starts the worker
        by_mcp = client.call("search", query="wombat")
    by_command = command("search", "wombat", environ=chosen)
    health = WorkerClient(paths, "test").prove()

    assert TITLE in by_mcp
    assert TITLE in by_command.stdout
    assert health.data_dir == str(paths.data_dir)
    assert not (tmp_path / "home" / ".claude-mem").exists()


def test_an_argument_comes_before_the_environment(
    paths: Paths, environ: Mapping[str, str], tmp_path: Path
) -> None:
    other = {**environ, "CLAUDE_MEM_DATA_DIR": str(tmp_path / "elsewhere")}

    found = command("search", "--data-dir", str(paths.data_dir), "wombat", environ=other)

    assert TITLE in found.stdout
    assert not (tmp_path / "elsewhere").exists()
    assert not (tmp_path / "home" / ".claude-mem").exists()


def test_a_mistyped_folder_is_told_with_the_usual_one(
    environ: Mapping[str, str], tmp_path: Path
) -> None:
    usual = Paths(Path(environ["HOME"]) / ".claude-mem")
    new_database(usual.database, [Memory(TITLE)])
    mistyped = tmp_path / "clade-mem"
    without_meaning(mistyped)

    first = command("search", "wombat", "--data-dir", str(mistyped), environ=environ)
    second = command("search", "wombat", "--data-dir", str(mistyped), environ=environ)
    command("stop", "--data-dir", str(mistyped), environ=environ)

    assert f"There is no claude-mem.db in {mistyped}." in first.stderr
    assert f"There is one in {usual.data_dir}" in first.stderr
    assert "Note:" not in second.stderr
