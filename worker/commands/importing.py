"""Bringing memories in: conversations with Claude, and files that `export` wrote."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worker.commands.options import Commands, print_json, with_json
from worker.commands.progress import Progress
from worker.commands.transfer import client_of, counted, listed
from worker.shared.errors import BadRequestError, MemtrayError, WorkerUnavailableError

if TYPE_CHECKING:
    from worker.shared.client import WorkerClient

_IMPORT = """Bring memories in.

Folders and files of Claude Code's transcripts become prompts, observations and a summary for each
session, without any model and without the network. Do it again at any time: only what is new is
added, and sessions that claude-mem has recorded itself are left out. The data export of claude.ai,
a ZIP or one of its JSON files, comes in the same way. A file that `memtray-worker export` wrote
brings its memories back, as does the JSON of claude-mem's own export script; such a file is
checked whole first, and of one that is not whole nothing comes in.

examples:
  memtray-worker import ~/.claude/projects
  memtray-worker import ~/.claude/projects/-home-me-shop session.jsonl
  memtray-worker import ~/Downloads/data-2026-06-03-00-55-16-batch-0000.zip
  memtray-worker import memories.jsonl
  memtray-worker import --undo 3f2a9c81d47b       the id that an import told
"""
_POLL_SECONDS = 0.3
_UNDO_SECONDS = 600.0  # an import may have added a hundred thousand rows
_FAILURES = 10  # that are shown


class ImportInterruptedError(MemtrayError):
    """The worker has gone before the import ended."""

    title = "The import was interrupted"
    code = "interrupted"


def add_to(commands: Commands) -> None:
    """Add `import`."""
    come = commands.add("import", _import, summary="bring memories in", text=_IMPORT)
    come.add_argument("paths", type=Path, metavar="PATH", nargs="*")
    come.add_argument("--undo", metavar="JOB", help="remove what an import has added")
    come.add_argument(
        "--yes", action="store_true", help="also into a database that claude-mem has recorded in"
    )
    come.add_argument(
        "--sidechains", action="store_true", help="also what sub-agents said to themselves"
    )
    with_json(come)


def _import(args: argparse.Namespace) -> int:
    if bool(args.paths) == bool(args.undo):
        raise BadRequestError("name what to import, or with --undo what to undo")
    if args.undo:
        return _undo(args)
    for path in args.paths:
        _need_understood(path)
    return _import_paths(args)


def _need_understood(path: Path) -> None:
    from worker.ingest.export_file import BadFileError
    from worker.ingest.readers import refusal

    if path.is_file() and (why := refusal(path)):
        raise BadFileError(
            f"{why}. Import reads transcripts of Claude Code, exports of claude.ai, what "
            "`memtray-worker export FILE` wrote, and the JSON of claude-mem's own export script",
            path,
        )


def _undo(args: argparse.Namespace) -> int:
    client = client_of(args, timeout=_UNDO_SECONDS)
    reply = client.post("/api/import/undo", {"job": args.undo})
    print_json(reply) if args.json else print(f"Removed: {listed(reply['removed'])}.")
    return 0


def _import_paths(args: argparse.Namespace) -> int:
    client = client_of(args)
    body = {"paths": [str(path.expanduser().absolute()) for path in args.paths]}
    job = _begin(client, body | {"sidechains": args.sidechains, "yes": args.yes})
    if job is None:
        return 1
    job = _follow(client, job)
    if args.json:
        print_json(job)
    else:
        _tell(job)
    is_unread = job["failures"] and not (job["added"] or job["known"] or job["recorded"])
    return 0 if job["state"] == "done" and not is_unread else 1


def _begin(client: "WorkerClient", body: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """Return the job; None where the user does not want it."""
    try:
        return client.post("/api/import", body)
    except MemtrayError as exc:
        if exc.code != "consent_needed":
            raise
        if not sys.stdin.isatty():
            raise BadRequestError(
                "claude-mem has recorded in this database; to add to it: --yes"
            ) from exc
    print(
        "claude-mem has recorded in this database. What is there stays as it is; add to it? [y/N]"
    )
    if input().strip().lower() not in ("y", "yes"):
        return None
    return client.post("/api/import", body | {"yes": True})


def _follow(client: "WorkerClient", job: Any) -> Any:  # noqa: ANN401 - JSON
    """Wait for the end of a job and show how far it is; Ctrl+C cancels it."""
    address = f"/api/jobs/{job['id']}"
    try:
        with Progress("files read") as progress:
            while job["state"] == "running":
                time.sleep(_POLL_SECONDS)
                job = _asked(client, address, job)
                progress.show(job["files_done"], _speed(job))
    except KeyboardInterrupt:
        return client.delete(address)
    return job


def _asked(client: "WorkerClient", address: str, job: Any) -> Any:  # noqa: ANN401 - JSON
    """Return how far a job is; raise ImportInterruptedError once the worker is gone."""
    try:
        return client.get(address)
    except WorkerUnavailableError as exc:
        raise ImportInterruptedError(
            f"the worker ended amid the import, or does not answer any more ({exc.detail}). Added "
            f"so far: {listed(job['added'])}; that stays. It goes on by itself once the worker "
            "starts again: memtray-worker start"
        ) from exc


def _speed(job: Any) -> str:  # noqa: ANN401 - JSON
    """Return how far a job is, how fast, and how long it will take still."""
    said = f" of {job['files']:,}, {job['bytes_done'] / 1e6:,.0f} of {job['bytes'] / 1e6:,.0f} MB"
    if job["rate"] and job["left"] is not None:
        said += f", {job['rate'] / 1e6:,.1f} MB/s, {job['left']:,.0f} s left"
    return said


def _tell(job: Any) -> None:  # noqa: ANN401 - JSON
    files = counted(job["files"], "file", "files")
    print(f"{job['files_done']} of {files} read in {job['seconds']} s.")
    print(f"Added: {listed(job['added'])}. There already: {job['known']}.")
    if job["added"]:
        print(f"To undo it: memtray-worker import --undo {job['id']}")
    if job["recorded"]:
        recorded = counted(job["recorded"], "session", "sessions")
        print(f"Left out, as claude-mem has recorded them: {recorded}.")
    if job["excluded"]:
        excluded = counted(job["excluded"], "session", "sessions")
        print(f"Left out, as they are excluded or were said in a pause: {excluded}.")
    if job["empty"]:
        print(f"Nothing was said in {counted(job['empty'], 'conversation', 'conversations')}.")
    if job["secrets"]:
        found = ", ".join(f"{n} {kind}" for kind, n in job["secrets"].items())
        print(f"Secrets left out: {found}.")
    if job["state"] != "done":
        print(f"The import was {job['state']}. {job['cause']}".strip())
    if job["failures"]:
        _tell_failures(job)


def _tell_failures(job: Any) -> None:  # noqa: ANN401 - JSON
    print(f"Not readable: {job['failures']} lines or files, each of them left out:")
    for failed in job["failed"][:_FAILURES]:
        line = f", line {failed['line']}" if failed["line"] else ""
        print(f"  {failed['file']}{line}: {failed['why']}")
    if job["failures"] > _FAILURES:
        print("  ... and more; --json lists a hundred of them")
