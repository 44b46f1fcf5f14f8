"""A screen with a real tray, and memories to be found on it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.running_app import environ_of, prepare
from tests.e2e.screen import Screen, missing, screen
from tests.integration.memories import new_database, some
from worker.shared.paths import Paths

SHOTS = "MEMTRAY_SHOTS"  # the folder where the pictures are kept


@pytest.fixture(autouse=True)
def _programs() -> None:
    if absent := missing():
        pytest.skip(f"a virtual screen needs {', '.join(absent)}: see .ci/install")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = prepare(tmp_path / "home")
    new_database(paths.database, some(60))
    return paths


@pytest.fixture
def shots(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = Path(os.environ.get(SHOTS) or tmp_path / "shots")
    return folder / str(request.node.name).removeprefix("test_")


@pytest.fixture
def desktop(tmp_path: Path, shots: Path) -> Iterator[Screen]:
    with screen(shots, environ_of(tmp_path / "home")) as shown:
        yield shown


@pytest.fixture
def bare_desktop(tmp_path: Path, shots: Path) -> Iterator[Screen]:
    """A desktop without a tray."""
    with screen(shots, environ_of(tmp_path / "home"), tray=False) as shown:
        yield shown
