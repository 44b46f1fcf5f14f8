"""Whose files are looked at to find out who holds a lock."""

import pytest

from worker.shared.processes import may_be_worker


@pytest.mark.parametrize(
    "name", ["memtray-worker.exe", "Memtray-Worker.EXE", "python.exe", "pythonw"]
)
def test_on_windows_our_own_are_looked_at(name: str) -> None:
    assert may_be_worker(name, platform="win32")


@pytest.mark.parametrize("name", ["explorer.exe", "memtray.exe", ""])
def test_on_windows_nobody_else_is_since_that_takes_minutes(name: str) -> None:
    assert not may_be_worker(name, platform="win32")
    assert may_be_worker(name, platform="linux")
