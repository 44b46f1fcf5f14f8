"""What a person sees and clicks: the change before it is made, and whether it came to anything."""

import datetime as dt
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.clients.connections import Connections
from app.clients.panel import ClientsPanel
from app.clients.plan_dialog import PlanDialog
from app.clients.row import ClientRow
from app.theme import DARK, Choice, Theme
from app.worker_client import WorkerClient
from tests.app.clients.conftest import Home, Recalls, outcome

DESKTOP, CODE = "claude-desktop", "claude-code"


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, Choice.LIGHT)


@pytest.fixture
def panel(home: Home, connections: Connections, theme: Theme, qtbot: QtBot) -> ClientsPanel:
    client = WorkerClient(home.paths, connections, environ={"MEMTRAY_PORT": "9"})
    made = ClientsPanel(connections, client, theme)
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    qtbot.waitUntil(lambda: len(made.rows) == 2)
    return made


def said(widget: QWidget) -> str:
    """Return all text that is shown."""
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())


def buttons(widget: QWidget) -> dict[str, QPushButton]:
    """Return the buttons that can be clicked, by what they say."""
    found = widget.findChildren(QPushButton)
    return {
        button.text().replace("&", ""): button
        for button in found
        if button.isVisible() and button.isEnabled()
    }


def click(widget: QWidget, text: str, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: text in buttons(widget))
    QTest.mouseClick(buttons(widget)[text], Qt.MouseButton.LeftButton)


def dialog_of(row: ClientRow, qtbot: QtBot) -> PlanDialog:
    qtbot.waitUntil(lambda: any(each.isVisible() for each in row.findChildren(PlanDialog)))
    return next(each for each in row.findChildren(PlanDialog) if each.isVisible())


def connect(panel: ClientsPanel, qtbot: QtBot) -> ClientRow:
    row = panel.rows[DESKTOP]
    click(row, "Connect…", qtbot)
    click(dialog_of(row, qtbot), "Connect", qtbot)
    qtbot.waitUntil(lambda: "✓ Connected" in said(row) and "Done." in said(row), timeout=15_000)
    return row


def test_the_change_is_shown_before_it_is_made(
    home: Home, panel: ClientsPanel, qtbot: QtBot
) -> None:
    before = home.snapshot()
    row = panel.rows[DESKTOP]
    assert "○ Not connected" in said(row)
    assert str(home.config) in said(row)

    click(row, "Connect…", qtbot)
    dialog = dialog_of(row, qtbot)

    shown = dialog.findChildren(QPlainTextEdit)[0].toPlainText()
    assert '+    "memtray": {' in shown
    assert home.script in shown
    assert "Quit Claude Desktop first" in said(dialog)
    assert "A copy of the file is kept" in said(dialog)
    click(dialog, "Cancel", qtbot)
    assert home.snapshot() == before


def test_connected_and_undone_by_two_clicks(home: Home, panel: ClientsPanel, qtbot: QtBot) -> None:
    before = home.config.read_bytes()

    row = connect(panel, qtbot)

    assert "start it again; closing its window is not enough" in said(row)
    assert ".memtray-0001-" in said(row)
    assert "memtray" in json.loads(home.config.read_bytes())["mcpServers"]
    click(row, "Undo last change", qtbot)
    qtbot.waitUntil(lambda: "○ Not connected" in said(row))
    assert home.config.read_bytes() == before


def test_disconnecting_shows_its_change_too(home: Home, panel: ClientsPanel, qtbot: QtBot) -> None:
    row = connect(panel, qtbot)

    click(row, "Disconnect…", qtbot)
    dialog = dialog_of(row, qtbot)
    assert '-    "memtray": {' in dialog.findChildren(QPlainTextEdit)[0].toPlainText()
    click(dialog, "Disconnect", qtbot)

    qtbot.waitUntil(lambda: "○ Not connected" in said(row))
    assert "memtray" not in json.loads(home.config.read_bytes())["mcpServers"]


def test_a_lost_entry_is_added_again_by_one_click(
    home: Home, panel: ClientsPanel, qtbot: QtBot
) -> None:
    row = connect(panel, qtbot)
    home.config.write_text('{"preferences":{}}', encoding="utf-8")
    qtbot.waitUntil(lambda: "! Its entry for Memtray is gone" in said(row))
    assert "Done." not in said(row)

    click(row, "Add again", qtbot)

    qtbot.waitUntil(lambda: "✓ Connected" in said(row), timeout=15_000)
    assert json.loads(home.config.read_bytes())["mcpServers"]["memtray"]["command"] == home.script


def test_a_broken_file_shows_its_line_and_no_way_to_write_it(
    home: Home, panel: ClientsPanel, qtbot: QtBot
) -> None:
    home.config.write_text('{\n  "preferences": {},\n}\n', encoding="utf-8")
    row = panel.rows[DESKTOP]

    qtbot.waitUntil(lambda: "✕ Its config file is broken" in said(row))

    assert "line 3, column 1" in said(row)
    assert "Mend it" in said(row)
    assert buttons(row) == {}


