"""Status and logs tell a person how the worker is, whether it runs or not."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.integration.folders import ORDERLY, Folder, folder
from tests.integration.memories import new_database, some
from tests.integration.processes import COMMAND, ROOT, running
from tests.shared.stub import Answer, Stub, said
from worker.ports import bind
from worker.shared.readiness import PartReport, PartState, Ready


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Folder]:
    with folder(tmp_path / "data") as made:
        yield made


def test_status_tells_a_running_worker_from_none(own: Folder) -> None:
    new_database(own.paths.database, some(7))
    before = own.command("status")
    assert before.returncode == 1
    assert "not running" in before.stdout
    assert "memtray-worker start" in before.stdout

    worker = own.start()
    found = own.command("status")
    assert found.returncode == 0
    for told in (str(worker.pid), f"http://127.0.0.1:{own.port}", str(own.paths.data_dir), "7"):
        assert told in found.stdout

    own.command("stop")
    after = own.command("status")
    assert after.returncode == 1
    assert "stopped by the user" in after.stdout


def test_a_stranger_on_the_port_is_named_by_status_and_start(own: Folder) -> None:
    server = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(own.port)]
    with subprocess.Popen(server, cwd=own.paths.logs, stderr=subprocess.DEVNULL) as stranger:
        while not own.listens:
            pass
        found = own.status()
        refused = own.command("start")
        stopped = own.command("stop")
        assert stranger.poll() is None
        stranger.kill()

    assert found["state"] == "port taken"
    assert f"pid {stranger.pid}" in found["cause"]
    assert "--port" in found["remedy"]
    assert refused.returncode == 1
    assert f"port {own.port} is taken by" in refused.stderr
    assert f"pid {stranger.pid}" in refused.stderr
    assert "No worker runs" in stopped.stdout


def test_a_stranger_that_says_ok_to_everything_is_no_worker(own: Folder) -> None:
    with Stub(own.paths, lambda _: Answer(b"{}")).serving(own.port) as stranger:
        stranger.health = lambda: Answer(b"{}")  # type: ignore[method-assign]
        assert own.status()["state"] == "port taken"
        refused = own.command("start")
    assert refused.returncode == 1
    assert f"port {own.port} is taken by" in refused.stderr


def test_a_degraded_part_is_named_with_cause_and_remedy(own: Folder) -> None:
    bad = PartReport(part="chroma", state=PartState.DOWN, cause="it is gone", remedy="Get it back.")
    ready = Ready(state=PartState.DEGRADED, parts=[bad]).model_dump_json().encode()
    with Stub(own.paths, lambda _: Answer(ready), version="0.0.1").serving() as stub:
        stub.announce()
        told = own.command("status")
        started = own.command("start")

    assert told.returncode == 0
    assert "degraded" in told.stdout
    assert "it is gone" in told.stdout
    assert "Get it back." in told.stdout
    for text in (told.stdout, started.stdout):  # of another version: told, and left alone
        assert "version 0.0.1" in text
        assert "memtray-worker restart" in text


def test_claude_mem_on_its_own_port_is_no_stranger_in_our_way(own: Folder) -> None:
    settings = {"CLAUDE_MEM_WORKER_PORT": str(own.port)}
    (own.paths.data_dir / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    with bind(own.port):
        assert own.status()["state"] == "not running"
        started = own.told("start")
    assert started["port"] != own.port
    assert own.told("restart")["port"] == started["port"]
    assert own.told("stop")["stopped"] in ORDERLY
    assert own.told("start")["port"] != own.port  # also while theirs is down


SLOW = """
import pathlib, time
while not pathlib.Path({go!r}).exists():
    time.sleep(0.05)
raise ImportError("that was a test")
"""


def test_a_slow_start_listens_at_once_shows_and_is_not_doubled(own: Folder, tmp_path: Path) -> None:
    go = tmp_path / "go"
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "numpy.py").write_text(SLOW.format(go=str(go)), encoding="utf-8")
    environ = {**own.environ, "PYTHONPATH": str(slow)}

    with running(own.paths.data_dir, environ=environ, port=own.port) as worker:
        assert own.status()["state"] == "starting"
        assert own.told("start")["pid"] == worker.process.pid
        assert len(own.processes()) == 1
        go.touch()
        worker.until("/api/ready", lambda _, body: body["state"] != "building")
        assert own.status()["state"] == "degraded"


# logs


def test_logs_are_shown_with_the_worker_down_and_up(own: Folder) -> None:
    nothing = own.command("logs")
    assert nothing.returncode == 0
    assert "Nothing has been logged" in nothing.stderr
    own.start()
    own.command("stop")

    text = own.command("logs").stdout
    assert "INFO worker.run: listening on port" in text
    assert text.splitlines()[-1].endswith("worker.run: ended")
    assert len(own.command("logs", "-n", "2").stdout.splitlines()) == 2
    entries = [json.loads(line) for line in own.command("logs", "--json").stdout.splitlines()]
    assert entries[-1]["message"] == "ended"
    assert set(entries[-1]) == {"time", "level", "component", "message"}


def test_logs_follow_until_ctrl_c(own: Folder) -> None:
    following = [*COMMAND, "logs", "-f", "--data-dir", str(own.paths.data_dir)]
    environ = {**own.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        following, cwd=ROOT, env=environ, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout
        own.start()
        with closing(process.stdout) as lines:
            assert any("listening on port" in line for line in lines)
            process.terminate()


def test_a_wrong_number_of_lines_is_explained(own: Folder) -> None:
    wrong = own.command("logs", "-n", "many")
    assert wrong.returncode == 2
    assert "'many' is no number of lines" in wrong.stderr


def test_a_worker_of_no_sense_is_told(own: Folder) -> None:
    with Stub(own.paths, lambda _: said("no list of parts")).serving() as stub:
        stub.announce()
        found = own.status()
    assert found["state"] == "degraded"
    assert found["remedy"] == "memtray-worker restart"
