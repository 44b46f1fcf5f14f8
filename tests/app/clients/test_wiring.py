"""A plan is what is done, or nothing is; and what was done can be taken back."""

import json
import shutil
from pathlib import Path

import pytest

from app.clients import kept
from app.clients.wiring import Wiring
from tests.app.clients.conftest import Home
from tests.bench.material import SHARED
from worker.shared.autostart import StartAtLogin
from worker.shared.clients.entry import System
from worker.shared.clients.files import ConfigError
from worker.shared.clients.json_text import BrokenJsonError
from worker.shared.clients.state import ClientState

DESKTOP, CODE = "claude-desktop", "claude-code"
CONFIGS = SHARED / "data" / "desktop_configs"

connectable = (
    "01_valid_other_keys",
    "02_utf8_bom",
    "03_utf16le_bom",
    "06_empty",
    "07_whitespace_only",
    "13_mcpServers_null",
    "15_mcpServers_missing",
    "16_our_name_taken",  # a server `memory`, which is not our name
    "17_our_entry_old_path",
    "19_unicode_paths",
    "22_url_server",
    "25_deep_large",
)
refused = (
    "04_trailing_comma",
    "08_missing_outer_braces",
    "10_truncated",
    "12_top_level_array",
    "14_mcpServers_array",
    "21_nan_and_infinity",
)


@pytest.fixture
def wiring(home: Home) -> Wiring:
    return Wiring(home.paths, home.system, executable=home.executable)


def material(name: str) -> Path:
    path = CONFIGS / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    return path


def test_the_plan_shows_the_very_change(home: Home, wiring: Wiring) -> None:
    before = home.snapshot()

    plan = wiring.plan(DESKTOP, connects=True)

    assert home.snapshot() == before
    added = [line for line in plan.diff.splitlines() if line.startswith("+") and "/" in line]
    assert any(json.dumps(home.script, ensure_ascii=False) in line for line in added)
    assert plan.changes
    done = wiring.carry_out(plan)
    assert plan.change is not None
    assert home.config.read_text(encoding="utf-8") == plan.change.text
    assert done.backup is not None
    assert done.backup.read_bytes() == before[str(home.config)]
    assert not wiring.plan(DESKTOP, connects=True).changes


def test_a_file_that_changed_after_it_was_shown_is_left_alone(home: Home, wiring: Wiring) -> None:
    plan = wiring.plan(DESKTOP, connects=True)
    home.config.write_text('{"preferences": {"new": true}}', encoding="utf-8")
    before = home.snapshot()

    with pytest.raises(ConfigError, match="changed by another program"):
        wiring.carry_out(plan)

    assert home.snapshot() == before


@pytest.mark.parametrize("name", connectable)
def test_there_and_back_is_the_same_byte_for_byte(home: Home, wiring: Wiring, name: str) -> None:
    shutil.copyfile(material(name), home.config)
    before = home.config.read_bytes()

    wiring.carry_out(wiring.plan(DESKTOP, connects=True))
    assert wiring.look().reports[0].state is ClientState.CONNECTED
    assert DESKTOP in wiring.look().undoable
    undone = wiring.undo(DESKTOP)

    assert home.config.read_bytes() == before
    assert undone.changed
    assert not wiring.look().undoable


@pytest.mark.parametrize("name", refused)
def test_a_file_that_is_not_understood_is_refused_with_its_place(
    home: Home, wiring: Wiring, name: str
) -> None:
    shutil.copyfile(material(name), home.config)
    before = home.snapshot()

    with pytest.raises((ConfigError, BrokenJsonError), match=r"claude_desktop_config\.json"):
        wiring.plan(DESKTOP, connects=True)

    assert home.snapshot() == before


def test_another_server_of_our_name_is_refused(home: Home, wiring: Wiring) -> None:
    home.config.write_text('{"mcpServers": {"memtray": {"command": "npx"}}}', encoding="utf-8")

    with pytest.raises(ConfigError, match="another name"):
        wiring.plan(DESKTOP, connects=True)


def test_undo_where_there_was_no_file_leaves_none(home: Home, wiring: Wiring) -> None:
    home.config.unlink()

    wiring.carry_out(wiring.plan(DESKTOP, connects=True))
    assert home.config.exists()
    wiring.undo(DESKTOP)

    assert home.snapshot() == {}


def test_undo_leaves_what_another_program_wrote_since(home: Home, wiring: Wiring) -> None:
    done = wiring.carry_out(wiring.plan(DESKTOP, connects=True))
    config = json.loads(home.config.read_bytes()) | {"globalShortcut": "F9"}
    home.config.write_text(json.dumps(config), encoding="utf-8")
    before = home.snapshot()

    with pytest.raises(ConfigError, match="changed by another program") as caught:
        wiring.undo(DESKTOP)

    assert str(done.backup) in caught.value.detail
    assert home.snapshot() == before
    assert not wiring.look().undoable


