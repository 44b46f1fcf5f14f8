"""A backup holds every row, is checked, and takes the place of none that is worth more."""

import datetime as dt
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.conftest import MEMORIES, titles
from tests.integration.memories import Memory, add, new_database, writing
from worker.backup.copying import BackupError, DamagedError, copy_verified
from worker.backup.folder import Kind, backups, make
from worker.backup.service import Backups
from worker.shared.paths import Paths

NOON = dt.datetime(2026, 5, 1, 12, tzinfo=dt.UTC)


def names(paths: Paths) -> list[str]:
    return sorted(path.name for path in paths.backups.iterdir() if path.suffix == ".db")


def test_a_backup_holds_every_row_and_is_for_the_user_alone(paths: Paths) -> None:
    made = Backups(paths).make()

    copy = Path(made.path)
    assert titles(copy) == titles(paths.database)
    assert made.memories
    assert made.memories.observations == MEMORIES
    assert os.name != "posix" or stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert os.name != "posix" or stat.S_IMODE(paths.backups.stat().st_mode) == 0o700


def test_rows_that_only_the_log_holds_are_in_the_backup(paths: Paths) -> None:
    plain = paths.own / "plain.db"
    with closing(sqlite3.connect(paths.database)) as other:
        other.execute("PRAGMA wal_autocheckpoint = 0")
        with other:
            add(other, [Memory("Only in the log")])
        shutil.copyfile(paths.database, plain)
        made = Backups(paths).make()

    assert titles(plain)[-1] != "Only in the log"
    assert titles(Path(made.path))[-1] == "Only in the log"


def test_a_backup_is_one_file_that_needs_no_other(paths: Paths) -> None:
    made = Path(Backups(paths).make().path)

    with closing(sqlite3.connect(made)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert [path.name for path in paths.backups.iterdir() if path.name != ".lock"] == [made.name]


def test_our_own_data_are_backed_up_beside_the_memories(paths: Paths) -> None:
    with closing(sqlite3.connect(paths.state)) as state, state:
        state.execute("CREATE TABLE jobs (name TEXT)")
        state.execute("INSERT INTO jobs VALUES ('import')")

    backup = make(paths, Kind.MANUAL, now=NOON)

    with closing(sqlite3.connect(backup.state)) as copy:
        assert copy.execute("SELECT name FROM jobs").fetchall() == [("import",)]


def test_damage_in_our_own_data_stops_no_backup(paths: Paths) -> None:
    paths.state.write_bytes(b"no database at all" * 100)

    backup = make(paths, Kind.MANUAL, now=NOON)

    assert len(titles(backup.path)) == MEMORIES
    assert not backup.state.exists()


def test_the_newest_seven_daily_ones_are_kept_and_all_that_a_user_made(paths: Paths) -> None:
    with closing(sqlite3.connect(paths.state)) as state, state:
        state.execute("CREATE TABLE jobs (name TEXT)")
    first = make(paths, Kind.MANUAL, now=NOON)
    daily = [make(paths, Kind.DAILY, now=NOON + day * dt.timedelta(1)) for day in range(8)]

    kept = [backup.path for backup in backups(paths.backups)]

    assert kept == [*(backup.path for backup in reversed(daily[1:])), first.path]
    states = {backup.state for backup in (first, *daily[1:])}
    assert set(paths.backups.glob("state-*")) == states


def test_a_clock_that_is_set_back_changes_neither_order_nor_number(paths: Paths) -> None:
    years = (2026, 2099, 2026, 2001, 2026)
    for year in years:
        make(paths, Kind.DAILY, now=NOON.replace(year=year))

    assert [backup.made.year for backup in reversed(backups(paths.backups))] == list(years)
    assert len(set(names(paths))) == len(years)


def test_a_file_that_exists_is_never_written_over(paths: Paths) -> None:
    file = paths.own / "mine.txt"
    file.write_text("a letter", encoding="utf-8")

    with pytest.raises(BackupError, match="exists already"):
        Backups(paths).make_at(file)

    assert file.read_text(encoding="utf-8") == "a letter"


def test_a_damaged_database_is_refused_and_the_good_backups_stay(paths: Paths) -> None:
    good = [make(paths, Kind.DAILY, now=NOON).path for _ in range(7)]
    content = bytearray(paths.database.read_bytes())
    size = int.from_bytes(content[16:18])
    for page in range(size, len(content), size):
        if b"Seen in the" in content[page : page + size]:
            content[page : page + size // 2] = b"\xa5" * (size // 2)
    paths.database.write_bytes(content)

    with pytest.raises(DamagedError, match="damaged"):
        make(paths, Kind.DAILY, now=NOON)

    assert [backup.path for backup in reversed(backups(paths.backups))] == good
    assert not list(paths.backups.glob(".*partial*"))


def test_claude_mems_own_full_text_table_may_be_broken(paths: Paths) -> None:
    with writing(paths.database) as connection:
        connection.execute("DELETE FROM observations_fts_data")

    assert len(titles(make(paths, Kind.DAILY, now=NOON).path)) == MEMORIES


def test_without_a_database_the_path_is_told(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match=r"claude-mem\.db.*check that it exists"):
        Backups(Paths(tmp_path)).make()


def test_a_folder_that_is_a_file_is_named(paths: Paths) -> None:
    paths.backups.write_text("", encoding="utf-8")

    for action in (Backups(paths).make, Backups(paths).list):
        with pytest.raises(BackupError, match=r"backups.*check who owns"):
            action()


def test_what_cannot_be_used_any_more_is_listed_with_the_reason(paths: Paths) -> None:
    backup = make(paths, Kind.DAILY, now=NOON)
    whole = make(paths, Kind.DAILY, now=NOON)
    backup.path.write_bytes(backup.path.read_bytes()[:9000])

    listed = Backups(paths).list().backups

    assert [each.name for each in listed] == [whole.path.name, backup.path.name]
    assert [bool(each.problem) for each in listed] == [False, True]
    assert listed[1].memories is None


def test_a_table_that_holds_less_in_the_copy_is_found(paths: Paths, tmp_path: Path) -> None:
    """Rows that a reader sees, and a copy of the pages has not, do not pass for a backup."""
    target = tmp_path / "copy.db"

    def lose(done: int, total: int) -> None:
        if done == total:
            scratch = target.with_name(f".{target.name}.partial")
            scratch.write_bytes(b"")

    with pytest.raises(BackupError):
        copy_verified(paths.database, target, tick=lose)

    assert not target.exists()


def test_any_name_of_a_table_is_counted(paths: Paths, tmp_path: Path) -> None:
    odd = tmp_path / "odd.db"
    new_database(odd, [])
    with writing(odd) as connection:
        connection.execute('CREATE TABLE "a ""quoted"" table; --" (x)')
        connection.execute('INSERT INTO "a ""quoted"" table; --" VALUES (1)')

    copy_verified(odd, tmp_path / "copy.db")

    with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        assert copy.execute('SELECT x FROM "a ""quoted"" table; --"').fetchall() == [(1,)]
