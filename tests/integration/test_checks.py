"""Each part that breaks turns its own line red, no other, and is green again once it is mended."""

import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration import embedders
from tests.integration.answers import BY_WORDS, parts, search, until_part, until_whole
from tests.integration.conftest import MEMORIES, Built
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import Worker, command, environment, running
from worker.index.keys import to_key
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState
from worker.shared.refs import Kind, Ref

FAULTY = (PartState.DEGRADED, PartState.DOWN)
UNWELL = (*FAULTY, PartState.BUILDING)

Fault = Callable[[Worker], Callable[[], None]]  # breaks something, returns what mends it


def unwell(worker: Worker) -> dict[str, PartReport]:
    """Return the parts that are neither ok nor off."""
    return {name: part for name, part in parts(worker).items() if part.state in UNWELL}


def until_unwell(
    worker: Worker, expected: set[str], *, seconds: float = 30
) -> dict[str, PartReport]:
    """Wait until these parts are the ones that are not well; return them."""
    deadline = time.monotonic() + seconds
    while set(found := unwell(worker)) != expected:
        assert time.monotonic() < deadline, found
    return found


def until_sung(worker: Worker) -> None:
    """Wait until the first look at everything is over."""
    until_whole(worker)
    worker.until("/api/ready", lambda _, body: state_in(body, "canary") != "off", seconds=60)


def state_in(body: Any, name: str) -> str:  # noqa: ANN401 - JSON
    (state,) = [part["state"] for part in body["parts"] if part["part"] == name]
    return str(state)


