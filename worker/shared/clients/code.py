"""Claude Code, whose own command adds and removes servers."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from worker.shared.clients.entry import NAME, Entry, System, verify
from worker.shared.clients.files import ConfigError
from worker.shared.clients.state import ClientReport, ClientState, report_on
from worker.shared.programs import as_typed, run_program

CLIENT = "claude-code"
RESTART = "Claude Code sessions that run already see it after a restart."

_SECONDS = 60.0
# Windows and macOS start a desktop app without the PATH of a terminal
_USUAL = (".local/bin", ".claude/local", ".npm-global/bin", "AppData/Roaming/npm")  # below home
_OF_ALL_USERS = {"darwin": ("/opt/homebrew/bin", "/usr/local/bin")}
_NAMES = {"win32": ("claude.exe", "claude.cmd", "claude.bat")}


@dataclass(frozen=True, slots=True)
class Done:
    """Whether something was changed, and the line to type where there is no `claude` command."""

    path: Path
    changed: bool
    to_type: str = ""


def config_path(system: System) -> Path:
    """Return the file in which Claude Code keeps servers of the user."""
    chosen = system.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(chosen) if chosen else system.home) / ".claude.json"


def find_claude(system: System) -> str | None:
    """Return the `claude` command by its whole path, also where the PATH does not name it.

    Never that of the working folder, in which Windows would look first.
    """
    for folder in _folders(system):
        for name in _NAMES.get(system.platform, ("claude",)):
            program = folder / name
            if program.is_file() and os.access(program, os.X_OK):
                return str(program)
    return None


def _folders(system: System) -> Iterator[Path]:
    for name in system.environ.get("PATH", "").split(_separator(system)):
        folder = Path(name.strip('"'))
        if folder.is_absolute():
            yield folder
    yield from (system.home / name for name in _USUAL)
    yield from map(Path, _OF_ALL_USERS.get(system.platform, ()))


def _separator(system: System) -> str:
    return ";" if system.platform == "win32" else ":"


def _environ(system: System, program: str) -> dict[str, str]:
    """Return our environment with the folder of a program on the PATH: beside it is its Node."""
    path = [system.environ.get("PATH", ""), str(Path(program).parent)]
    return {**system.environ, "PATH": _separator(system).join(filter(None, path))}


def report(system: System, entry: Entry | None) -> ClientReport:
    """Return how Claude Code is; quick, and starts nothing."""
    path = config_path(system)
    if not path.exists() and not find_claude(system):
        cause = f"There is neither {path} nor a command claude."
        return ClientReport(CLIENT, ClientState.NOT_INSTALLED, path, cause)
    return report_on(CLIENT, path, entry)


def add_command(entry: Entry, claude: str = "claude") -> list[str]:
    """Return the command that adds our server for all projects of the user."""
    return [claude, "mcp", "add", "--scope", "user", NAME, "--", *entry.line]


def remove_command(claude: str = "claude") -> list[str]:
    """Return the command that removes it."""
    return [claude, "mcp", "remove", "--scope", "user", NAME]


def connect(system: System, entry: Entry) -> Done:
    """Prove that the command answers, then have Claude Code add it, and look whether it did.

    Raises ConfigError, CannotConnectError or ProgramError.
    """
    path, found = config_path(system), report(system, entry)
    if found.state is ClientState.CONNECTED:
        return Done(path, changed=False)
    _require_usable(found)
    verify(entry, system)
    claude = find_claude(system)
    if claude is None:
        return Done(path, changed=False, to_type=as_typed(add_command(entry), system.platform))
    if found.state is ClientState.OTHER_PLACE:
        _run(system, remove_command(claude))
    _run(system, add_command(entry, claude))
    _require(system, entry, ClientState.CONNECTED)
    return Done(path, changed=True)


def disconnect(system: System) -> Done:
    """Have Claude Code remove our server, if there is one; raises as `connect` does."""
    path, found = config_path(system), report(system, None)
    if found.state in (ClientState.NOT_CONNECTED, ClientState.NOT_INSTALLED):
        return Done(path, changed=False)
    _require_usable(found)
    claude = find_claude(system)
    if claude is None:
        return Done(path, changed=False, to_type=as_typed(remove_command(), system.platform))
    _run(system, remove_command(claude))
    _require(system, None, ClientState.NOT_CONNECTED)
    return Done(path, changed=True)


def _require_usable(found: ClientReport) -> None:
    if found.state in (ClientState.BROKEN, ClientState.NAME_TAKEN):
        raise ConfigError(f"{found.cause} {found.remedy}")


def _run(system: System, command: list[str]) -> None:
    outcome = run_program(command, timeout=_SECONDS, environ=_environ(system, command[0]))
    if outcome.code:
        line = as_typed(command, system.platform)
        raise ConfigError(f"`{line}` ended with code {outcome.code}:\n{outcome.said}")


def _require(system: System, entry: Entry | None, state: ClientState) -> None:
    """Trust what is in the file, not what was said."""
    found = report(system, entry)
    if found.state is not state:
        raise ConfigError(
            f"Claude Code reported success, but {found.path} says: {found.state}. {found.cause}"
        )
