"""Log files that the app can show: one a process, one JSON object a line."""

import datetime as dt
import json
import logging
import os
import sys
import time
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

_KEEP_DAYS = 14
_KEEP_FILES = 20  # of one component
_MAX_BYTES = 10 * 1024 * 1024  # then the file is set aside as .1, once

log = logging.getLogger(__name__)


def setup_logging(
    folder: Path, component: str, level: str = "INFO", *, stderr: bool = False
) -> Path | None:
    """Log to a new file in `folder`, and with `stderr` there too; return the file.

    Returns None where the folder cannot be written; the reason is then logged to stderr alone.
    A stderr that is no terminal gets warnings and errors only.
    """
    root = logging.getLogger()
    root.setLevel(level)
    if stderr and sys.stderr is not None:
        root.addHandler(_stderr_handler(sys.stderr))
    name = f"{component}-{dt.datetime.now():%Y%m%d}-{os.getpid()}.jsonl"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = _PrivateFile(folder / name, maxBytes=_MAX_BYTES, backupCount=1)
        _remove_old(folder, component, keep=folder / name)
    except OSError as exc:
        root.addHandler(logging.NullHandler())  # else Python itself would write to stderr
        log.warning("no log file: %s", exc)
        return None
    handler.setFormatter(_JsonLines())
    root.addHandler(handler)
    return folder / name


class _PrivateFile(RotatingFileHandler):
    """A log file that the user alone can read; without room for a line it goes without."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Python would write a traceback to stderr, and a pipe that nobody reads is soon full."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def _open(self) -> TextIO:  # type: ignore[override]
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC)
            .astimezone()
            .isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "component": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


def _stderr_handler(stream: TextIO) -> logging.Handler:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
    handler = logging.StreamHandler(stream)
    handler.setLevel(logging.NOTSET if stream.isatty() else logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler


def _remove_old(folder: Path, component: str, *, keep: Path) -> None:
    """Remove what is older than 14 days or beyond the newest 20."""
    others = (path for path in folder.glob(f"{component}-[0-9]*.jsonl*") if path != keep)
    newest_first = sorted(others, key=_changed, reverse=True)
    oldest_kept = time.time() - _KEEP_DAYS * 86_400
    for place, path in enumerate(newest_first, start=1):
        if place >= _KEEP_FILES or _changed(path) < oldest_kept:
            with suppress(OSError):  # another process was faster, or has it open (Windows)
                path.unlink()


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
