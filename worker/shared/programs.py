"""Other people's programs, run to their end within a time, and never through a shell."""

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from worker.shared.errors import MemtrayError

_TAIL = 2_000  # characters of what a program said last


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
    try:
        done = subprocess.run(  # noqa: S603 - a list, never a shell
            command,
            input=stdin,
            env=None if environ is None else dict(environ),
            cwd=cwd,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except subprocess.TimeoutExpired as exc:
        raise ProgramError(f"{command[0]} did not end within {timeout:g} s") from exc
    except (OSError, ValueError) as exc:
        raise ProgramError(f"{command[0]} cannot be started: {exc}") from exc
    return Outcome(done.returncode, done.stdout, done.stderr)


def as_typed(command: Sequence[str], platform: str) -> str:
    """Return a command as a person types it into the terminal of a system."""
    if platform == "win32":
        return subprocess.list2cmdline(command)
    return shlex.join(command)
