"""The first screen tells what is there, and what is not, without making it up."""

import re
from pathlib import Path

import pytest

from app.welcome.findings import find
from app.welcome.words import lines
from tests.integration.memories import new_database, some
from tests.integration.processes import environment, running
from worker.shared.clients.entry import System
from worker.shared.paths import Paths
from worker.shared.readiness import PartState, Ready


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System("linux", {"MEMTRAY_PORT": "9"}, tmp_path)


def is_running(status: int, body: object) -> bool:
    """Say whether a worker has loaded all it needs for a search."""
    return status == 200 and all(
        part.state is not PartState.BUILDING for part in Ready.model_validate(body).parts
    )


def sessions(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_a_user_with_nothing_is_told_what_will_happen(tmp_path: Path, system: System) -> None:
    memories, found_sessions, worker = lines(find(Paths(tmp_path / ".claude-mem"), system))

    assert "No memories" in memories.title
    assert "makes an empty one" in memories.text
    assert "No sessions" in found_sessions.title
    assert "does not run" in worker.title
    assert list(tmp_path.iterdir()) == []


def test_memories_in_another_folder_are_not_hidden(tmp_path: Path, system: System) -> None:
    new_database(Paths(tmp_path / ".claude-mem").database)

    memories = lines(find(Paths(tmp_path / "other"), system))[0]

    assert f"There is one in {tmp_path / '.claude-mem'}" in memories.text


def test_sessions_without_memories_are_counted(tmp_path: Path, system: System) -> None:
    sessions(tmp_path / ".claude" / "projects", "p/a.jsonl", "p/b.jsonl", "q/c.jsonl")

    found = lines(find(Paths(tmp_path / ".claude-mem"), system))[1]

    assert found.title == "✓ Sessions of Claude Code: 3"
    assert f"They are in {tmp_path / '.claude' / 'projects'}." in found.text


def test_a_real_worker_counts_the_memories(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ".claude-mem")
    new_database(paths.database, some(12))
    system = System("linux", environment(tmp_path), tmp_path)

    with running(paths.data_dir, environ=system.environ) as worker:
        worker.until("/api/ready", is_running)
        memories, _, state = lines(find(paths, system))

    assert memories.title == "✓ Memories: 12"
    assert "Projects: 1." in memories.text
    assert re.search(r"From \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.", memories.text)
    assert str(paths.database) in memories.text
    assert state.title == f"✓ The worker runs on port {worker.port}"


def test_an_empty_database_is_no_promise(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ".claude-mem")
    system = System("linux", environment(tmp_path), tmp_path)

    with running(paths.data_dir, environ=system.environ) as worker:
        worker.until("/api/ready", is_running)
        memories = lines(find(paths, system))[0]

    assert memories.title == "○ No memories yet"
    assert "a search finds nothing yet" in memories.text


def test_a_database_is_seen_before_the_worker_runs(tmp_path: Path, system: System) -> None:
    paths = Paths(tmp_path / ".claude-mem")
    new_database(paths.database, some(3))

    memories = lines(find(paths, system))[0]

    assert "is here" in memories.title
    assert str(paths.database) in memories.text
