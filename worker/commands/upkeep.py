"""Looking whether all is well, and mending what is not."""

import argparse
import os
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from worker.commands.options import Commands, paths_of, print_json, with_json
from worker.commands.progress import Progress
from worker.shared.contract import (
    Index,
    Mended,
    PartReport,
    PartState,
    Ready,
    ReindexReply,
    RepairReply,
)
from worker.shared.errors import WorkerUnavailableError

if TYPE_CHECKING:
    from worker.shared.client import WorkerClient
    from worker.shared.paths import Paths

_POLL_SECONDS = 0.2
_CANARY_SECONDS = 30.0  # it needs one or two
_ALL_PARTS = ("keyword", "vectors", "chroma", "model")
_NOTHING = Mended(part="all", did="Nothing had to be mended.")
_MARKS = {
    PartState.OK: "ok",
    PartState.BUILDING: "..",
    PartState.DEGRADED: "!!",
    PartState.DOWN: "XX",
    PartState.OFF: "--",
}
_DOCTOR = """Check each part and say what is wrong, why, and what helps. Nothing is changed
unless you say --repair; the memories themselves never are.

A running worker is asked how its parts are; without one, its files are looked at.
The exit code is 0 when all is well, 1 when a part is not.

examples:
  memtray-worker doctor
  memtray-worker doctor --repair      mend what can be mended, and say what was done
  memtray-worker doctor --json
"""
_REINDEX = """Make indexes anew. They are made from the memories, which stay as they are, and
searching goes on meanwhile. The worker is started if there is none.

  keyword   the words, from the memories: some seconds for each 10,000
  chroma    from the kept vectors; nothing is embedded again
  vectors   each memory is embedded anew: minutes for each 10,000
  all       all three

examples:
  memtray-worker reindex              keyword and chroma
  memtray-worker reindex keyword
"""


def add_to(commands: Commands) -> None:
    """Add `doctor` and `reindex`."""
    doctor = commands.add(
        "doctor", _doctor, summary="check each part, and mend what is broken", text=_DOCTOR
    )
    doctor.add_argument("--repair", action="store_true", help="mend what can be mended")
    with_json(doctor)
    reindex = commands.add("reindex", _reindex, summary="make indexes anew", text=_REINDEX)
    reindex.add_argument("what", nargs="?", choices=[*Index], metavar="WHAT")
    with_json(reindex)


class SelfTest(argparse.Action):
    """`--self-test`: look whether this installation works, without any data folder, and end."""

    def __call__(self, *_: object) -> None:
        """Print one line a part; the exit code says whether all of them work."""
        from worker.checks.doctor import check_ability
        from worker.shared.settings import Settings

        parts = []
        for report in check_ability(Settings()):
            _print_part(report)
            parts.append(report)
        sys.exit(_verdict(parts))


# ---------------------------------------------------------------------- doctor
def _doctor(args: argparse.Namespace) -> int:
    paths = paths_of(args)
    mended = _mend(paths) if args.repair else []
    if not args.json:
        for each in mended or ([_NOTHING] if args.repair else []):
            print(f"{each.part}: {each.did}")
    ready = _diagnose(paths, quiet=args.json)
    if args.json:
        found = ready.model_dump(mode="json")
        more = {"mended": [each.model_dump() for each in mended]} if args.repair else {}
        print_json({**found, **more})
    return _verdict(ready.parts)


def _diagnose(paths: "Paths", *, quiet: bool) -> Ready:
    from worker.checks.doctor import diagnose

    return diagnose(paths, Path.home(), os.environ, _ignore if quiet else _print_part)


def _mend(paths: "Paths") -> list[Mended]:
    """Have the worker mend what it can; without one, what can be done without."""
    from worker.checks.surroundings import mend_folder

    mended = [Mended(part="paths", did=did) for did in mend_folder(paths)]
    try:
        client = _worker(paths)
        reply = RepairReply.model_validate(client.post("/api/repair", {}))
        _follow(client, _ALL_PARTS)
        _until_canary(client)
    except WorkerUnavailableError as exc:
        return [*mended, Mended(part="worker", did=f"It could not be asked. {exc.detail}")]
    return [*mended, *reply.mended]


# ---------------------------------------------------------------------- reindex
def _reindex(args: argparse.Namespace) -> int:
    client = _worker(paths_of(args))
    body = {"what": args.what} if args.what else {}
    reply = ReindexReply.model_validate(client.post("/api/reindex", body))
    parts = _follow(client, reply.begun)
    if args.json:
        done = [part.model_dump(mode="json") for part in parts]
        print_json({**reply.model_dump(mode="json"), "parts": done})
    else:
        print(*reply.notes, sep="\n", end="\n" if reply.notes else "")
        for part in parts:
            _print_part(part)
    return _verdict(parts)


# ---------------------------------------------------------------------- the worker
def _worker(paths: "Paths") -> "WorkerClient":
    """Return a client of a worker that runs."""
    from worker.shared.client import WorkerClient
    from worker.shared.launch import ensure_running

    ensure_running(paths)
    return WorkerClient(paths, name="command-line")


def _follow(client: "WorkerClient", names: Iterable[str]) -> list[PartReport]:
    """Wait until these parts are built, with a line for each that takes long; return them."""
    return [report for name in names if (report := _built(client, name))]


def _built(client: "WorkerClient", name: str) -> PartReport | None:
    with ExitStack() as line:
        progress: Progress | None = None
        while (report := _reports(client).get(name)) and report.state is PartState.BUILDING:
            if progress is None and report.total:
                progress = line.enter_context(Progress(f"memories ({name})", report.total))
            if progress:
                progress.show(report.done or 0)
            time.sleep(_POLL_SECONDS)
    return report


def _until_canary(client: "WorkerClient") -> None:
    """Wait until the canary has been asked again, as it is after a repair."""
    deadline = time.monotonic() + _CANARY_SECONDS
    while time.monotonic() < deadline:
        canary = _reports(client).get("canary")
        if canary is None or canary.state is not PartState.OFF:
            return
        time.sleep(_POLL_SECONDS)


def _reports(client: "WorkerClient") -> dict[str, PartReport]:
    return {part.part: part for part in Ready.model_validate(client.get("/api/ready")).parts}


# ---------------------------------------------------------------------- lines
def _ignore(_: PartReport) -> None:
    """Print nothing: all comes at once, as JSON."""


def _print_part(report: PartReport) -> None:
    """Print one line, and the cause and the remedy below it."""
    count = "" if report.done is None else f"{report.done:,}"
    if report.total is not None and report.total != report.done:
        count += f" of {report.total:,}"
    print(f"{_MARKS[report.state]}  {report.part:9} {report.state:9} {count}".rstrip())
    for text in (report.cause, report.remedy):
        if text:
            print(f"    {text}")
    sys.stdout.flush()


def _verdict(parts: Iterable[PartReport]) -> int:
    return int(any(part.state in (PartState.DOWN, PartState.DEGRADED) for part in parts))