@pytest.fixture(scope="module")
def worker(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker on whole indexes, all of whose parts are well; a fault leaves it so again."""
    folder = tmp_path_factory.mktemp("checked")
    with running(built.copy(folder / "data"), environ=environment(folder)) as started:
        until_sung(started)
        yield started


# ---------------------------------------------------------------------- while it runs
def without_database(worker: Worker) -> Callable[[], None]:
    database = Paths(worker.data_dir).database
    away = database.rename(database.with_name("away.db"))
    return lambda: move(away, database)


def with_other_file(worker: Worker) -> Callable[[], None]:
    mend = without_database(worker)
    Paths(worker.data_dir).database.write_bytes(b"this is no database" * 100)
    return mend


def with_foreign_tables(worker: Worker) -> Callable[[], None]:
    mend = without_database(worker)
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection:
        connection.execute("CREATE TABLE observations (id INTEGER PRIMARY KEY, star TEXT)")
    return mend


def with_damaged_pages(worker: Worker) -> Callable[[], None]:
    database = Paths(worker.data_dir).database
    with closing(sqlite3.connect(database)) as connection:  # all is in the file, not in its log
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(database.read_bytes())
    mend = without_database(worker)
    spoil_rows(content)
    database.write_bytes(content)
    return mend


def with_broken_settings(worker: Worker) -> Callable[[], None]:
    settings = Paths(worker.data_dir).settings
    settings.write_text('{"port": "many"', encoding="utf-8")
    return settings.unlink


def with_open_rights(worker: Worker) -> Callable[[], None]:
    (Paths(worker.data_dir).index / "vectors.db").chmod(0o644)
    return lambda: repaired(worker)


def without_log_folder(worker: Worker) -> Callable[[], None]:
    logs = Paths(worker.data_dir).logs
    away = logs.rename(logs.with_name("away"))
    logs.write_text("a file where a folder should be", encoding="utf-8")
    return lambda: move(away, logs)


def with_claimed_port(worker: Worker) -> Callable[[], None]:
    theirs = worker.data_dir / "settings.json"
    theirs.write_text(json.dumps({"CLAUDE_MEM_WORKER_PORT": worker.port}), encoding="utf-8")
    return theirs.unlink


def with_client_of_yore(worker: Worker) -> Callable[[], None]:
    config = worker.data_dir.parent / ".claude.json"
    entry = {"command": "/gone/bin/memtray-mcp", "args": []}
    config.write_text(json.dumps({"mcpServers": {"memtray": entry}}), encoding="utf-8")
    return config.unlink


def move(source: Path, target: Path) -> None:
    """Put a file or folder where it was, in place of what is there."""
    if target.is_file():
        target.unlink()
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    source.rename(target)


def spoil_rows(content: bytearray) -> None:
    """Overwrite half of each page that holds observations."""
    size = int.from_bytes(content[16:18])
    for page in range(0, len(content), size):
        if b"Seen in the" in content[page : page + size]:
            content[page : page + size // 2] = b"\xa5" * (size // 2)


def repaired(worker: Worker) -> None:
    done = doctor(worker.data_dir, "--repair")
    assert done.returncode == 0, done.stdout


def doctor(data_dir: Path, *args: str) -> "subprocess.CompletedProcess[str]":
    environ = environment(data_dir)
    return command("doctor", "--data-dir", str(data_dir), *args, environ=environ)


@pytest.mark.skipif(os.name != "posix", reason="files in use cannot be moved away there")
@pytest.mark.parametrize(
    ("fault", "part", "named"),
    [
        (without_database, "store", "check that it exists"),
        (with_other_file, "store", "no SQLite database"),
        (with_foreign_tables, "store", "observations.title"),
        (with_damaged_pages, "store", "memtray-worker restore"),
        (with_broken_settings, "settings", "memtray-worker restart"),
        (with_open_rights, "paths", "memtray-worker doctor --repair"),
        (without_log_folder, "paths", "logs cannot be written"),
        (with_claimed_port, "port", "memtray-worker restart"),
        (with_client_of_yore, "clients", "memtray-worker connect claude-code"),
    ],
)
def test_a_fault_turns_its_own_line_red_until_it_is_mended(
    worker: Worker, fault: Fault, part: str, named: str
) -> None:
    mend = fault(worker)

    report = until_unwell(worker, {part}, seconds=60)[part]
    status, body = worker.get("/api/ready")
    mend()
    until_unwell(worker, set())

    assert report.state in FAULTY
    assert report.remedy
    assert named in f"{report.cause} {report.remedy}"
    assert body["state"] == ("down" if status == 503 else "degraded")
    assert (status == 503) == (report.state is PartState.DOWN and part == "store")
    assert BY_WORDS in search(worker, query=BY_WORDS).items[0].title


# ---------------------------------------------------------------------- the indexes, while it runs
def garble_keyword_index(index: Path) -> None:
    path = index / "keyword.db"
    path.write_bytes(b"\xa5" * path.stat().st_size)


def drop_a_keyword_table(index: Path) -> None:
    with closing(sqlite3.connect(index / "keyword.db", timeout=30)) as connection, connection:
        connection.execute("DROP TABLE observations_fts")


@pytest.mark.parametrize("spoil", [garble_keyword_index, drop_a_keyword_table])
def test_a_keyword_index_that_breaks_is_built_anew_and_words_are_found_all_the_while(
    worker: Worker, spoil: Callable[[Path], None]
) -> None:
    spoil(Paths(worker.data_dir).index)

    seen: set[str] = set()
    deadline = time.monotonic() + 30
    number = 0
    while "keyword" not in seen or unwell(worker):
        assert time.monotonic() < deadline, seen
        assert BY_WORDS in search(worker, query=f"{BY_WORDS} unheard{number}").items[0].title
        seen |= unwell(worker).keys()
        number += 1

    assert seen == {"keyword"}


def test_kept_vectors_that_break_are_written_anew_from_memory(worker: Worker) -> None:
    path = Paths(worker.data_dir).index / "vectors.db"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))

    done = doctor(worker.data_dir, "--repair", "--json")

    assert done.returncode == 0, done.stdout
    (mended,) = json.loads(done.stdout)["mended"]
    assert mended["part"] == "vectors"
    assert "written anew from memory" in mended["did"]
    assert kept_rows(path) == MEMORIES


def kept_rows(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    return int(rows)


# ---------------------------------------------------------------------- the canary
def mix_up_lines(paths: Paths, *refs: Ref) -> None:
    """Give each of two memories the words of the other, in the list of what is indexed."""
    keys = [to_key(ref) for ref in refs]
    with closing(sqlite3.connect(paths.index / "keyword.db")) as connection, connection:
        lines = [
            connection.execute("SELECT line FROM docs WHERE key = ?", (key,)).fetchone()[0]
            for key in keys
        ]
        connection.executemany(
            "UPDATE docs SET line = ? WHERE key = ?", zip(reversed(lines), keys, strict=True)
        )


def test_an_index_that_takes_one_memory_for_another_is_told_by_the_canary(
    built: Built, tmp_path: Path
) -> None:
    data_dir = built.copy(tmp_path / "data")
    newest = Ref(Kind.OBSERVATION, MEMORIES)
    mix_up_lines(Paths(data_dir), newest, Ref(Kind.OBSERVATION, MEMORIES // 2))

    with running(data_dir, environ=environment(tmp_path)) as worker:
        canary = until_unwell(worker, {"canary"}, seconds=60)["canary"]
        named = canary.remedy.partition("memtray-worker ")[2].split()
        done = command(*named, "--data-dir", str(data_dir), environ=environment(tmp_path))
        until_unwell(worker, set())

    assert f"#{MEMORIES}" in canary.cause
    assert canary.age_seconds is not None
    assert done.returncode == 0, done.stderr


# ---------------------------------------------------------------------- the model
@pytest.mark.parametrize("how", ["missing", "failing", "other"])
def test_a_model_that_cannot_be_used_is_one_line_and_comes_back(
    built: Built, tmp_path: Path, how: str
) -> None:
    environ = embedders.broken(tmp_path / "model", how)
    with running(built.copy(tmp_path / "data"), environ=environ) as worker:
        until_part(worker, "canary", PartState.OK)
        model = until_unwell(worker, {"model"})["model"]
        embedders.mend(tmp_path / "model")
        repaired(worker)
        until_whole(worker)

    assert model.state is PartState.DOWN
    assert "pip install" in model.cause
    assert "tried again" in model.remedy


def test_a_model_that_hangs_holds_nothing_else_up(built: Built, tmp_path: Path) -> None:
    environ = embedders.slow(tmp_path / "model")
    with running(built.copy(tmp_path / "data"), environ=environ) as worker:
        model = until_unwell(worker, {"model"})["model"]
        assert worker.get("/health")[0] == 200

    assert model.state is PartState.BUILDING


# ---------------------------------------------------------------------- room, locks
@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system with so much room."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs to mount a small file system")
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("may not mount a file system")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_nearly_full_is_told_before_anything_fails(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 80) as folder:
        new_database(Paths(folder / "data").database, some(20))
        without_meaning(folder / "data")
        with running(folder / "data", environ=environment(tmp_path)) as worker:
            until_part(worker, "canary", PartState.OK)
            report = until_unwell(worker, {"paths"})["paths"]

    assert "MB are free" in report.cause
    assert "Make room" in report.remedy


def test_a_database_that_others_hold_is_down_until_they_let_go(tmp_path: Path) -> None:
    database = Paths(tmp_path).database
    new_database(database, some(20))
    without_meaning(tmp_path)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # without WAL a writer locks readers out
        with running(tmp_path, environ=environment(tmp_path)) as worker:
            until_part(worker, "canary", PartState.OK)
            other.execute("BEGIN EXCLUSIVE")
            held = until_unwell(worker, {"store"})["store"]
            began = time.monotonic()
            worker.get("/api/ready")
            took = time.monotonic() - began
            other.execute("ROLLBACK")
            until_unwell(worker, set())

    assert "holds" in held.cause
    assert took < 4  # seconds; the store itself waits for five
