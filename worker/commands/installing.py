"""What installers call: start at login, making way for another version, leaving for good."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from worker.commands.options import Commands, paths_of

if TYPE_CHECKING:
    from worker.shared.installation import Installation

_MAKE_WAY = """End the app, the workers and the MCP servers that run from this installation.

For installers, before they replace files. What was saved is kept; Claude starts what it needs
again. The code is 3 where a process goes on; any other than 0 tells that the command itself went
wrong, which is no reason not to repair an installation.
"""
_IN_THE_WAY = 3  # neither 1, which any failure gives, nor 2, a wrong usage
_START_AGAIN = """Start the apps that make-way has written down, as they were, and delete the file.

For installers, after they replaced files. Where there is no such file, nothing is started.
"""
_UNINSTALL = """Take away what Memtray has left outside the folder where it is installed.

For uninstallers, before they remove files: the entries in Claude's config files, the start at
login, all processes. Another Memtray that is installed elsewhere stays connected. The memories
and all other data are kept unless you say otherwise.
"""


def add_to(commands: Commands) -> None:
    """Add `start-at-login`, `make-way`, `start-again` and `uninstall-cleanup`."""
    login = commands.add(
        "start-at-login",
        _start_at_login,
        summary="have the app start at login, or not",
        text="Have the app start at login, or not, as its own menu does; or say how it is.",
    )
    login.add_argument("wish", choices=("on", "off", "status"))
    way = commands.add("make-way", _make_way, summary="end all that runs", text=_MAKE_WAY)
    way.add_argument("--remember", type=Path, metavar="FILE", help="write down which apps ran")
    again = commands.add(
        "start-again", _start_again, summary="start the apps that make-way ended", text=_START_AGAIN
    )
    again.add_argument("file", type=Path, metavar="FILE")
    leave = commands.add(
        "uninstall-cleanup",
        _uninstall,
        summary="disconnect clients, remove the start at login, end all that runs",
        text=_UNINSTALL,
    )
    for parser in (way, again, leave):
        parser.add_argument("--programs", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    leave.add_argument(
        "--delete-data",
        action="store_true",
        help="delete indexes, settings, logs and backups, and keep the memories",
    )
    leave.add_argument(
        "--delete-memories",
        action="store_true",
        help="delete the memories as well, claude-mem's too",
    )


def _start_at_login(args: argparse.Namespace) -> int:
    from worker.shared.autostart import StartAtLogin

    login = StartAtLogin(paths_of(args))
    if args.wish == "on":
        login.turn_on()
    elif args.wish == "off":
        login.turn_off()
    print("on" if login.is_on() else "off")
    return 0


def _make_way(args: argparse.Namespace) -> int:
    from worker.shared.installation import end_all

    installation = _installation(args)
    if args.remember:
        from worker.comeback import remember

        remember(installation.running(), args.remember)
    left = end_all(installation)
    print(f"Still running: {', '.join(left)}." if left else "Nothing of Memtray runs any more.")
    return _IN_THE_WAY if left else 0


def _start_again(args: argparse.Namespace) -> int:
    from worker.comeback import start_again

    troubles = start_again(_installation(args), args.file)
    for trouble in troubles:
        print(trouble)
    return 1 if troubles else 0


def _uninstall(args: argparse.Namespace) -> int:
    from worker.shared.clients.entry import System
    from worker.uninstall import Leaving, uninstall

    leaving = Leaving(
        paths_of(args),
        System.here(),
        _installation(args),
        delete_data=args.delete_data,
        delete_memories=args.delete_memories,
    )
    code = 0
    for step in uninstall(leaving):
        print(step.text, flush=True)
        code = code if step.done else 1
    return code


def _installation(args: argparse.Namespace) -> "Installation":
    from worker.shared.installation import Installation

    here = Installation.here()
    return Installation(args.programs.absolute(), here.suffix) if args.programs else here
