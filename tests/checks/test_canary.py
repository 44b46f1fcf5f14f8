"""What the canary leaves behind."""

import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from worker.checks.canary import check_canary
from worker.shared.readiness import PartState


def test_a_canary_removes_what_killed_ones_left_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = (f"memtray-canary-{child.pid}-a", f"memtray-canary-{os.getpid()}-b", "memtray-canary-c")
    for name in names:
        (tmp_path / name / "memtray").mkdir(parents=True)

    report = check_canary(None, threading.Event())

    assert report.state is PartState.OK
    assert {path.name for path in tmp_path.iterdir()} == set(names[1:])


def test_a_canary_that_is_found_tells_how_long_each_way_took() -> None:
    report = check_canary(None, threading.Event())

    assert re.fullmatch(
        r"A known memory is found by word in \d+ ms, by two Chinese characters in \d+ ms\.",
        report.cause,
    )
