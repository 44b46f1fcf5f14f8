"""What is on this machine already: asked of the worker and of two folders; blocking, no window."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from app.importing.found import find as count
from app.importing.found import transcripts_folder
from worker.shared.client import WorkerClient
from worker.shared.clients.entry import System
from worker.shared.contract import StatsReply
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths, no_database
from worker.shared.state import WorkerState, look


@dataclass(frozen=True, slots=True)
class Findings:
    """What the first screen tells."""

    database: Path
    exists: bool
    stats: StatsReply | None  # None while the worker does not answer
    elsewhere: str  # that claude-mem keeps its memories in another folder, if so
    transcripts: Path
    sessions: int
    worker: WorkerState


def find(paths: Paths, system: System) -> Findings:
    """Look at all; changes nothing and raises nothing."""
    state = look(paths, system.environ)
    folder = transcripts_folder(system)
    usual = Paths(system.home / ".claude-mem").database
    elsewhere = usual != paths.database and usual.exists()
    return Findings(
        database=paths.database,
        exists=paths.database.exists(),
        stats=_stats(paths, system) if state.health else None,
        elsewhere=no_database(paths, system.home).partition(". ")[2] if elsewhere else "",
        transcripts=folder,
        sessions=count(folder).sessions,
        worker=state,
    )


def _stats(paths: Paths, system: System) -> StatsReply | None:
    client = WorkerClient(paths, "app", environ=system.environ)
    try:
        return StatsReply.model_validate(client.get("/api/stats", {"format": "json"}))
    except (MemtrayError, ValidationError):
        return None
