"""The entry names a program by its whole path, and that program answers from anywhere."""

import os
from pathlib import Path

import pytest

from tests.shared.clients.conftest import SCRIPT
from worker.shared.clients.entry import (
    CannotConnectError,
    Entry,
    System,
    entry_for,
    is_ours,
    verify,
)
from worker.shared.paths import Paths


def test_it_is_the_script_by_its_whole_path(system: System) -> None:
    entry = entry_for(Paths(system.home / ".claude-mem"), system)

    assert entry.line == [str(SCRIPT)]
    assert Path(entry.command).is_absolute()


def test_a_folder_that_is_not_the_usual_one_is_named(system: System, tmp_path: Path) -> None:
    entry = entry_for(Paths(tmp_path / "mé mories"), system)

    assert entry.args == ("--data-dir", str(tmp_path / "mé mories"))


def test_a_folder_that_claude_mem_names_itself_needs_no_word(
    system: System, tmp_path: Path
) -> None:
    usual = system.home / ".claude-mem"
    usual.mkdir()
    text = f'{{"CLAUDE_MEM_DATA_DIR": "{(tmp_path / "far").as_posix()}"}}'
    (usual / "settings.json").write_text(text, encoding="utf-8")

    assert entry_for(Paths(tmp_path / "far"), system).args == ()


@pytest.mark.parametrize("name", ["python3.11", "python.exe", "memtray.EXE"])
def test_the_script_beside_the_program_that_runs_is_taken(
    system: System, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "Ä b (x)"
    folder.mkdir()
    script = folder / ("memtray-mcp.exe" if name.lower().endswith(".exe") else "memtray-mcp")
    script.touch()

    entry = entry_for(Paths(tmp_path), system, executable=folder / name)

    assert entry.command == str(script)


def test_an_app_that_macos_shows_for_a_while_is_not_entered(tmp_path: Path) -> None:
    folder = tmp_path / "AppTranslocation" / "1A-2B" / "d" / "Memtray.app" / "Contents" / "MacOS"
    folder.mkdir(parents=True)
    (folder / "memtray-mcp").touch()
    mac, linux = (System(platform, {}, tmp_path) for platform in ("darwin", "linux"))

    with pytest.raises(CannotConnectError, match="into the Applications folder"):
        entry_for(Paths(tmp_path), mac, executable=folder / "memtray")
    assert entry_for(Paths(tmp_path), linux, executable=folder / "memtray").command


@pytest.mark.parametrize(
    ("value", "ours"),
    [
        ({"command": "/opt/venv/bin/memtray-mcp"}, True),
        ({"command": "C:\\Old\\memtray-mcp.exe", "args": []}, True),
        ({"command": "python", "args": ["-m", "mcp_server"]}, True),
        ({"command": "cmd", "args": ["/c", "C:\\x\\memtray-mcp.exe"]}, True),
        ({"command": "npx", "args": ["memtray-mcp-other"]}, False),
        ({"command": 5, "args": "memtray-mcp"}, False),
        ({"url": "https://memtray-mcp"}, False),
        ([], False),
        (None, False),
    ],
)
def test_ours_is_known_wherever_it_was_installed(value: object, ours: bool) -> None:
    assert is_ours(value) is ours


def test_it_answers_without_any_environment_from_a_foreign_folder(system: System) -> None:
    verify(Entry(str(SCRIPT)), system)


def test_it_answers_a_call_as_well_or_that_is_told(system: System) -> None:
    verify(Entry(str(SCRIPT)), system, call="__IMPORTANT")

    with pytest.raises(CannotConnectError, match="No such tool"):
        verify(Entry(str(SCRIPT)), system, call="nothing")


@pytest.mark.skipif(os.name != "posix", reason="scripts of the shell")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo 'no such module' >&2; exit 3", "no such module"),
        ("echo 'Welcome!'; exit 0", "Welcome!"),
        ("echo '[]'", r"\[\]"),
        ('[ -n "$MEMTRAY_PORT$PYTHONPATH" ] && echo env >&2; exit 1', "said nothing"),
        ("sleep 5", "did not end within"),
    ],
)
def test_what_does_not_answer_is_told_with_its_words(
    system: System, tmp_path: Path, script: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTRAY_PORT", "1")
    program = tmp_path / "memtray-mcp"
    program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n", encoding="utf-8")
    program.chmod(0o755)

    with pytest.raises(CannotConnectError, match=said):
        verify(Entry(str(program)), system, timeout=1.5)


def test_a_program_that_may_not_be_run_is_told(system: System, tmp_path: Path) -> None:
    program = tmp_path / "memtray-mcp"
    program.write_text("no program", encoding="utf-8")

    with pytest.raises(CannotConnectError, match="install Memtray anew"):
        verify(Entry(str(program)), system)
