"""A worker's life as a process."""

import http.client
import json
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from tests.integration.processes import COMMAND, ROOT, Worker, command, environment, running
from worker.ports import bind
from worker.shared.contract import Problem
from worker.shared.identity import WorkerRecord, read_record
from worker.shared.paths import Paths
from worker.shared.readiness import Health, Ready
from worker.store.store import Store

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and signals")


def record_in(worker_json: Path) -> WorkerRecord:
    record = read_record(worker_json)
    assert record
    return record


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """A worker of the test's own, just started."""
    with running(tmp_path / "data") as started:
        yield started


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A worker that is ready, for tests that leave it as it is."""
    with running(tmp_path_factory.mktemp("steady") / "data") as started:
        started.until("/api/ready", lambda status, body: status == 200 and body["state"] == "ok")
        yield started


def test_it_answers_health_as_who_worker_json_says(steady: Worker) -> None:
    record = record_in(Paths(steady.data_dir).worker_json)
    health = Health.model_validate(steady.get("/health")[1])

    assert health.instance == record.instance
    assert health.pid == record.pid == steady.process.pid
    assert health.port == record.port == steady.port
    assert health.version == record.version
    assert health.data_dir == str(steady.data_dir)
    assert len(record.token) >= 43
    assert record.started == pytest.approx(psutil.Process(record.pid).create_time(), abs=0.1)


def test_a_fresh_folder_becomes_ready_and_empty(steady: Worker) -> None:
    health = steady.until("/health", lambda _, body: body["observations"] is not None)
    assert health["observations"] == 0
    status, body = steady.get("/api/search?query=anything&format=json")
    assert status == 200
    assert body["outcome"] == "none"


@POSIX
def test_all_it_makes_is_for_the_user_alone(steady: Worker) -> None:
    for path in [steady.data_dir, *steady.data_dir.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & 0o077 == 0, f"{path} has mode {mode:o}"
    assert stat.S_IMODE(Paths(steady.data_dir).worker_json.stat().st_mode) == 0o600


def test_only_127_0_0_1_listens(steady: Worker) -> None:
    listening = {
        (connection.laddr.ip, connection.laddr.port)
        for connection in psutil.Process(steady.process.pid).net_connections("inet")
        if connection.status == psutil.CONN_LISTEN and connection.laddr
    }
    assert listening == {("127.0.0.1", steady.port)}


def test_it_starts_no_helper_process(steady: Worker) -> None:
    for n in range(20):
        steady.get(f"/api/search?query=word{n}")

    assert psutil.Process(steady.process.pid).children(recursive=True) == []


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_well_and_takes_worker_json_away(
    worker: Worker, number: signal.Signals
) -> None:
    worker.get("/health")

    worker.process.send_signal(number)

    assert worker.process.wait(40) == 0
    assert not Paths(worker.data_dir).worker_json.exists()


@POSIX
def test_a_request_in_flight_is_finished(worker: Worker) -> None:
    body = b'{"ids":[1]}'
    head = (
        f"POST /api/observations/batch HTTP/1.1\r\nHost: 127.0.0.1:{worker.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", worker.port), timeout=15) as connection:
        connection.sendall(head + body[:5])
        worker.get("/health")  # by then the worker has read what was sent before
        worker.process.terminate()
        connection.sendall(body[5:])
        response = http.client.HTTPResponse(connection)
        response.begin()
        answer = json.loads(response.read())

    assert response.status == 200
    assert "#1" in answer["content"][0]["text"]
    assert worker.process.wait(15) == 0


def test_it_leaves_a_worker_json_alone_that_is_not_its_own(worker: Worker) -> None:
    path = Paths(worker.data_dir).worker_json
    path.write_text('{"pid": 1}', encoding="utf-8")

    worker.stop()

    assert path.read_text(encoding="utf-8") == '{"pid": 1}'


def test_a_second_worker_refuses_and_names_the_first(steady: Worker, tmp_path: Path) -> None:
    second = command(
        "run", "--data-dir", str(steady.data_dir), "--port", "0", environ=environment(tmp_path)
    )

    assert second.returncode == 1
    assert f"pid {steady.process.pid}" in second.stderr
    assert "Traceback" not in second.stderr
    assert steady.get("/health")[1]["pid"] == steady.process.pid
    assert Paths(steady.data_dir).worker_json.exists()


def test_a_taken_port_is_told_with_its_owner(steady: Worker, tmp_path: Path) -> None:
    other = command(
        "run",
        "--data-dir",
        str(tmp_path / "other"),
        "--port",
        str(steady.port),
        environ=environment(tmp_path),
    )

    assert other.returncode == 1
    assert f"port {steady.port} is taken by" in other.stderr
    assert f"pid {steady.process.pid}" in other.stderr
    assert not Paths(tmp_path / "other").worker_json.exists()


def test_after_kill_9_the_next_start_is_not_held_up(tmp_path: Path) -> None:
    with running(tmp_path) as first:
        first.process.kill()
        first.process.wait(15)
        assert Paths(tmp_path).worker_json.exists()

    with running(tmp_path) as second:
        record = record_in(Paths(tmp_path).worker_json)
        assert record.pid == second.process.pid


def test_a_broken_store_shows_as_a_state_and_heals_without_a_restart(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    paths.create()
    paths.database.write_bytes(b"this is no database" * 100)
    with running(tmp_path) as worker:
        ready = Ready.model_validate(
            worker.until("/api/ready", lambda status, _: status == 503, seconds=15)
        )
        assert worker.get("/health")[1]["observations"] is None
        assert ready.state == "down"
        assert ready.parts[0].part == "store"
        assert str(paths.database) in ready.parts[0].cause
        for path in ("/api/search?query=x", "/api/timeline?anchor=1", "/api/observation/1"):
            status, body = worker.get(path)
            assert status == 503
            assert str(paths.database) in Problem.model_validate(body).detail
        assert worker.get("/api/projects")[0] == 503
        assert paths.database.read_bytes().startswith(b"this is no database")

        paths.database.unlink()
        worker.until("/api/search?query=x", lambda status, _: status == 200)
        assert worker.get("/api/ready")[0] == 200
        assert worker.stop() == 0


def test_a_search_that_cannot_be_loaded_shows_as_a_state(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "numpy.py").write_text("raise ImportError('a broken numpy')", encoding="utf-8")
    environ = environment(tmp_path) | {"PYTHONPATH": str(broken)}

    with running(tmp_path / "data", environ=environ) as worker:
        ready = worker.until("/api/ready", lambda _, body: body["state"] != "building")
        status, body = worker.get("/api/search?query=x")

        assert worker.get("/health")[0] == 200
        assert ready["state"] == "degraded"
        assert ready["parts"][0]["part"] == "search"
        assert "a broken numpy" in ready["parts"][0]["cause"]
        assert status == 503
        assert "a broken numpy" in Problem.model_validate(body).detail
        assert worker.stop() == 0


def test_health_answers_while_another_program_locks_the_database(tmp_path: Path) -> None:
    database = Paths(tmp_path).database
    store = Store(database)
    store.open()
    store.close()
    with closing(sqlite3.connect(database, isolation_level=None, timeout=30)) as other:
        other.execute("PRAGMA journal_mode = DELETE")  # without WAL a writer locks readers out
        with running(tmp_path) as worker:
            worker.until("/health", lambda _, body: body["observations"] == 0)
            other.execute("BEGIN EXCLUSIVE")
            began = time.monotonic()
            for _ in range(20):
                assert worker.get("/health")[0] == 200
            assert time.monotonic() - began < 4  # the store itself would wait for 5 seconds
            other.execute("ROLLBACK")


def test_a_start_takes_back_that_the_user_stopped_it(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    paths.create()
    paths.stopped_mark.touch()

    with running(tmp_path):
        assert not paths.stopped_mark.exists()


@POSIX
def test_it_runs_without_standard_streams(tmp_path: Path) -> None:
    data = tmp_path / "data"
    script = f"exec {' '.join(COMMAND)} run --data-dir {data} --port 0 <&- >&- 2>&-"
    with subprocess.Popen(["sh", "-c", script], cwd=ROOT, env=environment(tmp_path)) as process:
        try:
            worker_json = Paths(data).worker_json
            while not worker_json.exists():
                with pytest.raises(subprocess.TimeoutExpired):  # it lives
                    process.wait(0.05)
            record = record_in(worker_json)
            worker = Worker(process, data, record.port)  # type: ignore[arg-type]
            worker.until("/api/search?query=x", lambda status, _: status == 200)
            with closing(sqlite3.connect(Paths(data).database)) as database:
                assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert worker.stop() == 0
        finally:
            process.kill()


@POSIX
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    failed = command("run", "--data-dir", str(tmp_path / "file"), environ=environment(tmp_path))

    assert failed.returncode == 1
    assert str(tmp_path / "file") in failed.stderr
    assert "--data-dir" in failed.stderr
    assert "Traceback" not in failed.stderr


@POSIX
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    paths = Paths(tmp_path)
    paths.create()
    paths.worker_json.mkdir()  # nothing can be put in its place

    failed = command(
        "run", "--data-dir", str(tmp_path), "--port", "0", environ=environment(tmp_path)
    )

    assert failed.returncode == 1
    assert str(paths.worker_json) in failed.stderr
    assert "Traceback" not in failed.stderr


def test_claude_mem_s_port_is_left_to_it(tmp_path: Path) -> None:
    with bind(0) as free:
        wanted = free.getsockname()[1]
    environ = environment(tmp_path) | {"CLAUDE_MEM_WORKER_PORT": str(wanted)}

    with running(tmp_path, environ=environ, port=wanted) as worker:
        assert worker.port != wanted
        assert worker.get("/health")[1]["port"] == worker.port


def test_the_console_script_is_not_misled_by_a_folder_named_worker(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("memtray-worker" + Path(sys.executable).suffix)
    if not script.exists():
        pytest.skip("memtray is not installed in this environment")
    (tmp_path / "worker").mkdir()
    (tmp_path / "worker" / "__init__.py").write_text("raise SystemExit(9)", encoding="utf-8")

    shown = subprocess.run(
        [script, "--version"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True
    )

    assert shown.stdout.startswith("memtray-worker ")
