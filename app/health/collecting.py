"""Collects what a diagnostic report tells: blocks, so it is done in a thread."""

import getpass
import locale
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import qVersion

from app.health.diagnostics import LINES, Facts, report, versions
from app.health.doctor import ask_doctor
from app.health.redaction import Private
from worker.shared.client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.identity import read_record
from worker.shared.log_lines import LogFiles
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport
from worker.shared.settings import read_settings
from worker.shared.state import WorkerState, look

_OUTPUT = 4_000  # bytes of what the worker wrote besides its log
_SECRET = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "CREDENTIAL")
_SHORTEST = 8  # characters of a value that is worth hiding wherever it stands


def diagnose(paths: Paths) -> str:
    """Return the report of this machine, redacted. Takes seconds where no worker answers."""
    return report(collect(paths), private(paths, os.environ, Path.home()))


def private(paths: Paths, environ: Mapping[str, str], home: Path) -> Private:
    """Return what must not be told."""
    record = read_record(paths.worker_json)
    secrets = [record.token] if record else []
    secrets += [
        value
        for name, value in environ.items()
        if len(value) >= _SHORTEST and any(word in name.upper() for word in _SECRET)
    ]
    return Private(home, _user(environ), tuple(secrets))


def collect(paths: Paths) -> Facts:
    """Return all that can be found out; what cannot is named among the troubles."""
    troubles: list[str] = []
    worker = look(paths)
    settings, problem = read_settings(paths.settings)
    return Facts(
        at=datetime.now().astimezone(),
        worker=worker,
        parts=_parts(paths, worker, troubles),
        versions={**versions(), "qt": qVersion()},
        system=_system(),
        sizes=dict(_sizes(paths)),
        free=_free(paths),
        settings={**asdict(settings), **({"problem": problem} if problem else {})},
        counts=_counts(paths, worker, troubles),
        log=LogFiles(paths.logs).newest(LINES),
        output=_output(paths),
        troubles=troubles,
    )


def _parts(paths: Paths, worker: WorkerState, troubles: list[str]) -> list[PartReport]:
    if worker.ready:
        return worker.ready.parts
    try:
        return ask_doctor(paths).parts
    except MemtrayError as exc:
        troubles.append(exc.detail)
        return []


def _counts(paths: Paths, worker: WorkerState, troubles: list[str]) -> dict[str, object]:
    """Return how many memories there are; projects are the user's own business."""
    if worker.health is None:
        return {}
    try:
        stats = WorkerClient(paths, "app", timeout=5.0).get("/api/stats", {"format": "json"})
    except MemtrayError as exc:
        troubles.append(exc.detail)
        return {}
    plain = {name: value for name, value in stats.items() if isinstance(value, int)}
    return {**plain, "projects": len(stats.get("projects", ()))}


def _system() -> dict[str, str]:
    names = ("XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM")
    return {
        "system": platform.platform(),
        "machine": platform.machine(),
        "locale": ".".join(filter(None, locale.getlocale())),
        "file system encoding": sys.getfilesystemencoding(),
        **{name: os.environ[name] for name in names if name in os.environ},
    }


def _sizes(paths: Paths) -> Iterator[tuple[str, int | None]]:
    wal = paths.database.with_name(f"{paths.database.name}-wal")
    for path in (paths.database, wal, paths.state, paths.settings):
        yield str(path), _size(path)
    for folder in (paths.index, paths.backups, paths.logs):
        sizes = [_size(path) or 0 for path in folder.rglob("*")] if folder.exists() else None
        yield str(folder), None if sizes is None else sum(sizes)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _free(paths: Paths) -> int | None:
    try:
        return shutil.disk_usage(paths.data_dir).free
    except OSError:
        return None


def _output(paths: Paths) -> str:
    try:
        written = (paths.logs / "worker-output.log").read_bytes()[-_OUTPUT:]
    except OSError:
        return ""
    return written.decode("utf-8", "replace")


def _user(environ: Mapping[str, str]) -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return environ.get("USERNAME", "")
