"""A worker that answers as a test wants, in this process or as a program of its own."""

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import psutil
from filelock import FileLock

from worker.shared.identity import WorkerRecord
from worker.shared.paths import Paths, write_private
from worker.shared.readiness import Health

TOKEN = "the-token"  # noqa: S105 - of a stub


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    params: dict[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What goes back; `promised` bytes are announced; with `drips` they come one by one."""

    body: bytes
    kind: str = "application/json"
    status: int = 200
    promised: int | None = None
    drips: bool = False


Answering = Callable[[Asked], Answer | None]


def said(text: str) -> Answer:
    """Answer as a reading route does."""
    return Answer(json.dumps({"content": [{"type": "text", "text": text}]}).encode())


def problem(status: int, code: str, detail: str) -> Answer:
    """Answer as a route that refuses."""
    body = {"title": "Title", "status": status, "detail": detail, "code": code}
    return Answer(json.dumps(body).encode(), "application/problem+json", status)


@dataclass
class Stub:
    """A server on a free port; None as answer means silence until the test ends."""

    paths: Paths
    answer: Answering
    instance: str = "stub"
    version: str = "1.2.3"
    api_level: int = 1
    healthy: bool = True
    asked: list[Asked] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    def health(self) -> Answer | None:
        if not self.healthy:
            return None
        health = Health(
            version=self.version,
            api_level=self.api_level,
            instance=self.instance,
            pid=os.getpid(),
            port=self.port,
            uptime_seconds=1,
            observations=0,
            data_dir=str(self.paths.data_dir),
        )
        return Answer(health.model_dump_json().encode())

    def announce(self) -> WorkerRecord:
        """Write worker.json as a worker does."""
        record = WorkerRecord(
            pid=os.getpid(),
            started=psutil.Process().create_time(),
            port=self.port,
            instance=self.instance,
            token=TOKEN,
            version=self.version,
        )
        self.paths.create()
        write_private(self.paths.worker_json, record.to_json())
        return record

    @contextmanager
    def serving(self, port: int = 0) -> Iterator["Stub"]:
        server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        server.daemon_threads = True
        self.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield self
        finally:
            self.ended.set()
            server.shutdown()
            thread.join()
            server.server_close()
            self.paths.worker_json.unlink(missing_ok=True)


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            asked = Asked(
                self.command,
                address.path,
                dict(parse_qsl(address.query, keep_blank_values=True)),
                {key.lower(): value for key, value in self.headers.items()},
                self.rfile.read(length),
            )
            stub.asked.append(asked)
            answer = stub.health() if asked.path == "/health" else stub.answer(asked)
            if answer is None:
                stub.ended.wait(60)
                return
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            promised = len(answer.body) if answer.promised is None else answer.promised
            self.send_header("Content-Length", str(promised))
            with suppress(OSError):  # the client has gone
                self.end_headers()
                self.wfile.write(answer.body)
                while answer.drips and not stub.ended.wait(0.05):
                    self.wfile.write(b" ")

        do_POST = do_GET
        do_DELETE = do_GET

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    return Handler


def main() -> None:
    """Be a worker program: `run --data-dir D [--port P]`; STUB_MODE says what goes wrong."""

    def said_or_stopped(asked: Asked) -> Answer:
        if asked.path == "/api/admin/shutdown":
            stub.ended.set()
        return said("from the stub")

    mode = os.environ.get("STUB_MODE", "")
    arguments = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True))
    paths = Paths(Path(arguments["--data-dir"]))
    (paths.own / f"started-{os.getpid()}").touch()
    sys.stderr.write(f"the stub runs in {Path.cwd()} with {sys.argv[1:]}\n")
    if mode.startswith("fails"):
        sys.exit(int(mode.removeprefix("fails")))
    with FileLock(paths.worker_lock, blocking=False):
        version = os.environ.get("STUB_VERSION", "1.2.3")
        stub = Stub(paths, said_or_stopped, instance=f"stub-{os.getpid()}", version=version)
        if mode == "slow":
            stub.ended.wait(1)  # what a big database may take
        with stub.serving(int(arguments.get("--port", 0))):
            if mode == "silent":
                stub.healthy = False
            stub.announce()
            stub.ended.wait(60)


if __name__ == "__main__":
    main()
