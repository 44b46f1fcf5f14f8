"""Carrying memories to a file."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from worker.commands.options import Commands, paths_of, print_json, with_json
from worker.commands.progress import Progress
from worker.shared.errors import NotFoundError

if TYPE_CHECKING:
    from worker.ingest.export_file import ExportFile
    from worker.shared.client import WorkerClient

_EXPORT = """Write all memories into one file, to keep or to carry to another machine.

The file is text, one JSON object a line, and only you can read it. Nothing is left out but
what claude-mem keeps for its own work. It appears under its name once it is whole.

examples:
  memtray-worker export memories.jsonl
  memtray-worker export shop.jsonl --project shop
"""
_NAMES = {  # of the rows of each table: one, several
    "sdk_sessions": ("session", "sessions"),
    "observations": ("observation", "observations"),
    "session_summaries": ("summary", "summaries"),
    "user_prompts": ("prompt", "prompts"),
}


def add_to(commands: Commands) -> None:
    """Add `export`."""
    export = commands.add("export", _export, summary="write all memories to a file", text=_EXPORT)
    export.add_argument("file", type=Path, metavar="FILE")
    export.add_argument("--project", help="only this project")
    export.add_argument("--force", action="store_true", help="replace the file if there is one")
    with_json(export)


def _export(args: argparse.Namespace) -> int:
    from worker.ingest.export_file import writing

    client = client_of(args)
    header = {"project": args.project} if args.project else {}
    with writing(args.file, header, replace=args.force) as file:
        left_out = _write_pages(client, args.project, file)
        if args.project and not file.counts.total():
            raise NotFoundError(
                f"there are no memories of project {args.project}; `memtray-worker export` "
                "without --project writes all, GET /api/projects names those that there are"
            )
    for name in left_out:
        print(f"Left out, as it is longer than a line may be: {name}", file=sys.stderr)
    if args.json:
        print_json({"file": str(args.file), "rows": file.counts, "left_out": left_out})
    else:
        print(f"Exported to {args.file}: {listed(file.counts)}.")
    return 0


def _write_pages(client: "WorkerClient", project: str | None, file: "ExportFile") -> list[str]:
    """Write page after page; return the names of what is too large for a line."""
    left_out: list[str] = []
    after = None
    with Progress("exported") as progress:
        while True:
            page = client.get("/api/export", {"project": project, "after": after})
            file.add(page["rows"])
            left_out += page["left_out"]
            progress.show(file.counts.total())
            after = page["next"]
            if after is None:
                return left_out


def client_of(args: argparse.Namespace, *, timeout: float = 30.0) -> "WorkerClient":
    """Return a client of the worker, which is started if there is none.

    `timeout` is for a whole call, in seconds.
    """
    from worker.shared.client import WorkerClient
    from worker.shared.launch import ensure_running

    paths = paths_of(args)
    ensure_running(paths)
    return WorkerClient(paths, name="command-line", timeout=timeout)


def listed(counts: Mapping[str, int]) -> str:
    """Return how many rows there are of each table that has any, for a person."""
    there = [counted(n, *names) for table, names in _NAMES.items() if (n := counts.get(table, 0))]
    return ", ".join(there) or "nothing"


def counted(count: int, one: str, several: str) -> str:
    """Return a number with its noun."""
    return f"{count} {one if count == 1 else several}"
