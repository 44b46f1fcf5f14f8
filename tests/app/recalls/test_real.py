"""A call of the real MCP server to a real worker shows in the window."""

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from app.recalls.calls_view import CallsView
from app.recalls.window import RecallsWindow
from app.theme import Theme
from app.worker_client import WorkerClient
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import running
from tests.mcp_server import program
from worker.shared.paths import Paths


def test_what_claude_asked_and_saw_is_shown(qtbot: QtBot, theme: Theme, tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data")
    new_database(paths.database, some(20))
    without_meaning(paths.data_dir)
    places = QSettings(str(tmp_path / "app.ini"), QSettings.Format.IniFormat)
    with running(paths.data_dir) as worker:
        with program.running(paths.data_dir) as server:
            server.open()
            server.call("search", {"query": "payment service", "limit": 3})
        worker.until("/api/recalls?format=json", lambda _, found: bool(found["recalls"]))
        window = RecallsWindow(WorkerClient(paths, environ={}), places, theme)
        qtbot.addWidget(window)
        window.open()
        rows = window.findChildren(CallsView)[0].model()
        qtbot.waitUntil(lambda: rows.rowCount() == 1, timeout=20_000)
        seen = window.findChildren(QListWidget)[0]
        shown = [seen.item(number).text() for number in range(seen.count())]

        assert rows.index(0, 3).data() == "payment service  ·  limit=3"
        assert shown[0] == "#15  The payment service leaks memory  ·  discovery"
        seen.setCurrentRow(0)
        with qtbot.waitSignal(window.memory_requested) as asked:
            QTest.keyClick(seen, Qt.Key.Key_Return)
        assert asked.args == ["#15"]
        window.close()
        window.end()
        qtbot.wait(20)  # for what is let go of, before its client goes
        worker.stop()