def test_undo_is_remembered_by_the_next_start(home: Home, wiring: Wiring) -> None:
    before = home.config.read_bytes()
    wiring.carry_out(wiring.plan(DESKTOP, connects=True))

    later = Wiring(home.paths, home.system, executable=home.executable)

    assert DESKTOP in later.look().undoable
    later.undo(DESKTOP)
    assert home.config.read_bytes() == before
    with pytest.raises(ConfigError, match="nothing to undo"):
        later.undo(DESKTOP)


def test_disconnecting_can_be_undone_too(home: Home, wiring: Wiring) -> None:
    wiring.carry_out(wiring.plan(DESKTOP, connects=True))
    connected = home.config.read_bytes()

    wiring.carry_out(wiring.plan(DESKTOP, connects=False))
    assert wiring.look().reports[0].state is ClientState.NOT_CONNECTED
    wiring.undo(DESKTOP)

    assert home.config.read_bytes() == connected


def test_claude_code_is_connected_by_its_own_command(home: Home, wiring: Wiring) -> None:
    home.with_claude()

    plan = wiring.plan(CODE, connects=True)

    assert plan.runs
    assert "mcp add --scope user memtray --" in plan.command
    assert wiring.carry_out(plan).changed
    assert wiring.look().reports[1].state is ClientState.CONNECTED
    assert wiring.carry_out(wiring.plan(CODE, connects=False)).changed
    assert wiring.look().reports[1].state is ClientState.NOT_CONNECTED


def test_without_a_command_claude_there_is_a_line_to_copy(home: Home, wiring: Wiring) -> None:
    plan = wiring.plan(CODE, connects=True)

    assert not plan.runs
    assert plan.command.startswith("claude mcp add --scope user memtray -- ")
    assert wiring.carry_out(plan).to_type == plan.command
    assert not (home.folder / ".claude.json").exists()


def test_of_two_store_builds_each_gets_its_turn(home: Home) -> None:
    builds = [
        home.folder / "L" / "Packages" / f"Claude_{name}" / "LocalCache" / "Roaming" / "Claude"
        for name in ("a", "b")
    ]
    for build in builds:
        build.mkdir(parents=True)
        (build / "claude_desktop_config.json").write_text("{}", encoding="utf-8")
    system = System("win32", {"LOCALAPPDATA": str(home.folder / "L")}, home.folder)
    wiring = Wiring(home.paths, system, executable=home.executable)

    for build in builds:
        plan = wiring.plan(DESKTOP, connects=True)
        assert plan.path.parent == build
        assert wiring.look().reports[0].state is ClientState.NOT_CONNECTED
        wiring.carry_out(plan)

    assert wiring.look().reports[0].state is ClientState.CONNECTED


@pytest.mark.parametrize("content", ["", "{", '{"claude-desktop": {"since": "x"}}', "[]"])
def test_a_broken_memory_is_forgotten(home: Home, content: str) -> None:
    path = kept.file_of(home.paths)
    path.parent.mkdir(parents=True)
    path.write_text(content, encoding="utf-8")

    assert Wiring(home.paths, home.system).look().kept == {}


def test_claude_codes_own_changes_are_no_reason_to_look(home: Home, wiring: Wiring) -> None:
    path = home.folder / ".claude.json"
    entry = {"command": home.script, "args": []}
    config = {"mcpServers": {"memtray": entry}, "history": ['"memtray": was typed'], "starts": 1}
    path.write_text(json.dumps(config, indent=2), encoding="utf-8")
    assert wiring.look().reports[1].state is ClientState.CONNECTED

    path.write_text(json.dumps(config | {"starts": 22}, indent=2), encoding="utf-8")
    assert wiring.look_if_changed() is None

    config["mcpServers"] = {}
    path.write_text(json.dumps(config, indent=2), encoding="utf-8")
    seen = wiring.look_if_changed()
    assert seen is not None
    assert seen.suspected == {CODE}
    path.unlink()
    assert wiring.look_if_changed() is not None
    assert wiring.look_if_changed() is None


def test_all_that_was_written_for_the_user_goes_again(home: Home, wiring: Wiring) -> None:
    home.with_claude()
    (home.folder / ".claude.json").write_text('{"mcpServers": {"other": {}}}', encoding="utf-8")
    before = tree(home)
    login = StartAtLogin(home.paths, home.system, executable=home.executable)
    for client in (DESKTOP, CODE):
        wiring.carry_out(wiring.plan(client, connects=True))
    login.turn_on()
    assert len(tree(home)) > len(before)

    for client in (DESKTOP, CODE):
        wiring.carry_out(wiring.plan(client, connects=False))
    login.turn_off()

    assert tree(home) == before


def tree(home: Home) -> dict[str, object]:
    """Return all files outside our own folder, without copies of before and emptied objects."""
    found = {}
    for path in home.folder.rglob("*"):
        if path.is_file() and ".memtray-" not in path.name and ".claude-mem" not in path.parts:
            text = path.read_text(encoding="utf-8")
            config = json.loads(text) if text.startswith("{") else text
            if isinstance(config, dict) and config.get("mcpServers") == {}:
                del config["mcpServers"]
            found[str(path)] = config
    return found
