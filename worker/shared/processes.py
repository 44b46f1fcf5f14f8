"""Which process is the worker of a data folder; nobody is signalled who is not found here."""

import os
import sys
import time
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from worker.shared.identity import WorkerRecord, read_record
from worker.shared.paths import Paths
from worker.shared.readiness import Health

_SAME_START_SECONDS = 2.0  # psutil derives it from the boot time, which clocks may move a little
_PROBE_SECONDS = 0.2  # others look whether the lock is held, too, and hold it for an instant


def is_ours(record: WorkerRecord | None) -> bool:
    """Say whether the process that wrote `worker.json` still lives: same pid, same start."""
    return record is not None and _same_process(record.pid, record.started) is not None


def lives(paths: Paths) -> bool:
    """Say whether a worker of this folder runs, also one that starts or hangs."""
    return is_ours(read_record(paths.worker_json)) or is_locked(paths.worker_lock)


def has_ended(process: psutil.Process) -> bool:
    """Say whether a process is no more, also if its number has a new owner; a zombie has ended."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def is_locked(path: Path) -> bool:
    """Say whether somebody holds this lock; False where it may not be written, as nobody can."""
    if not path.exists():
        return False
    lock = FileLock(path, timeout=_PROBE_SECONDS, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        return True
    except OSError:
        return False
    lock.release()
    return False


def worker_process(paths: Paths, health: Health | None) -> psutil.Process | None:
    """Return the worker's process, None if there is none or if it cannot be proved.

    It is the one that `health` or `worker.json` names, if that started when they say, else the one
    that has the lock open while it is held: so a torn or overwritten `worker.json` hides nobody.
    """
    claims = [(health.pid, time.time() - health.uptime_seconds)] if health else []
    if record := read_record(paths.worker_json):
        claims.append((record.pid, record.started))
    for pid, started in claims:
        if process := _same_process(pid, started):
            return process
    if not is_locked(paths.worker_lock):
        return None
    return _holder(paths.worker_lock)


def _same_process(pid: int, started: float) -> psutil.Process | None:
    """Return the living process of this number and start."""
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - started) < _SAME_START_SECONDS
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except (psutil.Error, ValueError, OverflowError):
        return None  # gone, or another user's


def may_be_worker(name: str, *, platform: str = sys.platform) -> bool:
    """Say whether to look at the files of a process; Windows takes minutes for those of all."""
    return platform != "win32" or name.lower().startswith(("memtray-worker", "python"))


def _holder(lock: Path) -> psutil.Process | None:
    """Return who has a lock file open; at a second look, as others try the lock for an instant."""
    others = [
        process
        for process in psutil.process_iter(["name"])
        if process.pid != os.getpid() and may_be_worker(process.info["name"] or "")
    ]
    for _ in range(2):
        others = [process for process in others if _has_open(process, lock)]
    return others[0] if len(others) == 1 else None


def _has_open(process: psutil.Process, path: Path) -> bool:
    try:
        return any(Path(file.path) == path.resolve() for file in process.open_files())
    except (psutil.Error, OSError):
        return False  # gone, or another user's
