"""The write-ahead log of a database is torn: what it still holds is read, and nothing crashes."""

import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench.material import SHARED
from tests.integration.answers import BY_WORDS, parts, search, until_part
from tests.integration.memories import Memory, add, new_database, some, without_meaning
from tests.integration.processes import running
from tests.integration.saving import save
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

UNSEEN = {"cut", "cut to its header"}  # nothing is left by which one could know
ADDED = 5  # transactions in the log, each of several frames
REAL = SHARED / "data" / "claude_mem" / "claude-mem-v13.25.3.db"


def flipped(content: bytes, start: int, stop: int) -> bytes:
    return content[:start] + bytes(byte ^ 0xFF for byte in content[start:stop]) + content[stop:]


Damage = Callable[[bytes], bytes]
DAMAGES: dict[str, tuple[Damage, int]] = {  # and how many of the five are left
    "end flipped": (lambda log: flipped(log, len(log) - 9000, len(log)), 4),
    "a byte in the middle": (lambda log: flipped(log, len(log) // 2, len(log) // 2 + 1), 2),
    "middle flipped": (lambda log: flipped(log, len(log) // 2, len(log) // 2 + 20_000), 2),
    "cut": (lambda log: log[: len(log) * 7 // 10 + 11], 3),
    "cut to its header": (lambda log: log[:32], 0),
    "cut within its header": (lambda log: log[:20], 0),
    "header flipped": (lambda log: flipped(log, 0, 32), 0),
    "all zeros": (lambda log: bytes(len(log)), 0),
}


def torn(database: Path, damage: Damage) -> bytes:
    """Leave a database behind as a crash after five transactions does; return its log."""
    original = database.with_name("original.db")
    if REAL.exists():
        shutil.copyfile(REAL, original)
    else:
        new_database(original, some())
    with closing(sqlite3.connect(original)) as connection:
        with connection:
            add(connection, some(20))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(ADDED):
            with connection:
                add(connection, [Memory(f"A tapir{number}", "grazes " * 2000)])
        shutil.copyfile(original, database)
        log = original.with_name(f"{original.name}-wal").read_bytes()
    left_behind = damage(log)
    database.with_name(f"{database.name}-wal").write_bytes(left_behind)
    return left_behind


@pytest.mark.parametrize("how", DAMAGES)
def test_a_torn_log_costs_what_follows_the_tear_and_no_more(how: str, tmp_path: Path) -> None:
    damage, left = DAMAGES[how]
    without_meaning(tmp_path)
    database = Paths(tmp_path).database
    left_behind = torn(database, damage)

    with running(tmp_path) as worker:
        until_part(worker, "keyword", PartState.OK)
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        found = [search(worker, query=f"tapir{number}").total for number in range(ADDED)]
        store = parts(worker)["store"]
        assert save(worker, "A heron was seen after the tear")["saved"]
        assert worker.stop() == 0

    assert found == [1] * left + [0] * (ADDED - left)
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    kept = database.with_name(f"{database.name}-wal.torn-1")
    if how in UNSEEN:
        assert store.state is PartState.OK
        assert not kept.exists()
    else:
        assert store.state is PartState.DEGRADED
        assert kept.name in store.cause
        assert "memtray-worker backup --list" in store.remedy
        assert kept.read_bytes() == left_behind
        assert stat.S_IMODE(kept.stat().st_mode) == stat.S_IMODE(database.stat().st_mode)
