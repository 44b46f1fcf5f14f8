"""Who plays Claude: starts what Claude Desktop's config says, and searches, without a model."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from tests.app.clients.test_real_connection import ask_as_claude
from worker.shared.clients.entry import NAME

INSPECTOR = "mcp-inspector"  # npm install --global @modelcontextprotocol/inspector


def by_sdk(config: Path, home: Path) -> str:
    """Return what the client of the MCP SDK is answered."""
    return ask_as_claude(json.loads(config.read_bytes())["mcpServers"][NAME], home)


def by_inspector(config: Path, home: Path) -> str:
    """Return what the MCP inspector is answered, which reads the config by itself."""
    done = subprocess.run(
        [
            *(INSPECTOR, "--cli", "--config", config, "--server", NAME),
            *("--method", "tools/call", "--tool-name", "search"),
            *("--tool-arg", "query=payment service"),
        ],
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        cwd=home,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def has_inspector() -> bool:
    """Say whether the inspector is installed; what npx would download is not asked for."""
    return shutil.which(INSPECTOR) is not None
