"""Backups and restoring as a user meets them: with the worker, without it, and cut off midway."""

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration.answers import BY_WORDS, search, until_part
from tests.integration.memories import Memory, add, new_database, some, without_meaning, writing
from tests.integration.processes import COMMAND, ROOT, Worker, command, environment, running
from tests.integration.writer import writer_on
from tests.nobody import NOBODY, as_nobody
from worker.backup.service import Backups
from worker.shared.client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.readiness import PartState

ROWS = 150
COUNT = "SELECT count(*) FROM observations"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    new_database(Paths(folder).database, some())
    without_meaning(folder)
    return folder


def count(database: Path) -> int:
    """Return the observations of a database that is whole."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (number,) = connection.execute(COUNT).fetchone()
        return int(number)


def remember(data_dir: Path, title: str) -> None:
    with writing(Paths(data_dir).database) as connection:
        add(connection, [Memory(title)])


def until_total(worker: Worker, word: str, total: int) -> None:
    def reached(_: int, body: Any) -> bool:  # noqa: ANN401 - JSON
        return bool(body["total"] == total)

    worker.until(f"/api/search?query={word}&format=json", reached)


# ---------------------------------------------------------------------- with the worker
def test_a_running_worker_makes_one_restores_it_and_searches_in_it(data_dir: Path) -> None:
    with running(data_dir) as worker:
        until_part(worker, "keyword", PartState.OK)
        client = WorkerClient(Paths(data_dir), "test")
        made = client.post("/api/backup", {})
        remember(data_dir, "An axolotl came later")
        until_total(worker, "axolotl", 1)

        done = client.post("/api/restore", {"name": made["name"]})

        assert done["memories"] == made["memories"]
        until_total(worker, "axolotl", 0)
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title
        names = [backup["kind"] for backup in client.get("/api/backup")["backups"]]
        assert names == ["before-restore", "manual"]
        client.post("/api/restore", {"name": Path(done["kept"]).name})
        until_total(worker, "axolotl", 1)


def test_a_refusal_comes_with_its_words_and_changes_nothing(data_dir: Path) -> None:
    with running(data_dir) as worker:
        until_part(worker, "keyword", PartState.OK)
        client = WorkerClient(Paths(data_dir), "test")
        for name, reason in (("newest", "no backup"), ("nope.db", "name"), ("", "name")):
            with pytest.raises(MemtrayError, match=reason):
                client.post("/api/restore", {"name": name})

        assert count(Paths(data_dir).database) == 60


def test_a_worker_on_a_damaged_database_heals_by_the_command(data_dir: Path) -> None:
    environ = environment(data_dir)
    database = Paths(data_dir).database
    assert command("backup", "--data-dir", str(data_dir), environ=environ).returncode == 0
    database.write_bytes(b"\xa5" * database.stat().st_size)
    with running(data_dir, environ=environ) as worker:
        worker.until("/api/ready", lambda status, _: status == 503)

        done = command("restore", "--yes", "--data-dir", str(data_dir), environ=environ)

        assert done.returncode == 0, done.stderr
        assert "claude-mem.db.damaged-" in done.stdout
        until_part(worker, "keyword", PartState.OK)
        assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title


def test_while_another_program_writes_all_the_time_both_are_done(data_dir: Path) -> None:
    database = Paths(data_dir).database
    with writer_on(database) as writer:
        writer.next()
        made = Backups(Paths(data_dir)).make()
        assert made.memories
        before = count(database)
        done = Backups(Paths(data_dir)).restore_named(made.name)
        after = writer.next()  # through the handle that it has had all the time

    assert made.memories.observations <= before
    assert done.memories.observations >= made.memories.observations
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT title FROM observations WHERE id = ?", (after.id,))
        assert after.word in found.fetchone()[0]


# ---------------------------------------------------------------------- the command line
def test_the_commands_say_what_they_did(data_dir: Path) -> None:
    environ = environment(data_dir)
    where = ("--data-dir", str(data_dir))
    file = data_dir / "with blank ä.db"

    assert "no backup" in command("backup", "--list", *where, environ=environ).stdout
    made = command("backup", *where, environ=environ)
    elsewhere = command("backup", str(file), "--json", *where, environ=environ)
    again = command("backup", str(file), *where, environ=environ)
    listed = json.loads(command("backup", "--list", "--json", *where, environ=environ).stdout)
    restored = command("restore", str(file), "--yes", "--json", *where, environ=environ)

    assert "60 observations" in made.stdout
    assert json.loads(elsewhere.stdout)["path"] == str(file)
    assert (again.returncode, "exists already" in again.stderr) == (1, True)
    assert [each["kind"] for each in listed["backups"]] == ["manual"]
    assert json.loads(restored.stdout)["memories"]["observations"] == 60
    if os.name == "posix":
        modes = {stat.S_IMODE(path.stat().st_mode) for path in Paths(data_dir).backups.iterdir()}
        assert modes | {stat.S_IMODE(file.stat().st_mode)} == {0o600}


def test_without_a_terminal_nothing_is_restored_unless_told_so(data_dir: Path) -> None:
    environ = environment(data_dir)
    command("backup", "--data-dir", str(data_dir), environ=environ)
    remember(data_dir, "Later")

    asked = command("restore", "--data-dir", str(data_dir), environ=environ)

    assert asked.returncode == 1
    assert "61 observations" in asked.stderr
    assert "60 observations" in asked.stderr
    assert "--yes" in asked.stderr
    assert count(Paths(data_dir).database) == 61


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
@pytest.mark.parametrize(("answer", "rows"), [("y\n", 60), ("n\n", 61), ("\n", 61)])
def test_on_a_terminal_it_asks(data_dir: Path, answer: str, rows: int) -> None:
    environ = environment(data_dir)
    command("backup", "--data-dir", str(data_dir), environ=environ)
    remember(data_dir, "Later")
    ours, theirs = os.openpty()
    try:
        os.write(ours, answer.encode())
        done = subprocess.run(
            [*COMMAND, "restore", "--data-dir", str(data_dir)],
            cwd=ROOT,
            env=environ,
            stdin=theirs,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)

    assert "Restore? [y/N]" in done.stderr
    assert done.returncode == (0 if rows == 60 else 1)
    assert count(Paths(data_dir).database) == rows


# ---------------------------------------------------------------------- cut off midway
@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder of 12 MB with a backup; the database has twice as many rows by now."""
    folder = tmp_path_factory.mktemp("large")
    new_database(Paths(folder).database, [Memory(f"A {n}", "a" * 40_000) for n in range(ROWS)])
    Backups(Paths(folder)).make()
    with writing(Paths(folder).database) as connection:
        add(connection, [Memory(f"B {n}", "b" * 40_000) for n in range(ROWS)])
    return folder


