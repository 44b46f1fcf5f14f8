"""state.db is made when it is first needed, is the user's alone, and says what is wrong with it."""

import datetime as dt
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from worker.state.database import (
    STEPS,
    TABLES,
    StateDamagedError,
    StateUnavailableError,
    check,
    reading,
    set_aside,
    writing,
)

NOW = dt.datetime(2026, 5, 1, tzinfo=dt.UTC)


def fill(path: Path, rows: int = 1) -> None:
    with writing(path) as connection:
        for number in range(rows):
            connection.execute(
                "INSERT INTO recalls (at, client, tool, asked, filters, refs, tokens, ms, outcome,"
                " problem) VALUES (?, 'c', 'search', 'pool', '', '[]', 1, 1, 'none', '')",
                (number,),
            )


def rows(path: Path) -> int:
    with reading(path) as connection:
        if connection is None:
            return -1
        (count,) = connection.execute("SELECT count(*) FROM recalls").fetchone()
        return int(count)


def test_it_is_made_on_the_first_write_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    assert rows(path) == -1
    assert not path.exists()

    with writing(path) as connection:
        modes = {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
        assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)

    assert modes == {0o600}
    assert rows(path) == 0


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    fill(path)

    def fail() -> None:
        with writing(path) as connection:
            connection.execute("DELETE FROM recalls")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert rows(path) == 1


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")

    with pytest.raises(StateUnavailableError, match="newer Memtray"):
        fill(path)
    check(path)
    assert rows(path) == 1


@pytest.mark.parametrize("version", range(1, len(STEPS)))
def test_a_file_of_an_older_version_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    for use, name in ((check, "check"), (rows, "rows"), (fill, "fill")):
        path = tmp_path / f"{name}.db"
        with closing(sqlite3.connect(path)) as connection, connection:
            for statement in (line for step in STEPS[:version] for line in step):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")

        use(path)

        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
            there = {n for (n,) in connection.execute("SELECT name FROM sqlite_master")}
        assert there >= TABLES


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"x" * 5000])
def test_what_is_no_database_is_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(content)

    for use in (rows, check, fill):
        with pytest.raises(StateDamagedError, match="is damaged") as raised:
            use(path)
        assert str(path) in raised.value.detail
    assert path.read_bytes() == content


def test_a_damaged_page_is_found_by_looking_through(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    fill(path, 2000)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[8192:40_960] = b"\xff" * 32_768
    path.write_bytes(content)

    with pytest.raises(StateDamagedError):
        check(path)


def test_a_file_without_our_tables_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE recalls")

    with pytest.raises(StateDamagedError, match="recalls"):
        check(path)


def test_a_locked_file_is_unavailable_and_not_damaged(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    fill(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StateUnavailableError, match="locked") as raised:
            fill(path)
    assert not isinstance(raised.value, StateDamagedError)


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.mkdir()

    with pytest.raises(StateUnavailableError, match=str(path)):
        fill(path)


def test_set_aside_it_takes_its_log_along(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(b"broken")
    Path(f"{path}-wal").write_bytes(b"log")

    aside = set_aside(path, now=NOW)

    assert aside.read_bytes() == b"broken"
    assert Path(f"{aside}-wal").read_bytes() == b"log"
    assert not path.exists()
    fill(path)
    assert rows(path) == 1
