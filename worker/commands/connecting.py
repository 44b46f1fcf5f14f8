"""Giving Claude our tools, and taking them away."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from worker.commands.options import Commands, paths_of, print_json, with_json

if TYPE_CHECKING:
    from worker.shared.clients import code, desktop
    from worker.shared.clients.entry import Entry, System

_CONNECT = """Give Claude Desktop or Claude Code the memory tools.

The command that they are to start is tried first. Then only our entry, memtray, is written; the
file is backed up before, and a file that cannot be understood is left as it is.

examples:
  memtray-worker connect claude-desktop           then quit Claude Desktop and start it again
  memtray-worker connect claude-code              for all projects, by `claude mcp add`
  memtray-worker connect claude-desktop --print   show the entry, change nothing
"""
_DISCONNECT = """Take the memory tools away from Claude Desktop or Claude Code.

Only our entry, memtray, is removed. Memories stay where they are.

examples:
  memtray-worker disconnect claude-desktop
"""


def add_to(commands: Commands) -> None:
    """Add `connect` and `disconnect`."""
    connect = commands.add("connect", _connect, summary="give Claude our tools", text=_CONNECT)
    disconnect = commands.add("disconnect", _disconnect, summary="take them away", text=_DISCONNECT)
    for parser in (connect, disconnect):
        parser.add_argument("client", choices=("claude-desktop", "claude-code"))
        parser.add_argument("--print", action="store_true", help="show it, change nothing")
        parser.add_argument(
            "--config",
            type=Path,
            metavar="FILE",
            help="the claude_desktop_config.json, where it is not in its usual place",
        )
        with_json(parser)


def _connect(args: argparse.Namespace) -> int:
    from worker.shared.clients.entry import System, entry_for

    system = System.here()
    entry = entry_for(paths_of(args), system)
    if args.client == "claude-desktop":
        return _connect_desktop(args, system, entry)
    return _connect_code(args, system, entry)


def _connect_desktop(args: argparse.Namespace, system: "System", entry: "Entry") -> int:
    from worker.shared.clients import desktop

    path = args.config or desktop.config_path(system)
    if args.print:
        change = desktop.plan_connect(path, entry)
        _show(args, path, entry.as_json(), would_change=change.text is not None)
        return 0
    done = desktop.connect(path, entry, system)
    lines = [f"{path} names memtray now." if done.changed else f"{path} named memtray already."]
    _tell(args, done, [*lines, *done.notes, *([desktop.RESTART] if done.changed else [])])
    return 0


def _connect_code(args: argparse.Namespace, system: "System", entry: "Entry") -> int:
    from worker.shared.clients import code
    from worker.shared.programs import as_typed

    if args.print:
        print(as_typed(code.add_command(entry), system.platform))
        return 0
    done = code.connect(system, entry)
    if done.to_type:
        return _to_type(args, done)
    said = [f"Claude Code has memtray now. {code.RESTART}"]
    _tell(args, done, said if done.changed else ["Claude Code had memtray already."])
    return 0


def _disconnect(args: argparse.Namespace) -> int:
    from worker.shared.clients.entry import System

    if args.client == "claude-desktop":
        return _disconnect_desktop(args, System.here())
    return _disconnect_code(args, System.here())


def _disconnect_desktop(args: argparse.Namespace, system: "System") -> int:
    from worker.shared.clients import desktop

    path = args.config or desktop.config_path(system)
    if args.print:
        change = desktop.plan_disconnect(path)
        _show(args, path, None, would_change=change.text is not None)
        return 0
    done = desktop.disconnect(path)
    said = [f"{path} does not name memtray any more.", desktop.RESTART] if done.changed else []
    _tell(args, done, [*said, *done.notes])
    return 0


def _disconnect_code(args: argparse.Namespace, system: "System") -> int:
    from worker.shared.clients import code
    from worker.shared.programs import as_typed

    if args.print:
        print(as_typed(code.remove_command(), system.platform))
        return 0
    done = code.disconnect(system)
    if done.to_type:
        return _to_type(args, done)
    _tell(args, done, ["Claude Code has no memtray" + (" any more." if done.changed else ".")])
    return 0


def _show(args: argparse.Namespace, path: Path, entry: object, *, would_change: bool) -> None:
    """Print what would be in the file, and change nothing."""
    if args.json:
        print_json({"path": str(path), "entry": entry, "would_change": would_change})
        return
    print(f"{path} {'would be changed' if would_change else 'would stay as it is'}.")
    if entry is not None:
        shown = {"mcpServers": {"memtray": entry}}
        print(json.dumps(shown, indent=2, ensure_ascii=False))


def _to_type(args: argparse.Namespace, done: "code.Done") -> int:
    """Leave it to the user, where there is no command `claude`."""
    if args.json:
        print_json({"path": str(done.path), "changed": False, "to_type": done.to_type})
    else:
        print(f"There is no command claude here. Where there is one, type:\n{done.to_type}")
    return 1


def _tell(args: argparse.Namespace, done: "code.Done | desktop.Done", lines: list[str]) -> None:
    backup = getattr(done, "backup", None)
    if args.json:
        answer = {"path": str(done.path), "changed": done.changed, "notes": lines}
        print_json(answer | {"backup": str(backup) if backup else None})
        return
    print("\n".join(lines))
    if backup:
        print(f"What was in it before is in {backup}.")
