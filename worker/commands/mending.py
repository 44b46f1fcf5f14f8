"""What `doctor`, `reindex` and `--self-test` do."""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from worker.commands.options import paths_of, print_json
from worker.commands.progress import Progress
from worker.shared.errors import WorkerUnavailableError
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.upkeep import Mended, ReindexReply, RepairReply

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


def self_test() -> int:
    """Print one line a part of this installation; return 0 if all of them work, else 1."""
    parts = []
    for report in _abilities():
        _print_part(report)
        parts.append(report)
    return _verdict(parts)


def _abilities() -> Iterator[PartReport]:
    from worker.checks.doctor import check_ability
    from worker.checks.secrets import check_secrets
    from worker.shared.settings import Settings

    yield from check_ability(Settings())
    yield check_secrets()


# ---------------------------------------------------------------------- doctor
def doctor(args: argparse.Namespace) -> int:
    """Check each part, after mending with `--repair`; return the exit code."""
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
def reindex(args: argparse.Namespace) -> int:
    """Make indexes anew and wait for them; return the exit code."""
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
