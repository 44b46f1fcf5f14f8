"""Carrying memories to a file and back."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worker.commands.options import Commands, paths_of, print_json, with_json
from worker.commands.progress import Progress
from worker.shared.errors import MemtrayError, NotFoundError

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
_IMPORT = """Add the memories of a file that `memtray-worker export` wrote.

What is there already is not added again: you may import a file twice, import the files of
several machines, or begin again where an import broke off. The whole file is checked first.

examples:
  memtray-worker import memories.jsonl
"""
_NAMES = {
    "sdk_sessions": "sessions",
    "observations": "observations",
    "session_summaries": "summaries",
    "user_prompts": "prompts",
}


def add_to(commands: Commands) -> None:
    """Add `export` and `import`."""
    export = commands.add("export", _export, summary="write all memories to a file", text=_EXPORT)
    export.add_argument("file", type=Path, metavar="FILE")
    export.add_argument("--project", help="only this project")
    export.add_argument("--force", action="store_true", help="replace the file if there is one")
    with_json(export)
    come = commands.add("import", _import, summary="add the memories of a file", text=_IMPORT)
    come.add_argument("file", type=Path, metavar="FILE")
    with_json(come)


def _export(args: argparse.Namespace) -> int:
    from worker.ingest.export_file import writing

    client = _client(args)
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
        print(f"Exported to {args.file}: {_listed(file.counts)}.")
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


def _import(args: argparse.Namespace) -> int:
    from worker.ingest.export_file import chunks, read

    total = sum(1 for _ in read(args.file))  # nothing is sent of a file that is not whole
    client = _client(args)
    added: Counter[str] = Counter()
    known = 0
    with Progress("imported", total) as progress:
        for first, last, rows in chunks(args.file):
            reply = _send(client, args.file, rows, lines=f"{first} to {last}")
            added.update(reply["added"])
            known += reply["known"]
            progress.show(added.total() + known)
    if args.json:
        print_json({"added": added, "known": known})
    else:
        print(f"Added: {_listed(added)}. There already: {known}.")
    return 0


def _send(client: "WorkerClient", file: Path, rows: list[dict[str, Any]], *, lines: str) -> Any:  # noqa: ANN401 - JSON
    try:
        return client.post("/api/import/rows", {"rows": rows})
    except MemtrayError as exc:
        exc.detail = (
            f"{exc.detail} ({file}, lines {lines}: nothing of them was stored, all before them "
            "was; import the file again to go on)"
        )
        raise


def _client(args: argparse.Namespace) -> "WorkerClient":
    from worker.shared.client import WorkerClient
    from worker.shared.launch import ensure_running

    paths = paths_of(args)
    ensure_running(paths)
    return WorkerClient(paths, name="command-line")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts.get(table, 0)} {name}" for table, name in _NAMES.items())
