"""Which port is taken, and what is said when it cannot be had."""

import errno
import json
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.nobody import as_nobody
from worker.ports import PortUnavailableError, bind, listen
from worker.shared.ports import claimed_ports, is_reserved, next_free_port, owner_of

ROOT = Path(__file__).parents[1]
STRANGER = """
import socket, sys
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
print(s.getsockname()[1], flush=True)
sys.stdin.read()
"""


def port_of(listener: socket.socket) -> int:
    port: int = listener.getsockname()[1]
    return port


def test_binds_to_this_machine_alone() -> None:
    with bind(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
        with socket.create_connection(("127.0.0.1", port_of(listener)), timeout=5):
            pass  # it listens already, before anything serves


def test_a_taken_port_names_who_has_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STRANGER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as stranger:
        assert stranger.stdout
        port = int(stranger.stdout.readline())

        with pytest.raises(PortUnavailableError) as caught:
            bind(port)

        name = psutil.Process(stranger.pid).name()
        assert f"port {port} is taken by {name} (pid {stranger.pid})" in caught.value.detail
        assert "--port" in caught.value.detail
        assert stranger.stdin
        stranger.stdin.close()


@pytest.mark.parametrize(
    ("script", "is_claude_mem"),
    [("plugin/scripts/worker-service.cjs", True), ("claude-mem/server.py", False)],
)
def test_claude_mems_own_worker_is_known_by_what_it_runs(
    tmp_path: Path, script: str, is_claude_mem: bool
) -> None:
    path = tmp_path / script
    path.parent.mkdir(parents=True)
    path.write_text(STRANGER, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as other:
        assert other.stdout
        owner = owner_of(int(other.stdout.readline()))
        assert owner
        assert (owner.pid, owner.is_claude_mem) == (other.pid, is_claude_mem)
        assert other.stdin
        other.stdin.close()


def test_the_next_free_port_is_neither_taken_nor_claimed() -> None:
    with bind(0) as listener:
        taken = port_of(listener)
        found = next_free_port(taken - 1, frozenset())
        assert found
        assert found > taken
        other = next_free_port(taken - 1, {found})
        assert other
        assert other > found
    assert next_free_port(65_535, frozenset()) is None


def test_a_free_port_is_not_reserved_and_a_taken_one_neither() -> None:
    with bind(0) as listener:
        port = port_of(listener)
        assert not is_reserved(port)
    assert not is_reserved(port)


def test_a_reserved_port_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", refuse)

    with pytest.raises(PortUnavailableError, match="port 80 is reserved by the system"):
        bind(80)
    assert is_reserved(80)


def test_a_port_that_the_system_keeps_from_users_is_reserved() -> None:
    become = as_nobody()
    code = "from worker.ports import bind; bind(81)"

    refused = subprocess.run(
        [*become, sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    if refused.returncode == 0:
        pytest.skip("here every user may have every port")
    assert "port 81 is reserved by the system" in refused.stderr


def test_a_port_can_be_had_again_at_once() -> None:
    with bind(0) as listener:
        port = port_of(listener)
        with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
            accepted, _ = listener.accept()
            accepted.close()  # the side that closes first keeps the port in TIME_WAIT
            client.recv(1)

    bind(port).close()


@pytest.mark.parametrize(
    ("uid", "port"), [(77, 37777), (1077, 37777), (1000, 37700), (None, 37777)]
)
def test_claude_mem_claims_its_default(tmp_path: Path, uid: int | None, port: int) -> None:
    assert claimed_ports(tmp_path, {}, uid) == {port}


@pytest.mark.parametrize("value", [40_000, "40000"])
def test_claude_mem_s_settings_come_before_its_default(tmp_path: Path, value: object) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"CLAUDE_MEM_WORKER_PORT": value}), encoding="utf-8")

    assert claimed_ports(tmp_path, {}, 77) == {40_000}
    assert claimed_ports(tmp_path, {"CLAUDE_MEM_WORKER_PORT": "41000"}, 77) == {41_000}


def test_a_running_claude_mem_claims_the_port_it_has(tmp_path: Path) -> None:
    (tmp_path / "worker.pid").write_text('{"pid": 1, "port": 37777}', encoding="utf-8")

    assert claimed_ports(tmp_path, {}, 0) == {37700, 37777}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"CLAUDE_MEM_WORKER_PORT": "x"}', "\0"])
def test_files_that_cannot_be_read_claim_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "settings.json").write_text(text, encoding="utf-8")
    (tmp_path / "worker.pid").write_text(text, encoding="utf-8")

    assert claimed_ports(tmp_path, {}, 1000) <= {37700}


def test_a_claimed_port_is_left_alone_even_while_it_is_free() -> None:
    with bind(0) as free:
        wanted = port_of(free)

    with listen(wanted, frozenset({wanted, wanted + 1})) as listener:
        assert wanted + 1 < port_of(listener) < wanted + 100


def test_an_unclaimed_port_is_taken_as_asked() -> None:
    with bind(0) as free:
        wanted = port_of(free)

    with listen(wanted, frozenset({1})) as listener:
        assert port_of(listener) == wanted