def kill_when(data_dir: Path, args: list[str], reached: Callable[[], bool]) -> bool:
    """Run a command and kill it at a moment; return whether it was still at work."""
    line = [*COMMAND, *args, "--data-dir", str(data_dir)]
    with subprocess.Popen(
        line, cwd=ROOT, env=environment(data_dir), stdout=subprocess.DEVNULL
    ) as process:
        while process.poll() is None and not reached():
            pass
        process.kill()
    return process.returncode != 0


def size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.parametrize("megabytes", [0.1, 5, 10])
def test_kill_9_amid_a_backup_leaves_no_half_of_one(
    large: Path, tmp_path: Path, megabytes: float
) -> None:
    data_dir = tmp_path / "data"
    shutil.copytree(large, data_dir)
    backups = Paths(data_dir).backups

    def is_partial() -> bool:
        return any(size(path) > megabytes * 1e6 for path in backups.glob(".*.partial"))

    was_at_work = kill_when(data_dir, ["backup"], is_partial)

    assert was_at_work
    assert len(Backups(Paths(data_dir)).list().backups) == 1
    assert count(Paths(data_dir).database) == 2 * ROWS
    Backups(Paths(data_dir)).make()  # neither a lock nor a rest is in the way
    assert not list(backups.glob(".*.partial"))
    assert count(max(backups.glob("*.db"))) == 2 * ROWS


@pytest.mark.parametrize("megabytes", [0.01, 1, 3, 5])
def test_kill_9_amid_a_restore_leaves_the_old_or_the_new(
    large: Path, tmp_path: Path, megabytes: float
) -> None:
    data_dir = tmp_path / "data"
    shutil.copytree(large, data_dir)
    database = Paths(data_dir).database
    log = Path(f"{database}-wal")
    backup = Backups(Paths(data_dir)).list().backups[0]

    was_at_work = kill_when(
        data_dir, ["restore", backup.name, "--yes"], lambda: size(log) > megabytes * 1e6
    )

    assert was_at_work
    assert count(database) in (2 * ROWS, ROWS)
    kept = [each for each in Backups(Paths(data_dir)).list().backups if each.kind != "manual"]
    assert [each.memories and each.memories.observations for each in kept] == [2 * ROWS]
    assert Backups(Paths(data_dir)).restore_named(backup.name).memories.observations == ROWS
    assert count(database) == ROWS


