"""A store on a new file, and copies of the databases that claude-mem made."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.carrying import opened
from tests.store.rows import DATA, GENERATOR
from worker.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "claude-mem.db")
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(params=["10.6.3", "13.10.0", "13.25.3"])
def claude_mem(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a database that this version of claude-mem made, with rows."""
    original = DATA / f"claude-mem-v{request.param}.db"
    if not original.exists():
        pytest.skip(f"{original.name} is not at hand")
    copy = tmp_path / "claude-mem.db"
    shutil.copyfile(original, copy)
    return copy


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with 3,000 generated observations, for reading only."""
    if not GENERATOR.exists():
        pytest.skip(f"{GENERATOR.name} is not at hand")
    path = tmp_path_factory.mktemp("generated") / "claude-mem.db"
    opened = Store(path)
    opened.open()
    command = [sys.executable, str(GENERATOR), str(path), "3000"]
    subprocess.run(command, check=True, capture_output=True)
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A new database."""
    path = tmp_path / "other.db"
    with opened(path):
        return path


@pytest.fixture
def path(store: Store) -> Path:
    return store.path
