"""Another program has the port: it is named, left alone, and there is a way out."""

import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.status import Look
from tests.app.supervisor.conftest import Watch
from tests.integration.folders import Folder
from worker.shared.settings import load_settings


@contextmanager
def stranger(place: Folder, script: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program that answers all and is none of ours on the port of the folder."""
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(
        "import http.server, sys\n"
        "class Answers(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        self.send_response(200)\n"
        "        self.send_header('Content-Type', 'application/json')\n"
        "        self.end_headers()\n"
        '        self.wfile.write(b\'{"status": "ok"}\')\n'
        "    def log_message(self, *_):\n"
        "        pass\n"
        "http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Answers).serve_forever()\n",
        encoding="utf-8",
    )
    with subprocess.Popen([sys.executable, str(script), str(place.port)]) as process:
        try:
            while not place.listens:
                pass
            yield process
        finally:
            process.kill()


def test_a_stranger_is_named_and_the_next_free_port_is_a_way_out(
    place: Folder, watch: Watch, tmp_path: Path
) -> None:
    with stranger(place, tmp_path / "server.py") as other:
        watched = watch()
        watched.supervisor.begin()
        watched.until(lambda: bool(watched.ports))
        told = watched.ports[0]
        assert (told.port, told.pid, told.is_claude_mem) == (place.port, other.pid, False)
        assert "python" in told.name
        assert told.next_free_port
        shown = watched.until_looks(Look.ERROR)
        assert str(other.pid) in shown.detail
        assert shown.can_start
        assert place.processes() == []

        watched.supervisor.start(told.next_free_port)
        watched.until_looks(Look.RUNNING)
        assert place.record.port == told.next_free_port
        assert load_settings(place.paths.settings).port == told.next_free_port
        assert len(watched.ports) == 1
        assert other.poll() is None
        watched.leaves()


def test_once_the_stranger_is_gone_the_worker_starts_by_itself(
    place: Folder, watch: Watch, tmp_path: Path
) -> None:
    watched = watch(pace=4)
    with stranger(place, tmp_path / "server.py"):
        watched.supervisor.begin()
        watched.until_looks(Look.ERROR)
    watched.until_looks(Look.RUNNING)
    assert place.record.port == place.port
    assert watched.gave_up == []
    watched.leaves()


def test_a_connection_that_holds_the_port_is_waited_for_and_no_crash(
    place: Folder, watch: Watch
) -> None:
    watched = watch(pace=4)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # no rest
        holder.bind(("127.0.0.1", place.port))
        holder.connect(server.getsockname())
        watched.supervisor.begin()
        shown = watched.until_looks(Look.ERROR)
        assert shown.detail == f"a connection of another program holds port {place.port}"
    watched.until_looks(Look.RUNNING)
    assert place.record.port == place.port
    assert watched.gave_up == []
    watched.leaves()


def test_claude_mems_own_worker_is_called_so(place: Folder, watch: Watch, tmp_path: Path) -> None:
    script = tmp_path / "plugin" / "scripts" / "worker-service.cjs"
    with stranger(place, script) as other:
        watched = watch()
        watched.supervisor.begin()
        watched.until(lambda: bool(watched.ports))
        assert (watched.ports[0].pid, watched.ports[0].is_claude_mem) == (other.pid, True)
        watched.leaves()
        assert other.poll() is None


def test_a_port_that_claude_mem_claims_is_left_to_it_without_a_word(
    place: Folder, watch: Watch, tmp_path: Path
) -> None:
    pid_file = place.paths.data_dir / "worker.pid"
    pid_file.write_text(f'{{"port": {place.port}}}', encoding="utf-8")
    with stranger(place, tmp_path / "worker-service.cjs"):
        watched = watch()
        watched.supervisor.begin()
        watched.until_looks(Look.RUNNING)
        assert place.record.port != place.port
        assert watched.ports == []
        watched.leaves()
