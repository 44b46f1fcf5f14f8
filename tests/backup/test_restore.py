"""Restoring brings the backup back, whole, and loses nothing of what was there."""

import datetime as dt
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.conftest import MEMORIES, titles
from tests.integration.memories import Memory, add, new_database, writing
from worker.backup.copying import BackupError
from worker.backup.folder import Backup, Kind, backups, make
from worker.backup.restoring import RestoreRefusedError
from worker.backup.service import Backups
from worker.shared.errors import BadRequestError
from worker.shared.paths import Paths
from worker.store.store import Store

NOON = dt.datetime(2026, 5, 1, 12, tzinfo=dt.UTC)
LATER = "Learned after the backup"


@pytest.fixture
def backup(paths: Paths) -> Backup:
    """A backup, after which one more memory came."""
    made = make(paths, Kind.MANUAL, now=NOON)
    with writing(paths.database) as connection:
        add(connection, [Memory(LATER)])
    return made


def test_the_newest_comes_back_and_what_was_there_is_kept(paths: Paths, backup: Backup) -> None:
    done = Backups(paths).restore_named("newest")

    assert titles(paths.database) == titles(backup.path)
    assert done.memories.observations == MEMORIES
    assert done.kept
    assert "before-restore" in done.kept
    assert titles(Path(done.kept))[-1] == LATER


def test_what_was_kept_aside_can_be_restored_in_its_turn(paths: Paths, backup: Backup) -> None:
    service = Backups(paths)
    kept = service.restore_named("newest").kept
    assert kept

    for _ in range(5):  # the newest three are kept, but the one that is asked for never goes
        service.restore(Path(kept))

    assert titles(paths.database)[-1] == LATER
    names = [each.path.name for each in backups(paths.backups)]
    assert sum("before-restore" in name for name in names) <= 4
    assert backup.path.name in names


def test_open_handles_see_the_restored_rows_and_go_on(paths: Paths, backup: Backup) -> None:
    store = Store(paths.database)
    store.open()
    with closing(sqlite3.connect(paths.database, isolation_level=None)) as claude_mem:
        claude_mem.execute("SELECT count(*) FROM observations").fetchone()
        before = store.data_version()

        Backups(paths).restore(backup.path)

        assert store.data_version() != before
        assert sum(store.counts().values()) == MEMORIES
        add(claude_mem, [Memory("Written through an old handle")])
        assert sum(store.counts().values()) == MEMORIES + 1
    store.close()

    assert titles(paths.database)[-1] == "Written through an old handle"


