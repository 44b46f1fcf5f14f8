"""The worker makes a backup a day, if there is anything new to keep."""

import datetime as dt
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.backup.conftest import MEMORIES, titles
from tests.integration.memories import Memory, add, some, writing
from tests.integration.writer import writer_on
from worker.backup.folder import Kind, backups, make
from worker.backup.schedule import DAY, Rhythm, Schedule
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

NOON = dt.datetime(2026, 5, 1, 12, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
QUICK = Rhythm(first=0.0, look=0.02, rest=0.0)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> dt.datetime:
        return self.time


@contextmanager
def scheduled(paths: Paths, clock: Clock, rhythm: Rhythm = QUICK) -> Iterator[Schedule]:
    schedule = Schedule(paths, now=clock, rhythm=rhythm)
    schedule.start()
    try:
        yield schedule
    finally:
        schedule.stop()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, "it does not come about"
        threading.Event().wait(0.01)


def change(paths: Paths) -> None:
    with writing(paths.database) as connection:
        add(connection, [Memory("Something new")])


def test_it_begins_and_goes_on_from_day_to_day(paths: Paths) -> None:
    clock = Clock()
    with scheduled(paths, clock) as schedule:
        until(lambda: len(backups(paths.backups)) == 1)
        change(paths)
        clock.time += DAY
        until(lambda: len(backups(paths.backups)) == 2)
        assert schedule.report().state is PartState.OK

    newest, first = backups(paths.backups)
    assert (first.made, newest.made, newest.kind) == (NOON, NOON + DAY, Kind.DAILY)
    assert len(titles(first.path)) == MEMORIES
    assert len(titles(newest.path)) == MEMORIES + 1


@pytest.mark.parametrize(
    ("age", "changed", "due"),
    [
        (DAY, True, True),
        (DAY, False, False),
        (DAY - HOUR, True, False),
        (-HOUR, True, True),  # made in the future: the clock was set back
        (-HOUR, False, False),
    ],
)
def test_it_is_due_after_a_day_with_changes(
    paths: Paths, age: dt.timedelta, changed: bool, due: bool
) -> None:
    make(paths, Kind.MANUAL, now=NOON - age)
    if changed:
        change(paths)

    assert Schedule(paths, now=Clock()).is_due() is due


def test_what_a_restore_kept_aside_is_no_daily_backup(paths: Paths) -> None:
    make(paths, Kind.BEFORE_RESTORE, now=NOON)

    assert Schedule(paths, now=Clock()).is_due()


def test_without_a_database_nothing_is_due(tmp_path: Path) -> None:
    assert not Schedule(Paths(tmp_path), now=Clock()).is_due()


def test_a_row_in_the_log_is_a_change(paths: Paths) -> None:
    with closing(sqlite3.connect(paths.database)) as other:
        other.execute("SELECT count(*) FROM observations").fetchone()
        make(paths, Kind.DAILY, now=NOON - DAY)
        assert not Schedule(paths, now=Clock()).is_due()
        change(paths)
        assert Path(f"{paths.database}-wal").stat().st_size

        assert Schedule(paths, now=Clock()).is_due()


def test_a_failure_is_reported_until_it_is_over(paths: Paths) -> None:
    paths.backups.write_text("a file is in the way", encoding="utf-8")
    with scheduled(paths, Clock()) as schedule:
        until(lambda: schedule.report().state is PartState.DEGRADED)
        assert str(paths.backups) in schedule.report().cause
        assert "memtray-worker backup" in schedule.report().remedy

        paths.backups.unlink()
        until(lambda: schedule.report().state is PartState.OK)

    assert len(backups(paths.backups)) == 1


def test_damage_of_the_memories_is_not_the_backups_fault(
    paths: Paths, caplog: pytest.LogCaptureFixture
) -> None:
    good = make(paths, Kind.DAILY, now=NOON - DAY)
    paths.database.write_bytes(b"\xa5" * 99_999)
    with scheduled(paths, Clock()) as schedule:
        until(lambda: len(caplog.records) > 1)
        assert schedule.report().state is PartState.OK

    assert [each.path for each in backups(paths.backups)] == [good.path]


def test_the_end_of_the_worker_breaks_a_copy_off_and_leaves_nothing(paths: Paths) -> None:
    with writing(paths.database) as connection:
        add(connection, [Memory(m.title, "x" * 20_000) for m in some()])
    slow = Rhythm(first=0.0, look=60.0, rest=60.0)
    with scheduled(paths, Clock(), slow):
        until(lambda: bool(list(paths.backups.glob(".*.partial"))))
        began = time.monotonic()
    took = time.monotonic() - began

    assert took < 10
    assert [path.name for path in paths.backups.iterdir()] == [".lock"]


def test_a_writer_neither_waits_for_a_backup_nor_holds_it_up(paths: Paths) -> None:
    with writing(paths.database) as connection:
        add(connection, [Memory(m.title, "x" * 40_000) for m in some(100)])
    with writer_on(paths.database) as writer:
        writer.next()
        with scheduled(paths, Clock(), Rhythm(first=0.0, look=60.0, rest=0.2)):
            until(lambda: bool(list(paths.backups.glob(".*.partial"))))
            during = [writer.next() for _ in range(3)]
            assert not backups(paths.backups)
            until(lambda: bool(backups(paths.backups)))

    held = titles(backups(paths.backups)[0].path)
    assert len(held) >= MEMORIES + 100
    assert len(titles(paths.database)) >= len(held) + len(during) - 1
