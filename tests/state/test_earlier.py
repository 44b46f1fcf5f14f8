"""Before an upgrade changes state.db, what it was is kept, verified, twice at most."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from worker.state.database import (
    STEPS,
    StateDamagedError,
    StateUnavailableError,
    check,
    reading,
    shrink_log,
    writing,
)

LAST = len(STEPS)

# An upgrade of the next version, whose second statement comes to no end.
ENDLESS = """
import pathlib, sys
from worker.state import database
database.STEPS = (*database.STEPS, (
    "CREATE TABLE next (value INTEGER)",
    "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)"
    " INSERT INTO next SELECT max(x) FROM n",
))
with database.writing(pathlib.Path(sys.argv[1])):
    pass
"""


class Room(NamedTuple):
    """What shutil says of a disk."""

    total: int
    used: int
    free: int


def make(path: Path, version: int) -> None:
    """Make the file as a Memtray of that time did, with one call in it."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (line for step in STEPS[:version] for line in step):
            connection.execute(statement)
        connection.execute(
            "INSERT INTO recalls (at, client, tool, asked, filters, refs, tokens, ms, outcome,"
            " problem) VALUES (1, 'c', 'search', 'pool', '', '[]', 1, 1, 'none', '')"
        )
        connection.execute(f"PRAGMA user_version = {version}")


def upgrade(path: Path) -> None:
    with writing(path):
        pass


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (found,) = connection.execute("PRAGMA user_version").fetchone()
        return int(found)


def asked(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [text for (text,) in connection.execute("SELECT asked FROM recalls")]


def schema(path: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.execute("SELECT name, coalesce(sql, '') FROM sqlite_master"))


def copies(path: Path) -> list[str]:
    return sorted(copy.name for copy in path.parent.glob(f"{path.name}.version-*"))


@pytest.mark.parametrize("old", range(1, LAST))
def test_an_upgraded_file_equals_a_new_one_and_what_it_was_is_kept(
    tmp_path: Path, old: int
) -> None:
    path, new = tmp_path / "state.db", tmp_path / "new.db"
    make(path, old)
    before = schema(path)

    upgrade(path)

    upgrade(new)
    assert schema(path) == schema(new)
    assert asked(path) == ["pool"]
    (kept,) = copies(path)
    copy = path.with_name(kept)
    assert (version(copy), schema(copy), asked(copy)) == (old, before, ["pool"])
    assert copy.stat().st_mode & 0o077 == 0 or os.name != "posix"
    assert copies(new) == []


def test_two_are_kept_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    for days, old in ((1, 3), (3, 1), (2, 2)):
        copy = tmp_path / f"state.db.version-{10 + old}"
        copy.write_bytes(b"older")
        os.utime(copy, (days * 86_400, days * 86_400))
    make(path, LAST - 1)

    upgrade(path)

    assert copies(path) == ["state.db.version-11", f"state.db.version-{LAST - 1}"]


def test_reading_upgrades_with_a_copy_too_and_once(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    make(path, 1)

    for _ in range(2):
        with reading(path) as connection:
            assert connection is not None

    assert version(path) == LAST
    assert copies(path) == ["state.db.version-1"]


def test_without_room_for_a_copy_nothing_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.db"
    make(path, 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Room(9, 9, 0))

    with pytest.raises(StateUnavailableError, match=r"no copy of .*state\.db.*room") as raised:
        upgrade(path)

    assert not isinstance(raised.value, StateDamagedError)
    assert version(path) == 1
    assert asked(path) == ["pool"]


def test_a_damaged_file_is_found_before_it_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    make(path, 1)
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)

    with pytest.raises(StateDamagedError):
        upgrade(path)

    assert version(path) == 1
    assert copies(path) == []


def test_what_is_cleared_is_in_no_copy(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    make(path, 1)
    with writing(path) as connection:
        connection.execute("DELETE FROM recalls")

    shrink_log(path)

    assert not any(b"pool" in file.read_bytes() for file in tmp_path.iterdir())


def test_kill_9_amid_an_upgrade_leaves_the_old_file_and_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    make(path, LAST)
    copy = tmp_path / f"state.db.version-{LAST}"
    child = subprocess.Popen([sys.executable, "-c", ENDLESS, str(path)])
    try:
        deadline = time.monotonic() + 60
        while not copy.exists() and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
    finally:
        child.kill()
        child.wait()

    assert (version(path), version(copy)) == (LAST, LAST)
    check(path)
    upgrade(path)
    assert asked(path) == asked(copy) == ["pool"]
