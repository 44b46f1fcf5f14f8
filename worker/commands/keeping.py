"""What is stored already: secrets taken out of it, and unused room given back."""

import argparse
import sys
import time
from typing import TYPE_CHECKING

from worker.commands.options import Commands, print_json, with_json
from worker.commands.progress import Progress
from worker.commands.transfer import client_of
from worker.shared.errors import BadRequestError

if TYPE_CHECKING:
    from worker.shared.client import WorkerClient
    from worker.shared.keeping import RedactReply

_REDACT = """Look for passwords, keys and tokens in all that is stored: memories, prompts,
summaries, what Claude asked, what was deleted and can be put back. What is new is looked through
anyway.

How many there are of which kind and where is told, never the secrets. With --apply each is
replaced by [redacted: kind], after a verified backup; nothing else of a memory changes.
Backups hold the old text: --drop-backups deletes all of them once a clean one was made.

examples:
  memtray-worker redact --scan
  memtray-worker redact --apply
  memtray-worker redact --apply --drop-backups
"""
_COMPACT = """Give the room that deleted memories left in the database back to the disk.

No other program may have the database open meanwhile, and the disk needs room for one more copy
of what is in use. Searching goes on.

examples:
  memtray-worker compact --list     the sizes
  memtray-worker compact
"""
_POLL_SECONDS = 0.3
_NAMED = 20  # places


def add_to(commands: Commands) -> None:
    """Add `redact` and `compact`."""
    redact = commands.add(
        "redact", _redact, summary="look for secrets in what is stored", text=_REDACT
    )
    redact.add_argument("--scan", action="store_true", help="look, and change nothing")
    redact.add_argument("--apply", action="store_true", help="look, and replace what is found")
    redact.add_argument("--drop-backups", action="store_true", help="delete all older backups")
    redact.add_argument("--yes", action="store_true", help="do not ask")
    compact = commands.add(
        "compact", _compact, summary="give unused room back to the disk", text=_COMPACT
    )
    compact.add_argument("--list", action="store_true", help="only tell the sizes")
    for command in (redact, compact):
        with_json(command)


# ---------------------------------------------------------------------- redact
def _redact(args: argparse.Namespace) -> int:
    if args.scan == args.apply:
        raise BadRequestError("say either --scan or --apply")
    if args.drop_backups and not (args.apply and _is_wanted(args)):
        raise BadRequestError("--drop-backups goes with --apply, and deletes for good: add --yes")
    client = client_of(args)
    client.post("/api/redact", {"apply": args.apply, "drop_backups": args.drop_backups})
    reply = _scanned(client)
    if args.json:
        print_json(reply.model_dump(mode="json"))
    else:
        _tell(reply)
    return 0 if reply.state == "done" else 1


def _is_wanted(args: argparse.Namespace) -> bool:
    if args.yes or not sys.stdin.isatty():
        return bool(args.yes)
    print("Delete all backups that were made before? [y/N]")
    return input().strip().lower() in ("y", "yes")


def _scanned(client: "WorkerClient") -> "RedactReply":
    """Wait until it has ended."""
    from worker.shared.keeping import RedactReply

    with Progress("rows") as progress:
        while (reply := RedactReply.model_validate(client.get("/api/redact"))).state == "running":
            progress.show(reply.done)
            time.sleep(_POLL_SECONDS)
    return reply


def _tell(reply: "RedactReply") -> None:
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(reply.found.items()))
    print(f"{reply.done:,} rows looked at. Secrets: {kinds or 'none'}.")
    for place in reply.places[:_NAMED]:
        print(f"  {place.where}  {place.field}: {', '.join(place.kinds)}")
    if (more := len(reply.places) - _NAMED + reply.more) > 0:
        print(f"  and {more:,} places more; --json names a thousand")
    if reply.cause:
        print(f"It failed: {reply.cause}", file=sys.stderr)
    if reply.applied:
        print("They were replaced.")
    elif reply.found:
        print("Nothing was changed; to replace them: memtray-worker redact --apply")
    if reply.backups:
        print(f"Backups that may hold them still: {len(reply.backups)}; to be rid of those too:")
        print("  memtray-worker redact --apply --drop-backups")
    print(*reply.notes, sep="\n", end="\n" if reply.notes else "")


# ---------------------------------------------------------------------- compact
def _compact(args: argparse.Namespace) -> int:
    from worker.shared.keeping import SizeReply

    client = client_of(args)
    if not args.list:
        client.post("/api/compact", {})
    while (reply := SizeReply.model_validate(client.get("/api/compact"))).state == "running":
        time.sleep(_POLL_SECONDS)
    if args.json:
        print_json(reply.model_dump(mode="json"))
    elif not args.list and reply.cause:
        print(f"It failed: {reply.cause}", file=sys.stderr)
    else:
        before = f"Before: {_mb(reply.before)}. " if reply.before and not args.list else ""
        print(f"{before}Memories: {_mb(reply.bytes)}, unused of it: {_mb(reply.unused)}.")
        print(f"Backups: {_mb(reply.backups)}. Free on the disk: {_mb(reply.room)}.")
    return 0 if args.list or not reply.cause else 1


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
