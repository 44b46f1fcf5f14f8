"""The whole way: a click, Claude's config, our real MCP server, a real worker, the green tick."""

import json
import sys
from pathlib import Path

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.background import Background
from app.clients.connections import Connections
from app.clients.panel import ClientsPanel
from app.clients.plan_dialog import PlanDialog
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.app.clients.test_panel import said
from tests.integration.memories import new_database, some
from tests.integration.processes import environment, running
from worker.shared.clients.entry import System
from worker.shared.paths import Paths
from worker.shared.readiness import PartState, Ready

SCRIPT = Path(sys.executable).with_name("memtray-mcp" + Path(sys.executable).suffix)

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="memtray-mcp is not installed")


def ask_as_claude(entry: dict[str, object], home: Path) -> str:
    """Start what the config says, with no environment of ours, and search."""
    server = StdioServerParameters(
        command=str(entry["command"]),
        args=[str(each) for each in entry["args"]],  # type: ignore[attr-defined]
        env={"HOME": str(home)},
        cwd=home,
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server)) as client,
    ):
        result = portal.call(client.call_tool, "search", {"query": "payment service"})
    return "\n".join(part.text for part in result.content if part.type == "text")


def test_from_the_click_to_the_green_tick(
    tmp_path: Path, background: Background, qapp: QApplication, qtbot: QtBot
) -> None:
    paths, environ = Paths(tmp_path / "mé mories"), environment(tmp_path)
    config = tmp_path / ".config" / "Claude" / "claude_desktop_config.json"
    config.parent.mkdir(parents=True)
    new_database(paths.database, some(12))
    system = System("linux", environ | {"XDG_CONFIG_HOME": ""}, tmp_path)
    with running(paths.data_dir, environ=environ) as worker:
        worker.until(
            "/api/ready",
            lambda status, body: (
                status == 200
                and all(part.state is not PartState.BUILDING for part in Ready(**body).parts)
            ),
        )
        connections = Connections(paths, background, background, system=system, look_ms=100)
        client = WorkerClient(paths, connections, environ=environ)
        panel = ClientsPanel(connections, client, Theme(qapp))
        qtbot.addWidget(panel)
        panel.show()
        qtbot.waitUntil(lambda: len(panel.rows) == 2)
        row = panel.rows["claude-desktop"]

        QTest.mouseClick(row.connect_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(row.findChildren(PlanDialog)))
        dialog = row.findChildren(PlanDialog)[0]
        button = next(b for b in dialog.findChildren(QPushButton) if "nnect" in b.text())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "✓ Connected" in said(row), timeout=30_000)
        qtbot.waitUntil(lambda: "Claude has not asked Memtray yet" in said(panel))

        entry = json.loads(config.read_bytes())["mcpServers"]["memtray"]
        assert "payment service" in ask_as_claude(entry, tmp_path)

        qtbot.waitUntil(lambda: "really asked Memtray at" in said(panel), timeout=15_000)
        panel.hide()
