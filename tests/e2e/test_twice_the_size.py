"""On a screen that shows all at twice its size, windows fit, are read whole, sharp, and kept."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.running_app import environ_of
from tests.e2e.screen import Screen, screen
from tests.integration.processes import ROOT
from worker.shared.paths import Paths

SMALL, LARGE = "1280x800", "2560x1600"  # half of it is left


def toured(shown: Screen, *arguments: str) -> dict[str, dict[str, Any]]:
    """Open each window in a process of its own; return what it tells of each by its name."""
    tour = subprocess.run(
        [sys.executable, "-m", "tests.e2e.every_window", *arguments],
        cwd=ROOT,
        env=shown.environ | {"QT_SCALE_FACTOR": "2"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert tour.returncode == 0, tour.stderr
    told = [json.loads(line) for line in tour.stdout.splitlines()]
    assert len(told) == 10, tour.stderr
    return {window["name"]: window for window in told}


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_each_window_fits_the_screen_whole_and_sharp(
    paths: Paths, shots: Path, tmp_path: Path, size: str
) -> None:
    with screen(shots, environ_of(tmp_path / "home"), size=size) as shown:
        windows = toured(shown)

    for name, window in windows.items():
        left, top, width, height = window["frame"]
        _, _, room_width, room_height = window["room"]
        assert room_width == int(size.split("x")[0]) // 2
        assert left >= 0, name
        assert top >= 0, name
        assert left + width <= room_width, name
        assert top + height <= room_height, name
        assert window["cut"] == [], name
        assert window["blurred"] == [], name


def test_windows_come_back_where_they_were(paths: Paths, shots: Path, tmp_path: Path) -> None:
    with screen(shots, environ_of(tmp_path / "home"), size=LARGE) as shown:
        before = toured(shown, "--move")
        after = toured(shown)

    assert {name: window["frame"] for name, window in after.items()} == {
        name: window["frame"] for name, window in before.items()
    }
    assert all(window["frame"][2] <= 720 for window in before.values())  # they were made smaller
