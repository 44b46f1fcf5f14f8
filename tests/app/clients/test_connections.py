"""An entry that Claude dropped is told once, soon, and nothing is written before somebody asks."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.background import Background
from app.clients.connections import Connections
from app.clients.wiring import Outcome, Wiring
from tests.app.clients.conftest import Home, outcome, states
from worker.shared.clients.state import ClientState

DESKTOP, CODE = "claude-desktop", "claude-code"


@pytest.fixture
def connected(home: Home, connections: Connections, qtbot: QtBot) -> Connections:
    outcome(qtbot, connections.connect_client(DESKTOP))
    qtbot.waitUntil(lambda: states(connections)[:1] == [ClientState.CONNECTED])
    return connections


def test_the_clients_are_known_soon_after_the_start(connections: Connections, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(connections.reports))

    assert states(connections) == [ClientState.NOT_CONNECTED, ClientState.NOT_INSTALLED]


def test_a_dropped_entry_is_told_once_and_nothing_is_written(
    home: Home, connected: Connections, qtbot: QtBot
) -> None:
    home.config.write_text('{"preferences":{}}', encoding="utf-8")
    left = home.snapshot()

    qtbot.waitUntil(lambda: bool(home.vanished))
    for _ in range(3):
        connected.look_now()
        outcome(qtbot, connected.plan(DESKTOP))

    assert [report.client for report in home.vanished] == [DESKTOP]
    assert home.vanished[0].state is ClientState.NOT_CONNECTED
    assert connected.kept(DESKTOP).missing
    assert home.snapshot() == left


def test_one_click_puts_it_back(home: Home, connected: Connections, qtbot: QtBot) -> None:
    home.config.write_text('{"preferences":{}}', encoding="utf-8")
    qtbot.waitUntil(lambda: bool(home.vanished))

    done = outcome(qtbot, connected.connect_client(DESKTOP))

    assert isinstance(done, Outcome)
    assert done.backup is not None
    assert done.backup.read_bytes() == b'{"preferences":{}}'
    config = json.loads(home.config.read_bytes())
    assert config["mcpServers"]["memtray"]["command"] == home.script
    qtbot.waitUntil(lambda: not connected.kept(DESKTOP).missing)
    home.config.write_text("{}", encoding="utf-8")
    qtbot.waitUntil(lambda: len(home.vanished) == 2)


def test_a_file_that_is_just_being_written_has_not_lost_it(
    home: Home, connected: Connections, qtbot: QtBot
) -> None:
    whole = home.config.read_bytes()
    wiring = Wiring(home.paths, home.system, executable=home.executable)
    home.config.write_bytes(b"")
    between = wiring.look()
    home.config.write_bytes(whole)

    after = wiring.look_if_changed(between.suspected)

    assert between.suspected == {DESKTOP}
    assert after is not None
    assert (after.suspected, after.vanished) == (frozenset(), frozenset())


def test_an_entry_of_another_place_is_told(
    home: Home, connected: Connections, qtbot: QtBot
) -> None:
    other = {"mcpServers": {"memtray": {"command": "/old/memtray-mcp", "args": []}}}
    home.config.write_text(json.dumps(other), encoding="utf-8")

    qtbot.waitUntil(lambda: bool(home.vanished))

    assert home.vanished[0].state is ClientState.OTHER_PLACE
    assert "/old/memtray-mcp" in home.vanished[0].cause


def test_what_vanished_while_the_app_was_away_is_told_at_the_next_start(
    home: Home, connected: Connections, background: Background, qtbot: QtBot
) -> None:
    connected.deleteLater()
    home.config.write_text("{}", encoding="utf-8")
    home.vanished.clear()

    later = Connections(
        home.paths,
        background,
        background,
        system=home.system,
        executable=home.executable,
        look_ms=100,
    )
    with qtbot.waitSignal(later.vanished):
        pass


def test_disconnecting_by_oneself_is_no_news(
    home: Home, connected: Connections, qtbot: QtBot
) -> None:
    outcome(qtbot, connected.disconnect_client(DESKTOP))
    qtbot.waitUntil(lambda: states(connected)[0] is ClientState.NOT_CONNECTED)
    connected.look_now()
    outcome(qtbot, connected.plan(DESKTOP))

    assert home.vanished == []
    assert not connected.kept(DESKTOP).missing


def test_claude_desktop_that_was_removed_is_no_news(
    home: Home, connected: Connections, qtbot: QtBot
) -> None:
    for path in home.config.parent.iterdir():
        path.unlink()
    home.config.parent.rmdir()

    qtbot.waitUntil(lambda: states(connected)[0] is ClientState.NOT_INSTALLED)

    assert home.vanished == []


def test_undo_gives_the_file_back(home: Home, connections: Connections, qtbot: QtBot) -> None:
    before = home.config.read_bytes()
    outcome(qtbot, connections.connect_client(DESKTOP))
    qtbot.waitUntil(lambda: connections.can_undo(DESKTOP))

    outcome(qtbot, connections.undo(DESKTOP))

    assert home.config.read_bytes() == before
    qtbot.waitUntil(lambda: not connections.can_undo(DESKTOP))


def test_a_refusal_is_told_with_its_place(
    home: Home, connections: Connections, qtbot: QtBot
) -> None:
    home.config.write_text('{"mcpServers": {},}', encoding="utf-8")

    refused = outcome(qtbot, connections.plan(DESKTOP))

    assert "line 1, column 19" in str(refused)


def test_a_server_that_does_not_answer_is_not_connected(
    home: Home, connections: Connections, qtbot: QtBot
) -> None:
    Path(home.script).write_text("#!/bin/sh\necho broken >&2\n", encoding="utf-8")
    before = home.snapshot()

    refused = outcome(qtbot, connections.connect_client(DESKTOP))

    assert "broken" in str(refused)
    assert home.snapshot() == before


def test_an_unwritable_memory_stops_nothing(
    home: Home, connections: Connections, qtbot: QtBot
) -> None:
    home.paths.data_dir.mkdir()
    home.paths.own.touch()  # a file where our folder must be

    outcome(qtbot, connections.connect_client(DESKTOP))

    qtbot.waitUntil(lambda: states(connections)[0] is ClientState.CONNECTED)


def test_a_loss_is_told_within_a_minute(home: Home, background: Background) -> None:
    usual = Connections(home.paths, background, background, system=home.system)

    assert sum(timer.interval() for timer in usual.findChildren(QTimer)) <= 60_000
