"""What several commands share: the folder, JSON for scripts, and how an option is read."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worker import __version__
from worker.shared.streams import json_line

if TYPE_CHECKING:
    from worker.shared.paths import Paths
    from worker.shared.readiness import Health

Run = Callable[[argparse.Namespace], int]


@dataclass(frozen=True, slots=True)
class Commands:
    """Where a group adds its commands."""

    _parsers: "argparse._SubParsersAction[argparse.ArgumentParser]"
    _common: argparse.ArgumentParser

    def add(self, name: str, run: Run, *, summary: str, text: str) -> argparse.ArgumentParser:
        """Return the parser of a new command; `run` returns the exit code."""
        parser = self._parsers.add_parser(
            name,
            parents=[self._common],
            help=summary,
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.set_defaults(command=run)
        return parser


def common() -> argparse.ArgumentParser:
    """Return the options that every command has."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--data-dir",
        metavar="D",
        help="the folder of claude-mem.db (default: ~/.claude-mem)",
    )
    return parser


def paths_of(args: argparse.Namespace) -> "Paths":
    """Return the paths that the command works on."""
    from worker.shared.paths import default_paths

    return default_paths(args.data_dir)


def note_new_database(paths: "Paths") -> None:
    """Say so where a worker that is started now will make an empty database: a mistyped folder?"""
    from worker.shared.paths import no_database

    if not paths.database.exists():
        note = f"{no_database(paths, Path.home())} A new, empty one is made."
        print(f"Note: {note}", file=sys.stderr, flush=True)


def other_version(health: "Health") -> str:
    """Say that a worker of another version runs, which no command replaces unasked."""
    return f"It is version {health.version}, this is {__version__}: memtray-worker restart"


def with_json(parser: argparse.ArgumentParser) -> None:
    """Add the option of those who read the answer with a program."""
    parser.add_argument("--json", action="store_true", help="print the reply as JSON")


def print_json(value: Any) -> None:  # noqa: ANN401 - JSON
    """Print a value on one line, as it is in any script."""
    print(json_line(value, sys.stdout.encoding))


def port(text: str) -> int:
    """Read a port; 0 takes any free one."""
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; a port is a number up to 65535")
    return number
