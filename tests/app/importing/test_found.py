"""What Claude Code has kept is counted, wherever it keeps it."""

import json
import os
import time
from pathlib import Path

import pytest

from app.importing.found import find, transcripts_folder
from worker.shared.clients.entry import System


def sessions(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_sessions_are_counted_and_not_their_helpers(tmp_path: Path) -> None:
    sessions(
        tmp_path,
        "garden/a.jsonl",
        "garden/b.jsonl",
        "garden/agent-1.jsonl",
        "garden/a/subagents/agent-2.jsonl",
        "house/c.jsonl",
        "house/notes.md",
        "stray.jsonl",
    )

    assert find(tmp_path).sessions == 4


def test_a_folder_that_is_not_there_holds_none(tmp_path: Path) -> None:
    assert find(tmp_path / "absent").sessions == 0


def test_the_folder_of_claude_code_may_be_elsewhere(tmp_path: Path) -> None:
    chosen = System("linux", {"CLAUDE_CONFIG_DIR": str(tmp_path / "c")}, tmp_path)

    assert transcripts_folder(chosen) == tmp_path / "c" / "projects"
    assert transcripts_folder(System("linux", {}, tmp_path)) == tmp_path / ".claude" / "projects"


def test_the_size_is_that_of_all_transcripts(tmp_path: Path) -> None:
    sessions(tmp_path, "garden/a.jsonl", "garden/a/subagents/agent-2.jsonl", "garden/notes.md")
    (tmp_path / "garden" / "a.jsonl").write_bytes(b"x" * 700)
    (tmp_path / "garden" / "a" / "subagents" / "agent-2.jsonl").write_bytes(b"x" * 40)
    (tmp_path / "garden" / "notes.md").write_bytes(b"x" * 5)

    assert find(tmp_path).bytes == 740


def aged(folder: Path, name: str, days: float) -> None:
    sessions(folder, name)
    then = time.time() - days * 86_400
    os.utime(folder / name, (then, then))


@pytest.mark.parametrize(
    ("settings", "days"),
    [
        (None, 1),
        ({"cleanupPeriodDays": 90}, 61),
        ({"cleanupPeriodDays": 7}, 0),
        ({"cleanupPeriodDays": "long"}, 1),
        ([], 1),
    ],
)
def test_the_days_until_the_oldest_is_deleted_are_told(
    tmp_path: Path, settings: object, days: int
) -> None:
    projects = tmp_path / "projects"
    aged(projects, "garden/a.jsonl", 29.5)
    aged(projects, "garden/b.jsonl", 2)
    aged(projects, "garden/agent-1.jsonl", 300)
    if settings is not None:
        (tmp_path / "settings.json").write_text(json.dumps(settings), encoding="utf-8")

    assert find(projects).days_left == days
    assert find(tmp_path / "absent").days_left is None
