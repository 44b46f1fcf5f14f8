"""What a client must start in order to have our tools, and the proof that it answers."""

import json
import os
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worker.shared.errors import MemtrayError
from worker.shared.frozen import goes_away
from worker.shared.paths import Paths, find_data_dir
from worker.shared.programs import ProgramError, run_program

NAME = "memtray"
ANSWER_SECONDS = 20.0

_PROGRAM = "memtray-mcp"
_NEEDED = {"win32": ("SYSTEMROOT", "USERPROFILE", "TEMP")}  # without these no Python starts
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "memtray-connect", "version": "1"},
    },
}
_READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
_CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}


class CannotConnectError(MemtrayError):
    """A client would get nothing from our MCP server as it is installed."""

    title = "The MCP server cannot be connected"
    code = "cannot_connect"


@dataclass(frozen=True, slots=True)
class System:
    """Where we run: passed on, so that each system can be tested on any."""

    platform: str
    environ: Mapping[str, str]
    home: Path

    @classmethod
    def here(cls) -> "System":
        return cls(sys.platform, os.environ, Path.home())


@dataclass(frozen=True, slots=True)
class Entry:
    """One server in a client's config."""

    command: str
    args: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"command": self.command, "args": list(self.args)}

    @property
    def line(self) -> list[str]:
        return [self.command, *self.args]


def entry_for(paths: Paths, system: System, *, executable: Path | None = None) -> Entry:
    """Return our entry: the script by its absolute path, and the folder if it is not the usual.

    Raises CannotConnectError where the script is not installed, or will not stay where it is.
    """
    script = _script(executable or Path(sys.executable))
    if system.platform == "darwin" and goes_away(script):
        raise CannotConnectError(
            f"Memtray runs from {script.parent}, which goes when the disk image is ejected. Move "
            "Memtray into the Applications folder, start it there, and connect again"
        )
    usual = find_data_dir(None, {}, system.home)  # what it finds when a client starts it
    chosen = () if paths.data_dir == usual else ("--data-dir", str(paths.data_dir))
    return Entry(str(script), chosen)


def is_ours(value: object) -> bool:
    """Say whether an entry starts our MCP server, from wherever and however."""
    if not isinstance(value, dict):
        return False
    args = value.get("args")
    words = [value.get("command"), *(args if isinstance(args, list) else [])]
    names = [str(word).replace("\\", "/").rpartition("/")[2] for word in words]
    return any(name.removesuffix(".exe") in (_PROGRAM, "mcp_server") for name in names)


def verify(
    entry: Entry, system: System, *, timeout: float = ANSWER_SECONDS, call: str = ""
) -> None:
    """Start it as a client does, without our environment, from a folder that is not ours.

    Raises CannotConnectError, with what it said, unless it answers `initialize` and, where one is
    given, the call of a tool.
    """
    asked = [_HELLO, _READY]
    if call:
        asked.append(_CALL | {"params": {"name": call, "arguments": {}}})
    needed = _NEEDED.get(system.platform, ("HOME",))
    environ = {name: system.environ[name] for name in needed if name in system.environ}
    try:
        with tempfile.TemporaryDirectory() as elsewhere:
            outcome = run_program(
                entry.line,
                timeout=timeout,
                stdin="".join(json.dumps(message) + "\n" for message in asked),
                environ=environ,
                cwd=Path(elsewhere),
            )
    except ProgramError as exc:
        raise CannotConnectError(f"{exc.detail}; install Memtray anew") from exc
    hello, *others = (_result(line) for line in outcome.stdout.split("\n"))
    told = any(result.get("content") and not result.get("isError") for result in others)
    if "serverInfo" not in hello or (call and not told):
        raise CannotConnectError(
            f"{entry.command} does not answer as an MCP server. It said:\n{outcome.said}"
        )


def _result(line: str) -> dict[str, Any]:
    """Return the result that a line of the protocol brings; empty where it brings none."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    result = answer.get("result") if isinstance(answer, dict) else None
    return result if isinstance(result, dict) else {}


def _script(executable: Path) -> Path:
    suffix = ".exe" if executable.suffix.lower() == ".exe" else ""
    folders = (executable.absolute().parent, Path(sysconfig.get_path("scripts")))
    for folder in folders:
        script = folder / f"{_PROGRAM}{suffix}"
        if script.is_file():
            return script
    raise CannotConnectError(
        f"there is no {_PROGRAM} in {folders[0]}; install it: pip install 'memtray[worker,mcp]'"
    )
