"""What an import says while it runs and when it has ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from app.importing.found import Found
from app.importing.wording import (
    STEPS,
    added_of,
    duration,
    expiry_line,
    failed_lines,
    headline_of,
    progress_line,
    result_lines,
    step_of,
)
from worker.shared.jobs import FailedLine, JobReply, JobState


@pytest.fixture(autouse=True)
def english_numbers() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


def job(**values: object) -> JobReply:
    reply: dict[str, object] = {
        "id": "3f2a9c81d47b",
        "kind": "import",
        "state": JobState.RUNNING,
        "started": "2026-05-04T09:30:00+00:00",
        "seconds": 10.0,
        "rate": 20_000_000.0,
        "left": 30.0,
        "files": 240,
        "files_done": 60,
        "bytes": 800_000_000,
        "bytes_done": 200_000_000,
        "added": {"observations": 1200, "user_prompts": 34, "sdk_sessions": 60},
    }
    return JobReply.model_validate(reply | values)


def test_rows_that_were_sent_tell_of_no_files() -> None:
    done = job(kind="rows", state=JobState.DONE, files=0, files_done=0, known=2)

    assert list(result_lines(done)) == ["Memories added: 1,234. There already: 2."]


def test_progress_tells_count_rate_and_time_left() -> None:
    assert headline_of(job()) == "Importing: 60 of 240 files"
    assert step_of(job()) == STEPS // 4
    assert (
        progress_line(job())
        == "Memories added: 1,234 · 200.0 MB of 800.0 MB · 20.0 MB/s · 30 s left"
    )


@pytest.mark.parametrize(
    ("came", "said"),
    [
        ({"added": {"observations": 1}}, "✓ Imported"),
        ({"known": 3, "failures": 1}, "✓ Nothing new: all of it was there already"),
        ({"recorded": 1}, "✓ Nothing new: all of it was there already"),
        ({"failures": 1}, "✕ Nothing of it could be read"),
        ({}, "Nothing in it became a memory"),
    ],
)
def test_the_end_is_told_as_it_was(came: dict[str, object], said: str) -> None:
    assert headline_of(job(**{"state": JobState.DONE, "added": {}} | came)) == said


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (None, ""),
        (0, "Claude Code deletes the oldest of them today."),
        (3, "Claude Code deletes the oldest of them in 3 days."),
        (365, ""),
    ],
)
def test_it_says_when_the_oldest_session_will_be_gone(days: int | None, said: str) -> None:
    assert expiry_line(Found(Path("projects"), sessions=4, days_left=days)) == said


def test_nothing_is_guessed_before_there_is_something_to_measure() -> None:
    young = job(seconds=0.4, rate=None, left=None)
    nothing = {"files": 0, "files_done": 0, "bytes": 0, "bytes_done": 0, "added": {}}
    counting = job(rate=None, left=None, **nothing)

    assert progress_line(young) == "Memories added: 1,234 · 200.0 MB of 800.0 MB"
    assert step_of(counting) is None
    assert headline_of(counting) == "Looking for sessions…"
    assert progress_line(counting) == "Memories added: 0"


def test_a_file_that_grew_meanwhile_makes_no_bar_too_long() -> None:
    grown = job(bytes_done=900_000_000)

    assert step_of(grown) == STEPS


def test_sessions_are_no_memories() -> None:
    assert added_of(job()) == 1234


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (3000, "50 min"), (7300, "2 h")],
)
def test_a_time_is_told_in_the_unit_that_fits(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_the_end_tells_what_was_left_out_and_why() -> None:
    ended = job(
        state=JobState.DONE,
        files_done=240,
        known=12,
        recorded=3,
        excluded=2,
        secrets={"password": 5, "GitHub token": 2},
        failed=[
            FailedLine(file="/p/a.jsonl", line=7, why="it is cut off"),
            FailedLine(file="/p/b.jsonl", line=None, why="it may not be read"),
        ],
        failures=102,
    )

    assert headline_of(ended) == "✓ Imported"
    assert list(result_lines(ended)) == [
        "Memories added: 1,234. There already: 12. Files read: 240, in 10 s.",
        "Sessions left out, as claude-mem has recorded them: 3",
        "Sessions left out, as they are excluded or were paused: 2",
        "Secrets left out: 2 GitHub token, 5 password",
        "Lines and files that could not be read: 102",
    ]
    assert failed_lines(ended).splitlines() == [
        "/p/a.jsonl, line 7: it is cut off",
        "/p/b.jsonl: it may not be read",
        "… and 100 more",
    ]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"state": JobState.DONE, "added": {}, "known": 9},
            "✓ Nothing new: all of it was there already",
        ),
        ({"state": JobState.PAUSED}, "Paused: 60 of 240 files"),
        ({"state": JobState.UNDONE}, "Undone"),
        ({"state": JobState.CANCELLED}, "Cancelled. What was added stays"),
        ({"state": JobState.FAILED, "cause": "the disk is full"}, "failed: the disk is full"),
    ],
)
def test_each_state_has_its_words(values: dict[str, object], said: str) -> None:
    assert said in headline_of(job(**values))
