"""Other people's programs, run to their end within a time, and never through a shell."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from worker.shared.errors import MemtrayError
from worker.shared.frozen import system_libraries

_TAIL = 2_000  # characters of what a program said last
_PLAIN = re.compile(r"[\w\\/:.=+-]+")  # words that no terminal of Windows takes for more


class ProgramError(MemtrayError):
    """A program cannot be started, or does not come to its end."""

    title = "Another program does not do its work"
    code = "program_failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a program ended and what it said."""

    code: int
    stdout: str
    stderr: str

    @property
    def said(self) -> str:
        """What it said last, for an error text."""
        return (self.stderr.strip() or self.stdout.strip())[-_TAIL:] or "(it said nothing)"


def run_program(
    command: Sequence[str],
    *,
    timeout: float,
    stdin: str = "",
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Outcome:
    """Run a program and return how it ended; raise ProgramError where it does not in time."""
    given = os.environ if environ is None else environ
    try:
        with system_libraries():
            process = subprocess.Popen(  # noqa: S603 - a list, never a shell
                as_started(command, sys.platform, given),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(given),
                cwd=cwd,
                encoding="utf-8",
                errors="replace",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        with process:
            return _outcome(process, stdin, timeout)
    except subprocess.TimeoutExpired as exc:
        raise ProgramError(f"{command[0]} did not end within {timeout:g} s") from exc
    except (OSError, ValueError) as exc:
        raise ProgramError(f"{command[0]} cannot be started: {exc}") from exc


def _outcome(process: "subprocess.Popen[str]", stdin: str, timeout: float) -> Outcome:
    try:
        stdout, stderr = process.communicate(stdin, timeout=timeout)
    finally:
        if process.poll() is None:
            _end(process.pid)
    return Outcome(process.returncode, stdout, stderr)


def _end(pid: int) -> None:
    """Kill a program and all that it has started, which else would go on and hold our pipes."""
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        for each in (*process.children(recursive=True), process):
            with suppress(psutil.Error):
                each.kill()


def as_started(
    command: Sequence[str], platform: str, environ: Mapping[str, str]
) -> Sequence[str] | str:
    """Return what starts a program with its words as they stand; raise ValueError.

    Windows gives a batch file, such as npm makes of `claude`, to cmd.exe, which takes `&` and
    `%PATH%` for its own unless told otherwise.
    """
    if platform != "win32" or not command[0].lower().endswith((".cmd", ".bat")):
        return command
    if any(mark in word for word in command for mark in '"\r\n\0'):
        raise ValueError("a batch file takes no quotation mark and no line break")
    literal = (_quoted(word).replace("%", "%%cd:~,%") for word in command)  # `%cd:~,%` is empty
    shell = environ.get("COMSPEC", "cmd.exe")
    return f'"{shell}" /d /e:on /v:off /s /c "{" ".join(literal)}"'


def as_typed(command: Sequence[str], platform: str) -> str:
    """Return a command as a person types it into the terminal of a system."""
    if platform == "win32":
        return " ".join(word if _PLAIN.fullmatch(word) else _quoted(word) for word in command)
    return shlex.join(command)


def _quoted(word: str) -> str:
    """Return a word in quotation marks, as programs of Windows take their command line apart."""
    inner = re.sub(r'(\\*)"', r'\1\1\\"', word)
    at_end = "\\" * (len(inner) - len(inner.rstrip("\\")))  # which would escape the mark
    return f'"{inner}{at_end}"'
