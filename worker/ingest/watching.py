"""Transcripts taken in as they are written, while the user wants that."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from worker.checks.report import degraded, off, ok
from worker.ingest.importer import SETTLED_SECONDS, Importer
from worker.ingest.readers import rows_in
from worker.ingest.tally import CancelledError, Tally
from worker.shared.errors import MemtrayError
from worker.shared.readiness import PartReport
from worker.state.imports import Seen, keep_seen, seen_files

JOB = "watch"  # under which what it adds can be undone
EVERY_SECONDS = 3.0
_JOIN_SECONDS = 2.0

log = logging.getLogger(__name__)


def transcripts_folder(environ: Mapping[str, str], home: Path) -> Path:
    """Return where Claude Code keeps its transcripts."""
    chosen = environ.get("CLAUDE_CONFIG_DIR")
    return (Path(chosen) if chosen else home / ".claude") / "projects"


class Watch:
    """Looks every few seconds for files that have changed since they were read."""

    def __init__(
        self,
        importer: Importer,
        folder: Path,
        state: Path,
        *,
        wanted: Callable[[], bool],
        free: Callable[[], bool],
    ) -> None:
        """`wanted` says whether the user wants it now, `free` whether no import runs."""
        self._importer = importer
        self._folder = folder
        self._state = state
        self._wanted = wanted
        self._free = free
        self._tally = Tally(JOB)
        self._seen: dict[str, Seen] | None = None
        self._unsettled: dict[str, float] = {}  # when each has been quiet for long enough
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to look, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End soon; what is not read yet is read after the next start."""
        self._tally.cancelled.set()
        if self._thread.is_alive():
            self._thread.join(_JOIN_SECONDS)

    def report(self) -> PartReport:
        """Return how it is, for the list of checks."""
        if not self._wanted():
            return off("transcripts", "Transcripts are imported when you say so.")
        if self._trouble:
            return degraded("transcripts", self._trouble, "It is tried again every few seconds.")
        return ok("transcripts", f"{len(self._seen or {})} files of {self._folder} are watched.")

    def _run(self) -> None:
        while not self._tally.cancelled.wait(EVERY_SECONDS):
            if not self._wanted() or not self._free():
                continue
            try:
                self._look()
                self._trouble = ""
            except CancelledError:
                return
            except (MemtrayError, OSError, sqlite3.Error) as exc:
                self._trouble = exc.detail if isinstance(exc, MemtrayError) else str(exc)
            except Exception as exc:
                log.exception("the watch failed")
                self._trouble = f"an error of our own ({type(exc).__name__}); the log says where"

    def _look(self) -> None:
        if self._seen is None:
            self._seen = seen_files(self._state)
        for file in sorted(self._folder.rglob("*.jsonl")):
            try:
                status = file.stat()
            except OSError:  # removed meanwhile
                continue
            now = (status.st_size, status.st_mtime)
            if self._seen.get(str(file)) != now or self._has_settled(file):
                if not _is_export(file):
                    self._importer.take_in(file, self._tally)
                self._note(file, now)

    def _has_settled(self, file: Path) -> bool:
        quiet = self._unsettled.get(str(file))
        return quiet is not None and quiet < time.time()

    def _note(self, file: Path, now: Seen) -> None:
        """Remember how a file was; one that may go on is read again once it is quiet."""
        assert self._seen is not None  # noqa: S101 - loaded before
        self._seen[str(file)] = now
        quiet = now[1] + SETTLED_SECONDS
        if quiet > time.time():
            self._unsettled[str(file)] = quiet
        else:
            self._unsettled.pop(str(file), None)
            keep_seen(self._state, {str(file): now})


def _is_export(file: Path) -> bool:
    """Say whether a file holds memories that somebody put there: those come in when he says so."""
    try:
        return rows_in(file) is not None
    except OSError:  # which the import tells
        return False
