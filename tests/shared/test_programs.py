"""Words reach a program as they stand, whatever its system takes for its own."""

import sys
from pathlib import Path

import psutil
import pytest

from worker.shared.programs import ProgramError, as_started, as_typed, run_program

COMSPEC = {"COMSPEC": r"C:\Windows\system32\cmd.exe"}
SHELL = r'"C:\Windows\system32\cmd.exe" /d /e:on /v:off /s /c '


@pytest.mark.parametrize(
    ("word", "passed"),
    [
        (r"C:\Tom & Jerry\memtray-mcp.exe", r'"C:\Tom & Jerry\memtray-mcp.exe"'),
        (r"C:\R&D\(x86)\^a", r'"C:\R&D\(x86)\^a"'),
        (r"C:\100%\x", r'"C:\100%%cd:~,%\x"'),
        ("C:\\data\\", '"C:\\data\\\\"'),
        ("", '""'),
    ],
)
def test_a_batch_file_of_windows_gets_words_as_they_stand(word: str, passed: str) -> None:
    line = as_started([r"C:\npm\claude.CMD", "mcp", word], "win32", COMSPEC)

    assert line == rf'{SHELL}""C:\npm\claude.CMD" "mcp" {passed}"'


@pytest.mark.parametrize("word", ['a"b', "a\nb", "a\rb", "a\0b"])
def test_what_a_batch_file_cannot_be_given_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="batch file"):
        as_started(["claude.cmd", word], "win32", {})


@pytest.mark.parametrize(
    ("command", "platform"),
    [(["claude.exe", "a&b"], "win32"), (["/bin/claude.cmd", "a&b"], "linux")],
)
def test_any_other_program_is_started_without_a_shell(command: list[str], platform: str) -> None:
    assert as_started(command, platform, COMSPEC) == command


def test_a_line_is_quoted_as_its_system_wants_it() -> None:
    line = ["claude", "--scope", r"C:\Program Files\x.exe", r"C:\R&D\x.exe", "it's"]

    assert as_typed(line, "win32") == (
        r'claude --scope "C:\Program Files\x.exe" "C:\R&D\x.exe" "it' + "'" + 's"'
    )
    assert as_typed(line[-1:], "linux") == "'it'\"'\"'s'"


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="nowhere cannot be started"):
        run_program([str(tmp_path / "nowhere")], timeout=5)


def test_a_program_that_does_not_end_takes_with_it_what_it_has_started(tmp_path: Path) -> None:
    """As the batch file of npm, whose Node would hold our pipes."""
    note = tmp_path / "child"
    child = "import time; time.sleep(600)"
    parent = (
        "import subprocess, sys, pathlib; "
        f"child = subprocess.Popen([sys.executable, '-c', {child!r}]); "
        f"pathlib.Path({str(note)!r}).write_text(str(child.pid)); child.wait()"
    )

    with pytest.raises(ProgramError, match="did not end within 3 s"):
        run_program([sys.executable, "-c", parent], timeout=3)

    pid = int(note.read_text(encoding="utf-8"))
    gone, _ = psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=20)
    assert gone or not psutil.pid_exists(pid)
