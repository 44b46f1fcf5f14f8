"""Imports of a size that years of work come to: how fast, in how much memory, how soon ended."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.bench.conversations import export, transcripts
from tests.bench.row_exports import row_exports
from tests.bench.table import Group, Row
from tests.bench.targets import row
from tests.bench.workers import Worker, running
from worker.ingest.claude_ai.export import read_export
from worker.ingest.readers import rows_in
from worker.ingest.transcripts.lines import Reading, read_lines
from worker.ingest.transcripts.memories import rows_of
from worker.ingest.transcripts.messages import messages
from worker.ingest.transcripts.turns import conversations
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths

MEGABYTES = 200  # of transcripts; of each export a fifth
FULL = 1000
_SAMPLE_SECONDS = 0.02
_POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Sources:
    """What is imported."""

    projects: Path
    export: Path
    theirs: Path
    ours: Path

    @property
    def largest(self) -> Path:
        return max(self.projects.rglob("*.jsonl"), key=lambda file: file.stat().st_size)


@dataclass(frozen=True, slots=True)
class Import:
    """What one import came to in a worker."""

    seconds: float
    growth: float  # MB beyond what the worker had before, at most
    rows: int


def measure(cache: Path, megabytes: int) -> Iterator[Group]:
    """Yield a table for transcripts, one for each kind of export, and one for breaking off."""
    made = sources(cache, megabytes)
    yield _group("transcripts", "Transcripts", made.projects, _parse_transcripts)
    yield _group("export", "An export of claude.ai", made.export, _parse_export)
    yield _group("rows", "An export of claude-mem", made.theirs, _parse_rows)
    yield _group("rows", "An export of Memtray", made.ours, _parse_rows)
    seconds = [_cancelled(path) for path in (made.largest, made.export)]
    yield Group(
        "Breaking an import off",
        (
            row("import cancel", "midway in the largest transcript", seconds[0], unit="s"),
            row("import cancel", "midway in the export", seconds[1], unit="s"),
        ),
    )


def sources(cache: Path, megabytes: int) -> Sources:
    """Return the files of that size, made where they are not there yet."""
    folder = cache / f"import-{megabytes}"
    found = Sources(
        projects=folder / "projects",
        export=folder / "conversations.json",
        theirs=folder / "memories.json",
        ours=folder / "memories.jsonl",
    )
    whole = folder / "whole with rows"
    if not whole.exists():
        found.projects.mkdir(parents=True, exist_ok=True)
        transcripts(found.projects, megabytes * 1_000_000)
        export(found.export, megabytes * 200_000)
        row_exports(found.theirs, found.ours, megabytes * 200_000)
        whole.touch()
    return found


def _group(key: str, what: str, path: Path, parse: Callable[[Path], Iterable[object]]) -> Group:
    sizes = [file.stat().st_size for file in _files(path)]
    size, largest = sum(sizes) / 1e6, max(sizes)
    started = time.perf_counter()
    count = sum(1 for _ in parse(path))
    seconds = time.perf_counter() - started
    with _worker() as (worker, client):
        done = _imported(worker, client, path)
    return Group(
        f"{what}: {size:,.0f} MB, the largest file {largest / 1e6:,.0f} MB",
        (
            row("import parse", "parsed into rows", size / seconds, unit="MB/s"),
            Row("rows made", count),
            row(f"import {key} memory", "memory that an import takes", done.growth, unit="MB"),
            Row("imported", size / done.seconds, "MB/s"),
            Row("rows stored", done.rows / done.seconds, "rows/s"),
            Row("time of the import", done.seconds, "s"),
        ),
    )


def _files(path: Path) -> list[Path]:
    return list(path.rglob("*.jsonl")) if path.is_dir() else [path]


def _parse_transcripts(folder: Path) -> Iterator[object]:
    for file in _files(folder):
        for conversation in conversations(messages(read_lines(file, Reading())), file.stem):
            yield from rows_of(conversation, file, settled=True)


def _parse_export(file: Path) -> Iterator[object]:
    for rows in read_export(file, Reading()):
        yield from rows


def _parse_rows(file: Path) -> Iterator[object]:
    """Go over it as an import does: to check it, and then for its rows."""
    found = rows_in(file)
    if found is None:
        raise RuntimeError(f"{file} is no export of memories")
    for _ in found.check(Reading(), _go_on):
        pass
    yield from found.rows(Reading(), _go_on)


def _go_on() -> None:
    """Nobody breaks this off."""


@contextmanager
def _worker() -> Iterator[tuple[Worker, WorkerClient]]:
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as worker:
        yield worker, WorkerClient(Paths(Path(folder)), "bench")


def _imported(worker: Worker, client: WorkerClient, path: Path) -> Import:
    """Import a path to its end, looking at the memory of the worker meanwhile."""
    process = psutil.Process(worker.pid)
    before = most = process.memory_info().rss
    over = threading.Event()

    def look() -> None:
        nonlocal most
        while not over.wait(_SAMPLE_SECONDS):
            most = max(most, process.memory_info().rss)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        started = time.perf_counter()
        job = _ended(client, client.post("/api/import", {"paths": [str(path)]}))
        seconds = time.perf_counter() - started
    finally:
        over.set()
        looking.join()
    if job["state"] != "done" or job["failures"]:
        raise RuntimeError(f"the import of {path} came to {job['state']}: {job['failed'][:3]}")
    return Import(seconds, (most - before) / 1e6, sum(job["added"].values()))


def _cancelled(path: Path) -> float:
    """Return the seconds until an import that has read a third of a file is over."""
    with _worker() as (_, client):
        job = client.post("/api/import", {"paths": [str(path)]})
        address = f"/api/jobs/{job['id']}"
        while job["state"] == "running" and job["bytes_done"] * 3 <= job["bytes"]:
            time.sleep(_POLL_SECONDS)
            job = client.get(address)
        started = time.perf_counter()
        job = _ended(client, client.delete(address))
        if job["state"] != "cancelled":
            raise RuntimeError(f"the import of {path} was {job['state']} before it was cancelled")
        return time.perf_counter() - started


def _ended(client: WorkerClient, job: Any) -> Any:  # noqa: ANN401 - JSON
    while job["state"] == "running":
        time.sleep(_POLL_SECONDS)
        job = client.get(f"/api/jobs/{job['id']}")
    return job
