"""Letting memories go, and putting them back."""

import argparse
import sys

from worker.commands.options import Commands, print_json, with_json
from worker.commands.transfer import client_of, counted, listed
from worker.shared.errors import BadRequestError

_DELETE = """Let memories go: they leave the database, every index, searches and exports.

For 30 days `memtray-worker undo` puts them back; --now keeps nothing for that, and leaves no word
of them in any file. What was let go is not brought in again by an import. Backups made before keep
what they hold, and the list of what Claude asked keeps its questions.

examples:
  memtray-worker delete 12 S3 P7
  memtray-worker delete --project shop
  memtray-worker delete 12 --now
"""
_UNDO = """Put back what `memtray-worker delete` took, under the same ids.

examples:
  memtray-worker undo              the latest
  memtray-worker undo --list       what there is
  memtray-worker undo 3f2a9c81d47b
"""


def add_to(commands: Commands) -> None:
    """Add `delete` and `undo`."""
    delete = commands.add("delete", _delete, summary="let memories go", text=_DELETE)
    delete.add_argument("ids", metavar="ID", nargs="*")
    delete.add_argument("--project", help="all of a project")
    delete.add_argument("--now", action="store_true", help="for good, without undo")
    delete.add_argument("--yes", action="store_true", help="do not ask")
    with_json(delete)
    undo = commands.add("undo", _undo, summary="put them back", text=_UNDO)
    undo.add_argument("batch", nargs="?")
    undo.add_argument("--list", action="store_true", help="show what can be put back")
    with_json(undo)


def _delete(args: argparse.Namespace) -> int:
    if bool(args.ids) == bool(args.project):
        raise BadRequestError("name ids, or a project with --project")
    if not _is_wanted(args):
        return 1
    body = {"ids": args.ids} if args.ids else {"project": args.project}
    reply = client_of(args).post("/api/memory/delete", body | {"now": args.now})
    if args.json:
        print_json(reply)
        return 0 if not reply["left"] else 1
    print(f"Deleted: {listed(reply['deleted'])}. Left: {reply['left']}.")
    if reply["not_found"]:
        print(f"There was no {', '.join(reply['not_found'])}.")
    for note in reply["notes"]:
        print(f"Note: {note}")
    if reply["batch"]:
        print(f"Until {reply['until'][:10]} it can be undone: memtray-worker undo {reply['batch']}")
    return 0 if not reply["left"] else 1


def _is_wanted(args: argparse.Namespace) -> bool:
    """Ask before a whole project goes, or anything goes for good."""
    if args.yes or not (args.project or args.now):
        return True
    if not sys.stdin.isatty():
        raise BadRequestError(f"{_question(args)} To do it without being asked: --yes")
    print(f"{_question(args)} [y/N]")
    return input().strip().lower() in ("y", "yes")


def _question(args: argparse.Namespace) -> str:
    """Return what would go, and whether it could come back."""
    what = f"all memories of project {args.project}" if args.project else ", ".join(args.ids)
    if args.now:
        return f"Delete {what} for good? Nothing puts them back then."
    return f"Delete {what}? For 30 days memtray-worker undo puts them back."


def _undo(args: argparse.Namespace) -> int:
    client = client_of(args)
    if args.list:
        reply = client.get("/api/trash")
        lines = [
            f"{each['batch']}  {each['deleted_at'][:16].replace('T', ' ')}  "
            f"{counted(each['rows'], 'row', 'rows')}  "
            f"{each['label']}"
            for each in reply["batches"]
        ]
        print_json(reply) if args.json else print("\n".join(lines) or "There is nothing to undo.")
        return 0
    reply = client.post("/api/memory/undo", {"batch": args.batch})
    back = counted(reply["restored"], "row", "rows")
    print_json(reply) if args.json else print(f"Put back: {back}.")
    return 0
