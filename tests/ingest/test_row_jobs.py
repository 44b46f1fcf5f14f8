"""An import of rows is broken off between its parts, goes on, and leaves again."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.ingest.breaking import Break, Breaker, until_it_rests
from tests.integration.memories import new_database
from worker.ingest.importing import KEPT_JOBS, Imports
from worker.shared.jobs import ImportPathsRequest, JobState
from worker.shared.paths import Paths
from worker.shared.upkeep import ImportRequest
from worker.store.store import Store

COUNT = 1200
ROWS = [
    {
        "id": number,
        "memory_session_id": "m1",
        "project": "shop",
        "type": "discovery",
        "title": f"Server {number} answers before its pool is open",
        "created_at": "2026-03-01T10:00:00Z",
        "created_at_epoch": 1_772_359_200_000 + number,
    }
    for number in range(1, COUNT + 1)
]
SESSION = {"content_session_id": "c1", "memory_session_id": "m1", "project": "shop"}


def our_export(folder: Path) -> Path:
    counts = {"sdk_sessions": 1, "observations": COUNT, "session_summaries": 0, "user_prompts": 0}
    rows = [{"table": "observations"} | row for row in ROWS]
    lines = [
        {"memtray_export": 1}, {"table": "sdk_sessions"} | SESSION, *rows, {"end": counts},
    ]  # fmt: skip
    path = folder / "memories.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def export_of_claude_mem(folder: Path) -> Path:
    path = folder / "memories.json"
    lists = {"observations": ROWS, "sessions": [SESSION], "summaries": [], "prompts": []}
    path.write_text(json.dumps({"exportedAt": "2026-03-02"} | lists), encoding="utf-8")
    return path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    paths = Paths(tmp_path / "data")
    paths.create()
    new_database(paths.database)
    opened = Store(paths.database)
    opened.open()
    yield opened
    opened.close()


def count(store: Store) -> int:
    found = store.read().execute("SELECT count(*) FROM observations").fetchone()
    return int(found[0])


@pytest.mark.parametrize("made", [our_export, export_of_claude_mem])
@pytest.mark.parametrize(
    ("break_off", "state"), [(Imports.pause, JobState.PAUSED), (Imports.cancel, JobState.CANCELLED)]
)
def test_it_rests_between_two_parts_until_it_is_resumed_and_is_undone_whole(
    store: Store,
    tmp_path: Path,
    made: Callable[[Path], Path],
    break_off: Break,
    state: JobState,
) -> None:
    breaker = Breaker(break_off)
    imports = breaker.imports = Imports(store, Paths(tmp_path / "data").state, breaker)
    job = imports.begin(ImportPathsRequest(paths=[str(made(tmp_path))])).id

    assert until_it_rests(imports, job) is state
    assert count(store) == imports.job(job).added.get("observations", 0) < COUNT

    imports.resume(job)

    assert until_it_rests(imports, job) is JobState.DONE
    assert imports.job(job).added == {"sdk_sessions": 1, "observations": COUNT}
    assert (imports.job(job).known, count(store)) == (0, COUNT)
    assert imports.undo(job).removed == {"sdk_sessions": 1, "observations": COUNT}
    assert count(store) == 0


def sent(number: int) -> dict[str, object]:
    at = 1_780_000_000_000 + number
    return {
        "table": "observations", "id": number, "memory_session_id": "m2", "created_at_epoch": at,
    }  # fmt: skip


def test_rows_that_were_sent_are_known_to_the_next_worker(store: Store, tmp_path: Path) -> None:
    state = Paths(tmp_path / "data").state
    first = Imports(store, state, lambda: None).enter(ImportRequest(rows=(sent(1),))).job
    later = Imports(store, state, lambda: None)
    later.start()

    assert first is not None
    assert [(job.id, job.kind, job.state) for job in later.jobs()] == [(first, "rows", "done")]
    assert later.resume(first).state is JobState.DONE
    assert later.enter(ImportRequest(rows=(sent(2),), job=first)).job == first
    assert later.undo(first).removed == {"sdk_sessions": 1, "observations": 2}
    assert [job.state for job in later.jobs()] == [JobState.UNDONE]


def test_an_import_that_runs_stays_known_however_many_rows_are_sent_meanwhile(
    store: Store, tmp_path: Path
) -> None:
    def send(imports: Imports, _job: str) -> None:
        for number in range(1, 2 * KEPT_JOBS):
            imports.enter(ImportRequest(rows=(sent(number),)))

    breaker = Breaker(send)
    imports = breaker.imports = Imports(store, Paths(tmp_path / "data").state, breaker)
    job = imports.begin(ImportPathsRequest(paths=[str(our_export(tmp_path))])).id

    assert until_it_rests(imports, job) is JobState.DONE
    assert imports.job(job).added["observations"] == COUNT
    assert count(store) == COUNT + 2 * KEPT_JOBS - 1
