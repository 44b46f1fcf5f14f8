"""A home folder with a Claude Desktop in it, and the entry that belongs there."""

import os
import sys
from pathlib import Path

import pytest

from worker.shared.clients.entry import Entry, System

ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"memtray"}}}'
SCRIPT = Path(sys.executable).with_name("memtray-mcp" + Path(sys.executable).suffix)


@pytest.fixture
def system(tmp_path: Path) -> System:
    """A Linux machine with a home folder of its own."""
    home = tmp_path / "home"
    home.mkdir()
    return System("linux", {"HOME": str(home), "PATH": str(tmp_path / "bin")}, home)


@pytest.fixture
def config(system: System) -> Path:
    """Where Claude Desktop's config is; there is none yet, but its folder."""
    path = system.home / ".config" / "Claude" / "claude_desktop_config.json"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    """A stand-in that answers as our script does, only sooner."""
    if os.name != "posix":
        return Entry(str(SCRIPT))
    script = tmp_path / "Ä b (x)" / "memtray-mcp"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\necho '{ANSWER}'\n", encoding="utf-8")
    script.chmod(0o755)
    return Entry(str(script))