def test_what_went_wrong_is_not_told_any_more_once_all_is_well(
    home: Home, panel: ClientsPanel, qtbot: QtBot
) -> None:
    row = connect(panel, qtbot)
    connected = home.config.read_bytes()
    click(row, "Disconnect…", qtbot)
    dialog = dialog_of(row, qtbot)
    home.config.write_text("{", encoding="utf-8")
    qtbot.waitUntil(lambda: "✕ Its config file is broken" in said(row))
    click(dialog, "Disconnect", qtbot)
    qtbot.waitUntil(lambda: "was changed by another program" in said(row))

    home.config.write_bytes(connected)

    qtbot.waitUntil(lambda: "✓ Connected" in said(row))
    assert "was changed by another program" not in said(row)


def test_a_server_that_does_not_start_is_told(
    home: Home, panel: ClientsPanel, qtbot: QtBot
) -> None:
    home.executable.with_name("memtray-mcp").write_text("#!/bin/sh\necho no >&2\n", "utf-8")
    row = panel.rows[DESKTOP]

    click(row, "Connect…", qtbot)
    click(dialog_of(row, qtbot), "Connect", qtbot)

    qtbot.waitUntil(lambda: "does not answer as an MCP server" in said(row), timeout=15_000)
    assert "Connect…" in buttons(row)


def test_the_line_for_claude_code_is_copied(panel: ClientsPanel, qtbot: QtBot) -> None:
    click(panel.rows[CODE], "Copy line", qtbot)

    qtbot.waitUntil(lambda: "✓ Copied" in said(panel.rows[CODE]))
    assert QGuiApplication.clipboard().text().startswith("claude mcp add --scope user memtray")


def test_claude_code_shows_the_command_that_will_be_run(
    home: Home, connections: Connections, panel: ClientsPanel, qtbot: QtBot
) -> None:
    home.with_claude()
    connections.look_now()
    row = panel.rows[CODE]

    click(row, "Connect…", qtbot)
    dialog = dialog_of(row, qtbot)
    assert "mcp add --scope user" in dialog.findChildren(QPlainTextEdit)[0].toPlainText()
    click(dialog, "Connect", qtbot)

    qtbot.waitUntil(lambda: "✓ Connected" in said(row), timeout=15_000)


def test_the_tick_comes_when_claude_really_asked(
    recalls: Recalls, panel: ClientsPanel, qtbot: QtBot
) -> None:
    recalls.asked("claude-ai", dt.datetime.now().astimezone() - dt.timedelta(minutes=1))
    assert "asked Memtray" not in said(panel)

    connect(panel, qtbot)
    qtbot.waitUntil(lambda: "Claude has not asked Memtray yet" in said(panel))
    click(panel, "Copy question", qtbot)
    assert "memtray" in QGuiApplication.clipboard().text()

    recalls.asked("claude-ai")
    qtbot.waitUntil(lambda: "✓ Claude Desktop really asked Memtray at" in said(panel))

    click(panel.rows[DESKTOP], "Undo last change", qtbot)
    qtbot.waitUntil(lambda: "asked Memtray" not in said(panel))
    connect(panel, qtbot)
    qtbot.waitUntil(lambda: "Claude has not asked Memtray yet" in said(panel))


def test_nobody_is_asked_while_nobody_looks(
    home: Home, recalls: Recalls, panel: ClientsPanel, connections: Connections, qtbot: QtBot
) -> None:
    connect(panel, qtbot)
    panel.hide()
    recalls.asked("claude-ai")
    outcome(qtbot, connections.plan(DESKTOP))
    assert "really asked" not in said(panel)

    panel.show()

    qtbot.waitUntil(lambda: "✓ Claude Desktop really asked" in said(panel))


def test_a_worker_that_does_not_answer_is_told(panel: ClientsPanel, qtbot: QtBot) -> None:
    connect(panel, qtbot)

    qtbot.waitUntil(lambda: "The worker does not answer" in said(panel))


def test_recalls_that_are_switched_off_are_told(
    recalls: Recalls, panel: ClientsPanel, qtbot: QtBot
) -> None:
    recalls.recording = False
    connect(panel, qtbot)

    qtbot.waitUntil(lambda: "is not recorded" in said(panel))


def test_a_hostile_path_is_shown_as_it_is(home: Home, panel: ClientsPanel, qtbot: QtBot) -> None:
    other = {"mcpServers": {"memtray": {"command": "/<b>x</b>&amp;/memtray-mcp", "args": []}}}
    home.config.write_text(json.dumps(other), encoding="utf-8")

    qtbot.waitUntil(lambda: "/<b>x</b>&amp;/memtray-mcp" in said(panel))

    labels = panel.findChildren(QLabel)
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}


def test_all_is_reached_by_the_keyboard(panel: ClientsPanel, qtbot: QtBot) -> None:
    row = panel.rows[DESKTOP]
    row.connect_button.setFocus()
    QTest.keyClick(row.connect_button, Qt.Key.Key_Space)

    dialog = dialog_of(row, qtbot)

    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert "○ Not connected" in said(row)


def test_the_change_follows_the_theme(panel: ClientsPanel, theme: Theme, qtbot: QtBot) -> None:
    row = panel.rows[DESKTOP]
    click(row, "Connect…", qtbot)
    dialog = dialog_of(row, qtbot)

    theme.choose(Choice.DARK)

    view = dialog.findChildren(QPlainTextEdit)[0]
    block = next(
        each
        for number in range(view.document().blockCount())
        if (each := view.document().findBlockByNumber(number)).text().startswith('+    "memtray"')
    )
    assert block.layout().formats()[0].format.foreground().color().name() == DARK.good
    theme.choose(Choice.LIGHT)
