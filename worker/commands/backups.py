"""Copies of the memories, and the way back from one."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from worker.commands.options import Commands, paths_of, print_json, with_json

if TYPE_CHECKING:
    from worker.backup.copying import Tick
    from worker.backup.service import Backups
    from worker.shared.upkeep import BackupReply, MemoriesIn

_BACKUP = """Copy the memories, while other programs read and write them, and check the copy.

The worker does the same once a day and keeps the newest seven of its own in memtray/backups,
beside the database. What you make with this command stays until you delete it.

examples:
  memtray-worker backup                   into memtray/backups
  memtray-worker backup /media/usb/m.db   into a new file
  memtray-worker backup --list            what there is
"""
_RESTORE = """Put a backup in the place of the present memories.

Those are kept first, as a backup named before-restore. Programs that use the database may go on
meanwhile; the indexes follow by themselves.

examples:
  memtray-worker restore                  the newest backup, after a question
  memtray-worker restore m.db --yes       a file, for scripts
"""


def add_to(commands: Commands) -> None:
    """Add `backup` and `restore`."""
    backup = commands.add("backup", _backup, summary="copy the memories, checked", text=_BACKUP)
    what = backup.add_mutually_exclusive_group()
    what.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="a new file (default: memtray/backups)"
    )
    what.add_argument("--list", action="store_true", help="show the backups that there are")
    with_json(backup)
    restore = commands.add("restore", _restore, summary="put a backup back", text=_RESTORE)
    restore.add_argument(
        "file",
        nargs="?",
        default="newest",
        metavar="FILE",
        help="a file, a name that backup --list shows, or newest (the default)",
    )
    restore.add_argument("--yes", action="store_true", help="do not ask")
    with_json(restore)


def _backup(args: argparse.Namespace) -> int:
    service = _service(args)
    if args.list:
        return _list(service, as_json=args.json)
    made = service.make_at(args.file.expanduser().absolute()) if args.file else service.make()
    if args.json:
        print_json(made.model_dump(mode="json"))
    else:
        print(f"{made.path}: {_counted(made.memories)}, {made.bytes / 1e6:,.1f} MB, checked.")
    return 0


def _list(service: "Backups", *, as_json: bool) -> int:
    reply = service.list()
    if as_json:
        print_json(reply.model_dump(mode="json"))
        return 0
    for backup in reply.backups:
        print(f"{backup.name}  {_line(backup)}")
    if not reply.backups:
        print(f"There is no backup in {reply.folder} yet; memtray-worker backup makes one.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    service = _service(args)
    file, its = service.examine(args.file)
    present = service.present()
    if not args.yes and not _agreed(file, its, present):
        print("Nothing was restored.", file=sys.stderr)
        return 1
    done = service.restore(file)
    if args.json:
        print_json(done.model_dump(mode="json"))
        return 0
    print(f"Restored {done.restored}: {_counted(done.memories)}.")
    if done.kept:
        print(f"What was there before is in {done.kept}.")
    return 0


def _agreed(file: Path, its: "MemoriesIn", present: "MemoriesIn | str") -> bool:
    """Say what would happen and ask; without a terminal the answer is no."""
    now = present if isinstance(present, str) else _counted(present)
    print(f"now:    {now}\nbackup: {_counted(its)}\n        {file}", file=sys.stderr)
    if not sys.stdin.isatty():
        print("Add --yes to restore it without a question.", file=sys.stderr)
        return False
    print("The present memories are kept aside. Restore? [y/N] ", end="", file=sys.stderr)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _service(args: argparse.Namespace) -> "Backups":
    from worker.backup.service import Backups

    return Backups(paths_of(args), tick=_progress())


def _progress() -> "Tick":
    """Return what shows how far a copy is, on a terminal, if that takes longer than two seconds."""
    began = time.monotonic()

    def show(done: int, total: int) -> None:
        if time.monotonic() - began > 2 and sys.stderr.isatty():
            end = "\n" if done == total else ""
            print(f"\r{100 * done // max(total, 1):3} %", end=end, file=sys.stderr, flush=True)

    return show


def _line(backup: "BackupReply") -> str:
    if backup.memories is None:
        return f"cannot be used: {backup.problem}"
    return f"{backup.bytes / 1e6:,.1f} MB, {_counted(backup.memories)}"


def _counted(memories: "MemoriesIn | None") -> str:
    if memories is None:
        return "nothing that can be counted"
    days = [when[:10] for when in (memories.oldest, memories.newest) if when]
    span = f" from {days[0]} to {days[-1]}" if days else ""
    return (
        f"{memories.observations:,} observations, {memories.sessions:,} summaries, "
        f"{memories.prompts:,} prompts{span}"
    )
