"""All checks at once, for `memtray-worker doctor`: by the worker, or without one."""

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from worker.checks.canary import check_canary
from worker.checks.clients import check_clients
from worker.checks.closed import check_keyword, check_model, check_vectors
from worker.checks.database import check_closed_store
from worker.checks.place import check_free_port, check_worker
from worker.checks.report import FAULTY, as_ready, off
from worker.checks.size import check_size
from worker.checks.surroundings import check_paths, check_settings, unwritable
from worker.index.embedder import UniversalSentenceEncoder
from worker.shared.clients.entry import System
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.settings import Settings, read_settings
from worker.shared.state import State, WorkerState, look

OnPart = Callable[[PartReport], None]


def diagnose(paths: Paths, home: Path, environ: Mapping[str, str], on_part: OnPart) -> Ready:
    """Return how each part is, each told to `on_part` as soon as it is known.

    What the worker itself can say is asked of it; while none answers, its files are looked at.
    """
    found = look(paths, environ)
    parts: list[PartReport] = []
    for report in _answered(found) if found.ready else _alone(paths, home, environ, found):
        on_part(report)
        parts.append(report)
    return as_ready(parts)


def _answered(found: WorkerState) -> Iterator[PartReport]:
    yield check_worker(found)
    yield from found.ready.parts if found.ready else ()


def _alone(
    paths: Paths, home: Path, environ: Mapping[str, str], found: WorkerState
) -> Iterator[PartReport]:
    yield check_worker(found)
    yield check_free_port(paths, found, environ)
    yield check_settings(paths.settings)
    yield check_paths(paths)
    yield check_clients(paths, System.here())
    yield check_closed_store(paths, home)
    yield check_size(paths)
    settings, _ = read_settings(paths.settings)
    indexes = list(_indexes(paths, settings, found))
    yield from indexes
    yield from check_ability(settings, with_chroma=indexes[-1].state not in FAULTY)


def _indexes(paths: Paths, settings: Settings, found: WorkerState) -> Iterator[PartReport]:
    why = ""
    if found.state in (State.STARTING, State.HANGING):
        why = "a worker has it open"
    elif unwritable(paths):
        why = "its folder cannot be written"
    if why:
        yield from (
            off(part, f"Not looked at: {why}.") for part in ("keyword", "vectors", "chroma")
        )
        return
    yield check_keyword(paths)
    yield from check_vectors(paths, settings)


def check_ability(settings: Settings, *, with_chroma: bool = True) -> Iterator[PartReport]:
    """Check what needs no data folder: the model, and the canary in a scratch index."""
    embedder = UniversalSentenceEncoder() if settings.semantic else None
    if embedder:
        model = check_model(embedder)
        yield model
        embedder = embedder if model.state is PartState.OK else None
    yield check_canary(embedder, threading.Event(), with_chroma=with_chroma)
