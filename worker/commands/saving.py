"""Adding memories by hand."""

import argparse
import sys

from worker.commands.options import Commands, paths_of, print_json, with_json
from worker.shared.errors import BadRequestError

_TEXT = """Save a memory by hand. The answer comes once it is on the disk; it is found at once by
its words, and a few seconds later by its meaning.

examples:
  memtray-worker save 'The pool deadlocks when max_size is 1' --project shop
  memtray-worker save 'We keep SQLite' --title 'No Postgres' --type decision
  git log -1 --format=%B | memtray-worker save - --project shop
"""


def add_to(commands: Commands) -> None:
    """Add `save`."""
    save = commands.add("save", _save, summary="save a memory by hand", text=_TEXT)
    save.add_argument(
        "text", nargs="+", metavar="TEXT", help="what to remember; - reads it from stdin"
    )
    save.add_argument("--title", help="one line for lists (default: how the text begins)")
    save.add_argument("--project", help="where it belongs (default: claude-mem)")
    save.add_argument("--type", help="bugfix, feature, decision, ... (default: discovery)")
    save.add_argument("--concepts", metavar="C,C", help="such as gotcha,trade-off")
    save.add_argument("--files", metavar="F,F", help="the files that it is about")
    with_json(save)


def _save(args: argparse.Namespace) -> int:
    from worker.shared.client import WorkerClient
    from worker.shared.launch import ensure_running

    names = ("title", "project", "type", "concepts", "files")
    body = {name: value for name in names if (value := getattr(args, name)) is not None}
    body["text"] = _text(args.text)
    paths = paths_of(args)
    ensure_running(paths)
    reply = WorkerClient(paths, name="command-line").post("/api/memory/save", body)
    if args.json:
        print_json(reply)
    else:
        print(f"{reply['message']}, in project {reply['project']}: {reply['title']}")
        print("".join(f"{note}.\n" for note in reply["notes"]), end="")
    return 0


def _text(words: list[str]) -> str:
    """Return the words as they were typed, or what stdin holds."""
    if words != ["-"]:
        return " ".join(words)
    if sys.stdin.isatty():
        print("Type what to remember, then Ctrl+D on an empty line.", file=sys.stderr)
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as exc:
        raise BadRequestError(f"stdin is no UTF-8 text: {exc.reason} at byte {exc.start}") from exc