def test_a_reader_in_the_middle_of_its_work_is_not_disturbed(paths: Paths, backup: Backup) -> None:
    count = "SELECT count(*) FROM observations"
    with closing(sqlite3.connect(paths.database, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute(count).fetchone() == (MEMORIES + 1,)

        Backups(paths).restore(backup.path)

        assert reader.execute(count).fetchone() == (MEMORIES + 1,)
        reader.execute("COMMIT")
        assert reader.execute(count).fetchone() == (MEMORIES,)


@pytest.mark.parametrize("damage", ["header", "pages", "torn"])
def test_a_damaged_database_is_set_aside_with_its_log(
    paths: Paths, backup: Backup, damage: str
) -> None:
    content = bytearray(paths.database.read_bytes())
    if damage == "header":
        content[:100] = b"\xa5" * 100
    elif damage == "torn":
        del content[len(content) // 2 :]
    else:
        for page in range(8192, len(content), 8192):
            content[page : page + 3000] = b"\xa5" * 3000
    paths.database.write_bytes(content)
    log = Path(f"{paths.database}-wal")
    log.write_bytes(b"a log that must not meet another database")

    done = Backups(paths).restore(backup.path)

    assert titles(paths.database) == titles(backup.path)
    assert done.kept
    assert Path(done.kept).name.startswith("claude-mem.db.damaged-")
    assert Path(done.kept).read_bytes() == content
    with closing(sqlite3.connect(paths.database)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_second_damaged_file_takes_no_place_of_the_first(paths: Paths, backup: Backup) -> None:
    for content in (b"first " * 999, b"second" * 999, b"third " * 999):
        paths.database.write_bytes(content)
        Backups(paths).restore(backup.path)

    kept = paths.data_dir.glob("claude-mem.db.damaged-*")
    assert sorted(file.read_bytes()[:6] for file in kept) == [b"first ", b"second", b"third "]


@pytest.mark.parametrize("empty", [True, False])
def test_where_no_database_is_one_is_made(paths: Paths, backup: Backup, empty: bool) -> None:
    paths.database.unlink()
    if empty:
        paths.database.touch()

    done = Backups(paths).restore(backup.path)

    assert done.kept is None
    assert titles(paths.database) == titles(backup.path)
    assert os.name != "posix" or paths.database.stat().st_mode & 0o077 == 0 or empty


def test_our_own_data_come_back_with_the_memories(paths: Paths) -> None:
    with closing(sqlite3.connect(paths.state)) as state, state:
        state.execute("CREATE TABLE jobs (name TEXT)")
        state.execute("INSERT INTO jobs VALUES ('before')")
    backup = make(paths, Kind.MANUAL, now=NOON)
    with closing(sqlite3.connect(paths.state)) as state, state:
        state.execute("UPDATE jobs SET name = 'after'")

    kept = Backups(paths).restore(backup.path).kept

    with closing(sqlite3.connect(paths.state)) as state:
        assert state.execute("SELECT name FROM jobs").fetchall() == [("before",)]
    assert kept
    aside = next(each for each in backups(paths.backups) if str(each.path) == kept)
    with closing(sqlite3.connect(aside.state)) as state:
        assert state.execute("SELECT name FROM jobs").fetchall() == [("after",)]


def no_database(paths: Paths, file: Path) -> None:
    file.write_bytes(b"PK\x03\x04 a holiday photo" * 500)


def torn(paths: Paths, file: Path) -> None:
    shutil.copyfile(make(paths, Kind.DAILY, now=NOON).path, file)
    file.write_bytes(file.read_bytes()[:-20_000])


def other_tables(_paths: Paths, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def nothing(_paths: Paths, file: Path) -> None:
    file.touch()


def newer(_paths: Paths, file: Path) -> None:
    new_database(file, [])
    with writing(file) as connection:
        connection.execute("INSERT INTO schema_versions (version, applied_at) VALUES (999, '')")


def folder(_paths: Paths, file: Path) -> None:
    file.mkdir()


def absent(_paths: Paths, _file: Path) -> None:
    pass


def other_pages(_paths: Paths, file: Path) -> None:
    new_database(file, [])
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("PRAGMA journal_mode=DELETE; PRAGMA page_size=8192; VACUUM")


@pytest.mark.parametrize(
    ("spoil", "reason", "remedy"),
    [
        (no_database, "no database", "Choose another"),
        (torn, "damaged", "Choose another"),
        (other_tables, "no table of observations", "choose another"),
        (nothing, "no table of observations", "choose another"),
        (newer, "schema 999", "update Memtray"),
        (folder, "is no file", "backup --list"),
        (absent, "is no file", "backup --list"),
        (other_pages, "pages of another size", "move .* aside"),
    ],
)
def test_what_would_do_harm_is_refused_with_reason_and_remedy(
    paths: Paths, tmp_path: Path, spoil: object, reason: str, remedy: str
) -> None:
    file = tmp_path / "candidate.db"
    assert callable(spoil)
    spoil(paths, file)
    there = titles(paths.database)

    with pytest.raises(RestoreRefusedError, match=rf"(?s)candidate\.db.*{reason}.*{remedy}"):
        Backups(paths).restore(file)

    assert titles(paths.database) == there


def test_a_newer_schema_is_no_reason_where_the_database_has_it_too(
    paths: Paths, tmp_path: Path
) -> None:
    file = tmp_path / "candidate.db"
    newer(paths, file)
    with writing(paths.database) as connection:
        connection.execute("INSERT INTO schema_versions (version, applied_at) VALUES (999, '')")

    assert Backups(paths).restore(file).memories.observations == 0


def test_the_database_itself_is_no_backup(paths: Paths) -> None:
    with pytest.raises(RestoreRefusedError, match="the database in use"):
        Backups(paths).restore(paths.database)


def test_without_a_backup_the_newest_is_refused(paths: Paths) -> None:
    with pytest.raises(RestoreRefusedError, match="no backup"):
        Backups(paths).restore_named("newest")


def test_a_name_leads_to_no_file_outside_the_folder(paths: Paths, backup: Backup) -> None:
    shutil.copyfile(backup.path, paths.data_dir / "elsewhere.db")

    for name in ("../../elsewhere.db", str(paths.data_dir / "elsewhere.db"), "", ".", "\0"):
        with pytest.raises(BadRequestError, match="name"):
            Backups(paths).restore_named(name)


@pytest.mark.parametrize("held", ["database", "backup"])
def test_while_another_program_holds_it_nothing_is_changed(
    paths: Paths, backup: Backup, held: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.store.connection.BUSY_SECONDS", 0.2)
    monkeypatch.setattr("worker.backup.copying.BUSY_SECONDS", 0.2)
    there = titles(paths.database)
    file = paths.database if held == "database" else backup.path
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BackupError, match=r"(?i)another program holds"):
            Backups(paths).restore(backup.path)
        other.execute("ROLLBACK")

    assert titles(paths.database) == there
