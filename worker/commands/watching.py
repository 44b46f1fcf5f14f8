"""How the worker is, and what it said."""

import argparse
import datetime as dt
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from worker import __version__
from worker.commands.options import Commands, other_version, paths_of, print_json, with_json

if TYPE_CHECKING:
    from worker.shared.log_lines import Entry
    from worker.shared.readiness import PartReport
    from worker.shared.state import WorkerState

_FOLLOW_SECONDS = 0.3


def add_to(commands: Commands) -> None:
    """Add `status` and `logs`."""
    status = commands.add(
        "status",
        _status,
        summary="tell how the worker is, and what helps where it is not well",
        text="Tell how the worker is, and what helps where it is not well.\n"
        "The exit code is 0 while a worker answers, 1 while none does.",
    )
    logs = commands.add(
        "logs",
        _logs,
        summary="show what the worker and the MCP servers logged",
        text="Show what the worker and the MCP servers logged, the newest last; no worker is "
        "needed.\nEach line of --json is one object: time, level, component, message.",
    )
    logs.add_argument("-f", "--follow", action="store_true", help="go on until Ctrl+C")
    logs.add_argument(
        "-n", "--lines", type=_count, default=50, metavar="LINES", help="how many (default: 50)"
    )
    for command in (status, logs):
        with_json(command)


def _status(args: argparse.Namespace) -> int:
    from worker.shared.state import look

    found = look(paths_of(args))
    if args.json:
        print_json(found.model_dump(mode="json"))
    else:
        print(*_described(found), sep="\n")
    return 0 if found.health else 1


def _described(found: "WorkerState") -> Iterator[str]:
    """Yield the lines that tell a person how the worker is."""
    yield f"state:     {found.state}" + (f" ({found.cause})" if found.cause else "")
    yield f"folder:    {found.data_dir}"
    if found.pid:
        yield f"process:   {found.pid}"
    if found.health:
        up = dt.timedelta(seconds=int(found.health.uptime_seconds))
        yield f"address:   http://127.0.0.1:{found.port}"
        yield f"version:   {found.health.version}, up for {up}"
    if found.ready:
        for part in found.ready.parts:
            yield from _part(part)
    if found.health and found.health.version != __version__:
        yield other_version(found.health)
    if found.remedy:
        yield f"remedy:    {found.remedy}"


def _part(part: "PartReport") -> Iterator[str]:
    count = "" if part.done is None else f", {part.done:,}"
    if part.total is not None and part.total != part.done:
        count += f" of {part.total:,}"
    yield f"{part.part + ':':10} {part.state}{count}"
    if part.cause:
        yield f"{'':10} {part.cause}"
    if part.remedy:
        yield f"{'':10} {part.remedy}"


def _logs(args: argparse.Namespace) -> int:
    from worker.shared.log_lines import LogFiles

    folder = paths_of(args).logs
    files = LogFiles(folder)
    found = files.newest(args.lines)
    if not found and args.lines:
        print(f"Nothing has been logged in {folder} yet.", file=sys.stderr)
    with suppress(KeyboardInterrupt):  # the way to end what follows
        _print_entries(found, args)
        while args.follow:
            time.sleep(_FOLLOW_SECONDS)
            _print_entries(files.more(), args)
    return 0


def _print_entries(entries: Iterable["Entry"], args: argparse.Namespace) -> None:
    for entry in entries:
        print(entry.model_dump_json(exclude_defaults=True) if args.json else entry)
    sys.stdout.flush()


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lines")
    return int(text)
