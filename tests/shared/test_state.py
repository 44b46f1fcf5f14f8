"""A look at the worker from outside: who looks, and why there is none."""

import errno
import socket
from pathlib import Path

import pytest

from tests.bench.workers import free_port
from tests.shared.stub import Answer, Asked, Stub
from worker.shared.paths import Paths
from worker.shared.readiness import PartState, Ready
from worker.shared.state import State, look


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    found = Paths(tmp_path / "data")
    found.create()
    return found


def well(_: Asked) -> Answer:
    return Answer(Ready(state=PartState.OK, parts=[]).model_dump_json().encode())


def test_who_looks_is_known_to_the_worker(paths: Paths) -> None:
    with Stub(paths, well).serving() as stub:
        stub.announce()
        assert look(paths, name="app").state is State.RUNNING
        assert {asked.headers["x-memtray-client"] for asked in stub.asked} == {"app"}


def test_a_port_that_the_system_keeps_is_told_unless_claude_mem_claims_it(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    environ = {"MEMTRAY_PORT": str(free_port())}
    monkeypatch.setattr(socket.socket, "bind", refuse)
    found = look(paths, environ)
    assert found.state is State.PORT_TAKEN
    assert "the system keeps port" in found.cause

    claimed = environ | {"CLAUDE_MEM_WORKER_PORT": environ["MEMTRAY_PORT"]}
    assert look(paths, claimed).state is State.NOT_RUNNING
