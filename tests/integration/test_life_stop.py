"""Stopping ends the worker that is there, whatever worker.json says, and nobody else."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tests.integration.folders import ORDERLY, Folder, folder
from worker.shared.errors import WorkerUnavailableError
from worker.shared.launch import ensure_running
from worker.shared.paths import write_private

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Folder]:
    with folder(tmp_path / "data") as made:
        yield made


def assert_gone(own: Folder, worker: psutil.Process) -> None:
    """The process has ended, its port is free, its file is away, and the user's wish is kept."""
    worker.wait(5)
    assert not own.listens
    assert not own.paths.worker_json.exists()
    assert own.paths.stopped_mark.exists()
    assert own.processes() == []


def test_it_asks_the_worker_and_says_so(own: Folder) -> None:
    worker = own.start()

    stopped = own.command("stop")

    assert stopped.returncode == 0
    assert "has ended" in stopped.stdout
    assert_gone(own, worker)


@pytest.mark.parametrize("text", ["", "999999", '{"pid": 1, "started": 2, "port": 99999'])
def test_a_torn_or_overwritten_worker_json_hides_nobody(own: Folder, text: str) -> None:
    worker = own.start()
    own.paths.worker_json.write_text(text, encoding="utf-8")

    assert own.told("stop") == {"stopped": "terminated"}  # the token is lost
    assert_gone(own, worker)


def test_a_dead_pid_in_worker_json_hides_nobody(own: Folder) -> None:
    worker = own.start()
    wrong = replace(own.record, pid=999_999)
    write_private(own.paths.worker_json, wrong.to_json())

    assert own.told("stop")["stopped"] in ORDERLY
    assert_gone(own, worker)


def test_the_record_of_another_worker_hides_nobody_and_hurts_no_stranger(own: Folder) -> None:
    worker = own.start()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as stranger:
        wrong = replace(own.record, pid=stranger.pid, started=1.0, port=1, instance="another")
        write_private(own.paths.worker_json, wrong.to_json())

        assert own.told("stop") == {"stopped": "terminated"}
        assert stranger.poll() is None
        stranger.communicate(b"\n")
    assert_gone(own, worker)


def test_where_nothing_runs_stopping_is_a_success_that_says_so(own: Folder) -> None:
    stopped = own.command("stop")

    assert stopped.returncode == 0
    assert "No worker runs" in stopped.stdout
    assert own.paths.stopped_mark.exists()


@POSIX
def test_a_frozen_worker_is_killed_and_none_is_started_beside_it(own: Folder) -> None:
    worker = own.start()
    worker.send_signal(signal.SIGSTOP)

    assert own.status()["state"] in ("starting", "hanging")
    with pytest.raises(WorkerUnavailableError, match="memtray-worker restart"):
        ensure_running(own.paths, wait_seconds=1, explicit=True)
    assert [process.pid for process in own.processes()] == [worker.pid]
    began = time.monotonic()
    assert own.told("stop") == {"stopped": "killed"}
    assert time.monotonic() - began < 15
    assert_gone(own, worker)


def test_the_stopped_mark_holds_until_an_explicit_start(own: Folder) -> None:
    own.start()
    own.command("stop")

    refused = own.command("search", "anything")
    assert refused.returncode == 1
    assert "stopped by the user" in refused.stderr
    assert "memtray-worker start" in refused.stderr
    assert own.status()["state"] == "stopped by the user"

    own.start()
    assert own.command("search", "anything").returncode == 0


def shutdown(own: Folder, token: str) -> tuple[int, dict[str, object]]:
    with closing(http.client.HTTPConnection("127.0.0.1", own.port, timeout=15)) as connection:
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request("POST", "/api/admin/shutdown", b"{}", headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


def test_the_route_needs_the_token_and_lets_a_request_in_flight_finish(own: Folder) -> None:
    worker = own.start()
    assert shutdown(own, "wrong")[0] == 401
    body = b'{"ids":[1]}'
    head = (
        f"POST /api/observations/batch HTTP/1.1\r\nHost: 127.0.0.1:{own.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", own.port), timeout=15) as slow:
        slow.sendall(head + body[:5])
        assert shutdown(own, own.record.token) == (202, {"status": "stopping", "notes": []})
        while own.listens:
            pass
        slow.sendall(body[5:])
        response = http.client.HTTPResponse(slow)
        response.begin()
        assert response.status == 200
        assert b"#1" in response.read()
    worker.wait(10)
    assert not own.paths.worker_json.exists()
    assert not own.paths.stopped_mark.exists()  # that is for who asks in the user's name


@POSIX
def test_kill_9_leaves_no_process_and_nothing_that_blocks(own: Folder) -> None:
    worker = own.start()
    assert worker.children(recursive=True) == []
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait(5)

    assert own.processes() == []
    assert own.status()["state"] == "not running"
    assert own.start().pid != worker.pid
