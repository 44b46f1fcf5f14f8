"""`connect` and `disconnect` as a user types them, with the real MCP server."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.processes import command, environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks where Linux has it")


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A home with Claude Desktop in it, and no `claude` command."""
    made = environment(tmp_path) | {"PATH": "/usr/bin:/bin"}
    made.pop("XDG_CONFIG_HOME", None)
    made.pop("CLAUDE_CONFIG_DIR", None)
    (tmp_path / ".config" / "Claude").mkdir(parents=True)
    return made


@pytest.fixture
def config(tmp_path: Path, environ: dict[str, str]) -> Path:
    path = tmp_path / ".config" / "Claude" / "claude_desktop_config.json"
    path.write_text('{\n  "preferences": {}\n}\n', encoding="utf-8")
    return path


def test_what_is_written_answers_without_an_environment(
    environ: dict[str, str], config: Path, tmp_path: Path
) -> None:
    other = tmp_path / "mé mories"
    done = command("connect", "claude-desktop", "--data-dir", str(other), environ=environ)

    assert done.returncode == 0, done.stderr
    assert "Quit Claude Desktop and start it again" in done.stdout
    assert ".memtray-0001-" in done.stdout
    entry = json.loads(config.read_bytes())["mcpServers"]["memtray"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"] == ["--data-dir", str(other)]
    shown = subprocess.run(
        ["env", "-i", entry["command"], *entry["args"], "--version"],
        cwd="/",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert "memtray-mcp" in shown.stdout


def test_there_and_back_leaves_the_file_as_it_was(environ: dict[str, str], config: Path) -> None:
    before = config.read_bytes()

    connected = command("connect", "claude-desktop", "--json", environ=environ)
    again = command("connect", "claude-desktop", "--json", environ=environ)
    away = command("disconnect", "claude-desktop", environ=environ)
    gone = command("disconnect", "claude-desktop", environ=environ)

    assert [json.loads(done.stdout)["changed"] for done in (connected, again)] == [True, False]
    assert Path(json.loads(connected.stdout)["backup"]).read_bytes() == before
    assert "any more" in away.stdout
    assert (gone.returncode, "does not name memtray" in gone.stdout) == (0, True)
    assert json.loads(config.read_bytes()) == json.loads(before) | {"mcpServers": {}}


def test_printing_changes_nothing(environ: dict[str, str], config: Path) -> None:
    before = config.read_bytes()

    shown = command("connect", "claude-desktop", "--print", environ=environ)
    as_json = command("connect", "claude-desktop", "--print", "--json", environ=environ)
    code = command("connect", "claude-code", "--print", environ=environ)
    away = command("disconnect", "claude-code", "--print", environ=environ)

    assert '"mcpServers"' in shown.stdout
    assert json.loads(as_json.stdout)["would_change"]
    assert code.stdout.startswith("claude mcp add --scope user memtray -- /")
    assert away.stdout == "claude mcp remove --scope user memtray\n"
    assert config.read_bytes() == before
    assert list(config.parent.iterdir()) == [config]


def test_a_broken_file_is_refused_with_its_place(environ: dict[str, str], config: Path) -> None:
    config.write_text('{\n  "preferences": {},\n}\n', encoding="utf-8")

    done = command("connect", "claude-desktop", environ=environ)

    assert done.returncode == 1
    assert f"{config}: line 3, column 1" in done.stderr
    assert config.read_text(encoding="utf-8") == '{\n  "preferences": {},\n}\n'


def test_another_file_is_changed_where_it_is_named(
    environ: dict[str, str], config: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    before = config.read_bytes()

    done = command("connect", "claude-desktop", "--config", str(other), environ=environ)

    assert done.returncode == 0
    assert "memtray" in json.loads(other.read_bytes())["mcpServers"]
    assert config.read_bytes() == before


def test_without_claude_code_the_line_to_type_is_shown(
    environ: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which("claude", path=environ["PATH"]):
        pytest.skip("there is a claude here")
    done = command("connect", "claude-code", environ=environ)
    away = command("disconnect", "claude-code", environ=environ)

    assert done.returncode == 1
    assert "claude mcp add --scope user memtray -- /" in done.stdout
    assert (away.returncode, away.stdout) == (0, "Claude Code has no memtray.\n")
    assert not (tmp_path / ".claude.json").exists()


def test_an_unknown_client_is_wrong_usage(environ: dict[str, str]) -> None:
    assert command("connect", "notepad", environ=environ).returncode == 2
