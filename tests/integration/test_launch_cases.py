"""Whatever is in the way, a start ends with one worker that answers, or says why there is none."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import psutil
import pytest

from tests.integration.folders import ORDERLY, Folder, folder
from tests.integration.processes import COMMAND, ROOT
from tests.shared.stub import TOKEN
from worker.shared.identity import WorkerRecord
from worker.shared.paths import write_private

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")
SCRIPT = Path(sys.executable).with_name("memtray-worker" + Path(sys.executable).suffix)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Folder]:
    with folder(tmp_path / "data") as made:
        yield made


def test_eight_starters_at_the_same_moment_are_all_told_of_one_worker(own: Folder) -> None:
    start = [*COMMAND, "start", "--json", "--data-dir", str(own.paths.data_dir)]
    starters = [
        subprocess.Popen(
            start, cwd=ROOT, env=dict(own.environ), stdout=subprocess.PIPE, encoding="utf-8"
        )
        for _ in range(8)
    ]
    told = [json.loads(starter.communicate(timeout=60)[0]) for starter in starters]

    assert [starter.returncode for starter in starters] == [0] * 8
    assert len({health["instance"] for health in told}) == 1
    assert [process.pid for process in own.processes()] == [told[0]["pid"]]


@pytest.mark.parametrize("whose", ["another program", "nobody", "a zombie"])
@POSIX
def test_a_stale_worker_json_is_in_nobodys_way(own: Folder, whose: str) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        started = psutil.Process(other.pid).create_time()
        if whose == "a zombie":
            other.kill()
            while psutil.Process(other.pid).status() != psutil.STATUS_ZOMBIE:
                pass
        stale = WorkerRecord(
            pid=999_999 if whose == "nobody" else other.pid,
            started=started - (3600 if whose == "another program" else 0),
            port=own.port,
            instance="gone",
            token=TOKEN,
            version="0",
        )
        write_private(own.paths.worker_json, stale.to_json())

        assert own.status()["state"] == "not running"
        assert own.start().pid != other.pid
        if whose == "another program":
            assert other.poll() is None
            other.communicate(b"\n")


def test_a_proxy_in_the_environment_is_never_asked(own: Folder) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        names = ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
        behind = Folder(own.paths, {**own.environ, **dict.fromkeys(names, address)}, own.port)

        behind.start()
        assert behind.command("search", "anything").returncode == 0
        assert behind.status()["state"] != "not running"
        assert behind.told("stop")["stopped"] in ORDERLY
        proxy.settimeout(0)
        with pytest.raises(BlockingIOError):
            proxy.accept()


@pytest.mark.skipif(not SCRIPT.exists(), reason="memtray is not installed in this environment")
def test_a_hostile_working_folder_misleads_nobody(own: Folder, tmp_path: Path) -> None:
    hostile = tmp_path / "project"
    for name in ("worker", "app", "mcp_server"):
        (hostile / name).mkdir(parents=True)
        (hostile / name / "__init__.py").write_text("raise SystemExit(9)", encoding="utf-8")
    for name in ("json.py", "sqlite3.py", "sitecustomize.py", "flask.py"):
        (hostile / name).write_text("raise SystemExit(9)", encoding="utf-8")

    def told(*args: str) -> object:
        done = subprocess.run(
            [SCRIPT, *args, "--json", "--data-dir", str(own.paths.data_dir)],
            cwd=hostile,
            env=dict(own.environ),
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return json.loads(done.stdout)

    health = told("start")
    assert isinstance(health, dict)
    assert psutil.Process(health["pid"]).cwd() == str(ROOT)
    assert told("search", "anything")
    assert told("stop") in [{"stopped": how} for how in ORDERLY]


def test_a_worker_that_loads_for_ever_still_ends_in_time(own: Folder, tmp_path: Path) -> None:
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "numpy.py").write_text("import time; time.sleep(60)", encoding="utf-8")
    environ = {**own.environ, "PYTHONPATH": str(slow)}
    run = [*COMMAND, "run", "--data-dir", str(own.paths.data_dir)]
    with subprocess.Popen(run, cwd=ROOT, env=environ, stdout=subprocess.PIPE) as worker:
        assert worker.stdout
        worker.stdout.readline()
        began = time.monotonic()
        assert own.told("stop")["stopped"] in ORDERLY
        assert time.monotonic() - began < 15
        assert worker.wait(5) == 0
    assert not own.paths.worker_json.exists()


# the hour without use


def run_for(own: Folder, seconds: str) -> "subprocess.Popen[bytes]":
    run = [*COMMAND, "run", "--data-dir", str(own.paths.data_dir), "--leave-when-idle", seconds]
    process = subprocess.Popen(run, cwd=ROOT, env=dict(own.environ), stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    return process


def ask(own: Folder, path: str, client: str) -> None:
    connection = HTTPConnection("127.0.0.1", own.port, timeout=10)
    connection.request("GET", path, headers={"X-Memtray-Client": client})
    connection.getresponse().read()
    connection.close()


def test_without_use_it_leaves_although_its_health_is_asked(own: Folder) -> None:
    with run_for(own, "2") as process:
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            try:
                ask(own, "/health", "launch")
                ask(own, "/api/ready", "status")
            except OSError:  # it is just leaving
                process.wait(15)
        assert process.returncode == 0
    assert own.status()["state"] == "not running"  # and may be started by anybody


@pytest.mark.parametrize(
    ("path", "client"), [("/api/search?query=x", "mcp-x"), ("/health", "app 1.0")]
)
def test_requests_and_the_app_keep_it(own: Folder, path: str, client: str) -> None:
    with run_for(own, "2") as process:
        deadline = time.monotonic() + 4
        while time.monotonic() < deadline:
            ask(own, path, client)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.2)
        process.terminate()


def test_a_worker_in_the_foreground_stays_and_one_in_the_background_leaves(own: Folder) -> None:
    assert "--leave-when-idle" in own.start().cmdline()
    help_text = own.command("run", "--help").stdout
    assert "--leave-when-idle" not in help_text  # it is for starters
