"""Claude Code is asked by its own command, and believed only as far as its file says the same."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from worker.shared.clients import code
from worker.shared.clients.entry import NAME, Entry, System
from worker.shared.clients.files import ConfigError
from worker.shared.clients.state import ClientState
from worker.shared.programs import ProgramError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a script")

# Does what `claude mcp add|remove --scope user` does, as far as we need it.
CLAUDE = """#!{python}
import json, os, pathlib, sys
_, mcp, action, scope, user, name, *rest = sys.argv
assert (mcp, scope, user) == ("mcp", "--scope", "user"), sys.argv
path = pathlib.Path(os.environ["HOME"], ".claude.json")
config = json.loads(path.read_text()) if path.exists() else {{"numStartups": 5}}
servers = config.setdefault("mcpServers", {{}})
if action == "add":
    if name in servers:
        sys.exit(f"MCP server {{name}} already exists in user config")
    assert rest[0] == "--", rest
    servers[name] = {{"type": "stdio", "command": rest[1], "args": rest[2:], "env": {{}}}}
else:
    del servers[name]
path.write_text(json.dumps(config))
"""


@pytest.fixture
def claude(system: System, tmp_path: Path) -> Path:
    return program(tmp_path, CLAUDE.format(python=sys.executable))


def program(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "bin" / "claude"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def servers(system: System) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((system.home / ".claude.json").read_bytes())["mcpServers"]
    return found


@pytest.mark.usefixtures("claude")
def test_it_is_added_and_removed_by_its_own_command(
    system: System, entry: Entry, tmp_path: Path
) -> None:
    assert code.report(system, entry).state is ClientState.NOT_CONNECTED
    odd = Entry(entry.command, ("--data-dir", str(tmp_path / "with 'blank' \"é\"")))

    assert code.connect(system, odd).changed

    assert servers(system)[NAME]["args"] == list(odd.args)
    assert code.report(system, odd).state is ClientState.CONNECTED
    assert not code.connect(system, odd).changed
    assert code.disconnect(system).changed
    assert NAME not in servers(system)
    assert not code.disconnect(system).changed


@pytest.mark.usefixtures("claude")
def test_an_entry_of_an_old_place_is_replaced(system: System, entry: Entry) -> None:
    old = {"mcpServers": {"other": {}, NAME: {"command": "/old/memtray-mcp", "args": []}}}
    (system.home / ".claude.json").write_text(json.dumps(old), encoding="utf-8")
    assert code.report(system, entry).state is ClientState.OTHER_PLACE

    assert code.connect(system, entry).changed

    assert servers(system)[NAME]["command"] == entry.command
    assert "other" in servers(system)


@pytest.mark.usefixtures("claude")
@pytest.mark.parametrize(
    "text", ['{"mcpServers": {"memtray": {"command": "npx"}}}', '{"mcpServers": ', "[]"]
)
def test_another_server_of_our_name_or_a_broken_file_stay(
    system: System, entry: Entry, text: str
) -> None:
    path = system.home / ".claude.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ConfigError, match=r"\.claude\.json"):
        code.connect(system, entry)
    with pytest.raises(ConfigError, match=r"\.claude\.json"):
        code.disconnect(system)

    assert path.read_text(encoding="utf-8") == text


def test_without_the_command_the_line_to_type_is_given(system: System, entry: Entry) -> None:
    assert code.report(system, entry).state is ClientState.NOT_INSTALLED

    done = code.connect(system, entry)

    assert not done.changed
    assert done.to_type == f"claude mcp add --scope user memtray -- '{entry.command}'"


@pytest.mark.parametrize("folder", [".local/bin", ".claude/local"])
def test_it_is_found_where_installers_put_it(system: System, claude: Path, folder: str) -> None:
    usual = system.home / folder / "claude"
    usual.parent.mkdir(parents=True)
    claude.rename(usual)

    assert code.find_claude(system) == str(usual)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("#!/bin/sh\necho 'please log in' >&2; exit 1\n", ConfigError, "please log in"),
        ("#!/bin/sh\nexit 0\n", ConfigError, "reported success, but .*not connected"),
        ("#!/no/such/shell\n", ProgramError, "cannot be started"),
    ],
)
def test_a_command_that_fails_is_told_with_its_words(
    system: System, entry: Entry, tmp_path: Path, text: str, error: type[Exception], said: str
) -> None:
    program(tmp_path, text)

    with pytest.raises(error, match=said):
        code.connect(system, entry)


def test_the_config_is_where_the_environment_says(system: System, tmp_path: Path) -> None:
    moved = System("linux", {"CLAUDE_CONFIG_DIR": str(tmp_path)}, system.home)

    assert code.config_path(moved) == tmp_path / ".claude.json"
    assert code.config_path(system) == system.home / ".claude.json"


@pytest.mark.parametrize(
    ("platform", "path", "name"),
    [
        ("linux", "{a}:{b}:relative:", "claude"),
        ("darwin", "{a}:{b}", "claude"),
        ("win32", '{a};"{b}";relative;', "claude.cmd"),
    ],
)
def test_it_is_found_on_the_path_of_each_system(
    tmp_path: Path, platform: str, path: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, here = (tmp_path / name for name in ("a", "b (x86)", "here"))
    for folder in (first, second, here):
        folder.mkdir()
        (folder / name).touch(mode=0o755)
    (first / name).chmod(0o600)  # on POSIX no program
    monkeypatch.chdir(here)
    system = System(platform, {"PATH": path.format(a=first, b=second)}, tmp_path / "home")

    assert code.find_claude(system) == str(second / name)
    assert code.find_claude(System(platform, {"PATH": "."}, tmp_path / "home")) is None


def test_a_script_finds_the_node_beside_it_as_from_a_terminal(
    tmp_path: Path, system: System, entry: Entry
) -> None:
    """As Homebrew and npm install it: `env node`, where a desktop app's PATH has no Node."""
    home = system.home
    script = home / ".local/bin" / "claude"
    script.parent.mkdir(parents=True)
    script.write_text("#!/usr/bin/env node-of-a-test\n", encoding="utf-8")
    node = CLAUDE.format(python=sys.executable).replace("_, mcp", "_, _script, mcp")
    (script.parent / "node-of-a-test").write_text(node, encoding="utf-8")
    for path in script.parent.iterdir():
        path.chmod(0o755)
    alone = System(system.platform, {**system.environ, "PATH": "/usr/bin:/bin"}, home)

    assert code.connect(alone, entry).changed
