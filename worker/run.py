"""One run of the worker, from its lock to its last answer."""

import logging
import os
import secrets
import signal
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from filelock import FileLock, Timeout

from worker import __version__
from worker.doorman import Doorman
from worker.idle import Idle
from worker.ports import listen
from worker.shared.errors import FolderUnavailableError, MemtrayError
from worker.shared.heaps import share_heaps
from worker.shared.identity import Identity, WorkerRecord, expected_port, read_record
from worker.shared.logs import setup_logging
from worker.shared.paths import Paths, remove, write_private
from worker.shared.ports import claimed_ports, user_number
from worker.shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from worker.backend import Backend
    from worker.serve import Server

LOCK_SECONDS = 1.0  # a starter that looks whether a worker lives holds it for an instant
END_SECONDS = 9.0  # from the wish to stop to the end, whatever still loads or embeds

log = logging.getLogger(__name__)


class AlreadyRunningError(MemtrayError):
    """A data folder has one worker at most."""

    title = "A worker already runs"
    code = "already_running"


def run(
    paths: Paths,
    *,
    port: int | None,
    on_serving: Callable[[int], None],
    leave_after: float | None = None,
) -> None:
    """Serve until SIGTERM, SIGINT or SIGHUP; raise MemtrayError when that cannot begin.

    `on_serving` is told the port. After `leave_after` seconds without use it ends by itself.
    """
    os.umask(0o077)
    share_heaps()
    try:
        paths.create()
    except OSError as exc:
        raise FolderUnavailableError.of(exc) from exc
    settings = load_settings(paths.settings)
    setup_logging(paths.logs, "worker", settings.log_level, stderr=True)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a short queue is no news
    wanted = expected_port(paths, os.environ) if port is None else port
    claimed = claimed_ports(paths.data_dir, os.environ, user_number())
    with (
        _only_worker(paths) as still_only,
        listen(wanted, claimed) as listener,
        _announced(paths, listener.getsockname()[1], settings) as identity,
        Doorman(listener, lambda: identity.health(None)) as doorman,
    ):
        paths.stopped_mark.unlink(missing_ok=True)  # whoever stopped it before, it is wanted again
        idle = Idle(leave_after)
        server, backend = _assemble(paths, settings, identity, listener, idle, still_only)
        for connection in doorman.relieve():
            server.adopt(connection)
        on_serving(identity.port)
        backend.start()
        try:
            server.run()
        finally:
            _leave_in(END_SECONDS - (time.monotonic() - server.stopping_since))
            backend.stop()
    log.info("ended")


def _leave_in(seconds: float) -> None:
    """End the process then, whatever thread still works: what is stored survives kill -9, too."""
    alarm = threading.Timer(seconds, _leave)
    alarm.daemon = True
    alarm.start()


def _leave() -> None:
    log.warning("ended while work was under way, which the next start takes up again")
    logging.shutdown()
    os._exit(0)


@contextmanager
def _only_worker(paths: Paths) -> Iterator[Callable[[], bool]]:
    """Hold the lock of this data folder; the system lets go of it however the worker ends.

    Gives a function that says whether the lock still keeps others out: not once its file is gone,
    as with the whole folder, when a second worker may have a new one.
    """
    lock = FileLock(paths.worker_lock, timeout=LOCK_SECONDS, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        record = read_record(paths.worker_json)
        who = f"pid {record.pid}, port {record.port}" if record else "it is just starting or ending"
        raise AlreadyRunningError(
            f"it serves {paths.data_dir} ({who}); stop that one first"
        ) from None
    held = paths.worker_lock.stat()
    try:
        yield lambda: _is_still(paths.worker_lock, held)
    finally:
        lock.release()


def _is_still(path: Path, known: os.stat_result) -> bool:
    """Say whether this file is still the known one."""
    try:
        return os.path.samestat(path.stat(), known)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # a disk that does not answer just now replaces nothing


@contextmanager
def _announced(paths: Paths, port: int, settings: Settings) -> Iterator[Identity]:
    """Write who we are into worker.json, and take it away at the end if it is still ours."""
    record = WorkerRecord(
        pid=os.getpid(),
        started=psutil.Process().create_time(),
        port=port,
        instance=uuid.uuid4().hex,
        token=secrets.token_urlsafe(32),
        version=__version__,
        port_setting=settings.port,
    )
    write_private(paths.worker_json, record.to_json())
    said = asdict(record)
    del said["port_setting"]
    try:
        yield Identity(
            **said,
            data_dir=str(paths.data_dir),
            require_token=settings.require_token,
        )
    finally:
        if read_record(paths.worker_json) == record:
            remove(paths.worker_json)


def _assemble(
    paths: Paths,
    settings: Settings,
    identity: Identity,
    listener: socket.socket,
    idle: Idle,
    still_only: Callable[[], bool],
) -> "tuple[Server, Backend]":
    """Return what serves, which the usual signals stop, and what answers behind it."""
    # only now, as the port listens: these take as long to load as all that went before
    from worker.backend import Backend
    from worker.backup.service import Backups
    from worker.serve import Server
    from worker.web.app import Services, create_app

    backend = Backend(paths, settings, identity.port)
    services = Services(
        search=backend,
        store=backend.store,
        ready=backend.ready,
        identity=identity,
        stop=lambda: server.stop(),
        used=idle.touch,
        saving=backend,
        imports=backend.imports,
        trash=backend.trash,
        capture=lambda: backend.capture,
        redacting=backend.redacting,
        compacting=backend.compacting,
        backups=Backups(paths),
        upkeep=backend,
        recalls=backend.recalls,
        note=backend.recorder.note,
    )
    app = create_app(services)

    def is_over() -> bool:
        if not still_only():
            log.error("%s is gone: the data folder was replaced; ending", paths.worker_lock)
            return True
        return idle.is_over(backend.is_busy)

    server = Server(app, listener, is_over=is_over)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: server.stop())
    log.info("listening on port %d, memories in %s", identity.port, paths.database)
    return server, backend
