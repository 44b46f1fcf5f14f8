"""The daily backup, made by the worker without anybody asking."""

import datetime as dt
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from worker.backup.copying import BackupError, DamagedError
from worker.backup.folder import Kind, backups, last_touched, make
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState

DAY = dt.timedelta(days=1)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Seconds from the start to the first look, between two looks, and after each step."""

    first: float = 180.0
    look: float = 600.0
    rest: float = 0.02  # about as long as a step takes, so that searches go first


class Schedule:
    """The background thread; `start` it once, `stop` waits until it has ended."""

    def __init__(
        self,
        paths: Paths,
        *,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        rhythm: Rhythm = Rhythm(),
    ) -> None:
        self._paths = paths
        self._now = now
        self._rhythm = rhythm
        self._stopping = threading.Event()
        self._failure = ""
        self._thread = threading.Thread(target=self._run, name="backup", daemon=True)

    def start(self) -> None:
        """Begin to look once a while whether a backup is due."""
        self._thread.start()

    def stop(self) -> None:
        """Break off what is being copied and wait for the end."""
        self._stopping.set()
        if self._thread.ident:
            self._thread.join()

    def report(self) -> PartReport:
        """Return whether the last daily backup could be made, without looking."""
        if not self._failure:
            return PartReport(part="backup", state=PartState.OK)
        remedy = "It is tried again within minutes; memtray-worker backup tries it now."
        return PartReport(
            part="backup", state=PartState.DEGRADED, cause=self._failure, remedy=remedy
        )

    def is_due(self) -> bool:
        """Say whether the newest backup is older than a day and anything was written since.

        One from the future counts as old: the clock was set back.
        """
        known = [
            each for each in backups(self._paths.backups) if each.kind is not Kind.BEFORE_RESTORE
        ]
        written = last_touched(self._paths.database)
        if not known:
            return written > 0
        newest = known[0]
        fresh = dt.timedelta() <= self._now() - newest.made < DAY
        return not fresh and written != newest.path.stat().st_mtime_ns

    def _run(self) -> None:
        wait = self._rhythm.first
        while not self._stopping.wait(wait):
            wait = self._rhythm.look
            try:
                if self.is_due():
                    made = make(self._paths, Kind.DAILY, now=self._now(), tick=self._rest)
                    log.info("backup %s", made.path.name)
                self._failure = ""
            except _StoppedError:
                return
            except DamagedError as exc:
                log.warning("no daily backup: %s", exc.detail)  # the store has its own check
            except (BackupError, OSError) as exc:
                self._fail(str(exc))
            except Exception as exc:  # the top of a thread
                log.exception("the daily backup failed")
                self._failure = f"The daily backup failed ({type(exc).__name__})"

    def _fail(self, text: str) -> None:
        if text != self._failure:
            log.error("no daily backup: %s", text)
        self._failure = text

    def _rest(self, _done: int, _total: int) -> None:
        if self._stopping.wait(self._rhythm.rest):
            raise _StoppedError


class _StoppedError(Exception):
    """The worker ends in the middle of a copy."""