# A program that has the database open, with a row that only the log holds.
HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.execute("UPDATE observations SET title = 'Only in the log' WHERE id = 1")
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_open(database: Path) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "ready\n"
        yield
        holder.communicate(timeout=30)


@pytest.mark.parametrize("moment", ["copied", "set aside"])
def test_kill_9_while_a_damaged_file_is_replaced_loses_no_part_of_it(
    large: Path, tmp_path: Path, moment: str
) -> None:
    data_dir = tmp_path / "data"
    shutil.copytree(large, data_dir)
    database = Paths(data_dir).database
    fresh = database.with_name(".claude-mem.db.restoring")
    with held_open(database):
        with database.open("r+b") as file:
            file.write(b"\xa5" * 1_000_000)
        damaged = database.read_bytes()
        log = Path(f"{database}-wal").read_bytes()

        def reached() -> bool:
            return bool(fresh.exists() if moment == "copied" else list(data_dir.glob("*damaged*Z")))

        kill_when(data_dir, ["restore", "--yes"], reached)
        parts = [path for path in data_dir.iterdir() if path.name.startswith("claude-mem.db")]
        contents = [path.read_bytes() for path in parts]
        is_damaged = database.read_bytes() == damaged

    assert damaged in contents
    assert log in contents
    assert database in parts
    if is_damaged:
        Backups(Paths(data_dir)).restore_named("newest")
    assert count(database) == ROWS
    assert not fresh.exists()


# ---------------------------------------------------------------------- no room, no rights
@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A data folder with 20 MB beside its memories, and a file that takes most of these."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs to mount a small file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    try:
        new_database(Paths(folder).database, [Memory(f"{n}", "x" * 9_000) for n in range(100)])
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_room_is_looked_for_before_anything_is_copied(small_disk: Path) -> None:
    (small_disk / "films").write_bytes(b"\0" * 6_000_000)

    done = command("backup", "--data-dir", str(small_disk), environ=environment(small_disk))

    assert done.returncode == 1
    assert "MB of room" in done.stderr
    assert "free some space" in done.stderr
    assert not list(Paths(small_disk).backups.glob("*.db"))


def test_a_disk_that_fills_up_meanwhile_leaves_no_half_and_the_memories(small_disk: Path) -> None:
    """Somebody else takes the rest of the room while a restore is writing."""
    service = Backups(Paths(small_disk))
    made = service.make()
    rest = small_disk / "films"

    def fill(done: int, total: int) -> None:
        if done == total and list(Paths(small_disk).backups.glob("*before*.db")):
            return
        if list(Paths(small_disk).backups.glob("*before*.db")) and not rest.exists():
            free = shutil.disk_usage(small_disk).free
            rest.write_bytes(b"\0" * max(0, free - 100_000))

    with writing(Paths(small_disk).database) as connection:
        add(connection, [Memory("Later")])
    with pytest.raises(MemtrayError, match=r"full|room|space"):
        Backups(Paths(small_disk), tick=fill).restore_named(made.name)

    rest.unlink()
    assert count(Paths(small_disk).database) == 101
    assert service.restore_named(made.name).memories.observations == 100


@pytest.mark.parametrize("mode", [0o000, 0o500])
def test_a_folder_without_rights_is_named(data_dir: Path, mode: int) -> None:
    become = as_nobody()
    for path in (data_dir, *data_dir.rglob("*"), data_dir.parent):
        os.chown(path, NOBODY, NOBODY)
    backups = Paths(data_dir).backups
    backups.mkdir()
    backups.chmod(mode)  # root's, and nobody's to write
    for parent in data_dir.parents:
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)

    where = ("--data-dir", str(data_dir))
    done = subprocess.run(
        [*become, *COMMAND, "backup", *where],
        cwd=ROOT,
        env=environment(data_dir),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert str(backups) in done.stderr
    assert "check who owns" in done.stderr
