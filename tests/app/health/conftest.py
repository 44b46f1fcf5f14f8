"""Folders, a stub of a worker, and what windows need."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from tests.integration.memories import without_meaning
from worker.shared.paths import Paths


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    home = tmp_path / "home" / "ann"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("LOGNAME", "ann")
    monkeypatch.setenv("MEMTRAY_PORT", "9")  # nobody listens there
    made = Paths(home / ".claude-mem")
    without_meaning(made.data_dir)  # so that the doctor loads no model
    return made


@pytest.fixture
def places(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
