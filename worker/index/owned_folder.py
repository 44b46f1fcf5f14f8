"""A folder that one process at a time may use, and that is set aside when it cannot be trusted.

Some libraries die of files that are damaged, so damage is looked for before they are opened: a
mark tells that the last opening killed its process, and how many before it, a seal what the files
were when last closed.
"""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import filelock
import psutil

from worker.index.aside import set_aside
from worker.shared.errors import MemtrayError
from worker.shared.paths import write_private

log = logging.getLogger(__name__)

RELEASE_SECONDS = 2.0  # threads of a library may close their files some ms after the library
MAX_DEATHS = 3  # in a row, after which it is left closed: new files have not helped
IN_A_ROW_SECONDS = 3600.0  # no longer ago is a death one of a row


class FolderInUseError(MemtrayError):
    """Another process has the folder open."""

    title = "A folder is in use"
    code = "folder_in_use"
    status = 503


class FolderDeadlyError(MemtrayError):
    """Process after process died while it had the folder open."""

    title = "A folder is left closed"
    code = "folder_deadly"
    status = 503


@dataclass(frozen=True, slots=True)
class _Mark:
    """What a process leaves behind that dies: the how manyth in a row, and whether of the files."""

    deaths: int = 0
    reading: bool = False


class OwnedFolder:
    """One folder with its lock, its mark and its seal beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mark = path.with_name(f"{path.name}.opening")
        self._seal = path.with_name(f"{path.name}.sealed")
        self._lock = filelock.FileLock(
            path.with_name(f"{path.name}.lock"), mode=0o600, thread_local=False
        )
        self._deaths = 0  # of others before, in a row

    def take(self) -> bool:
        """Become the only user, or raise FolderInUseError, or FolderDeadlyError.

        Returns whether the folder was suspect and has been begun anew.
        """
        suspect = False
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._lock.is_locked:
            try:
                self._lock.acquire(timeout=0)
            except filelock.Timeout as exc:
                raise FolderInUseError(
                    f"Another process has {self.path} open, and two would damage it. "
                    "Stop the other worker."
                ) from exc
            self._deaths = self._read_mark().deaths
            if self._deaths >= MAX_DEATHS:
                self.release()
                raise FolderDeadlyError(
                    f"It ended the worker {self._deaths} times in a row while it was opened, with"
                    f" new files in {self.path}, too; it is left closed."
                )
            suspect = self._is_suspect()
            if suspect:
                set_aside(self.path)
            self._mark.unlink(missing_ok=True)
        self._seal.unlink(missing_ok=True)
        self.path.mkdir(mode=0o700, exist_ok=True)
        return suspect

    def fault(self) -> str:
        """Return why `take` would set the folder aside, "" where it would not; changes nothing."""
        if self._read_mark().reading:
            return "the last process that opened it died of it"
        return "its files were changed while it was closed" if self._is_changed() else ""

    @contextmanager
    def marked(self, *, reading: bool = True) -> Iterator[None]:
        """Leave the mark behind if the process dies in here, of the files if it is `reading`."""
        write_private(self._mark, json.dumps(asdict(_Mark(self._deaths + 1, reading))))
        try:
            yield
        finally:
            self._mark.unlink(missing_ok=True)

    def forgive(self) -> None:
        """Forget who died of it, so that `take` opens it once more."""
        self._deaths = 0
        self._mark.unlink(missing_ok=True)

    def begin_anew(self) -> None:
        """Set the folder aside; only for its owner, with nothing in it open."""
        set_aside(self.path)
        self.path.mkdir(mode=0o700)

    def seal(self) -> None:
        """Wait, a bounded time, until no file below the folder is open, then note what is there."""
        if not self._lock.is_locked:
            return
        deadline = time.monotonic() + RELEASE_SECONDS
        process, folder = psutil.Process(), self.path.resolve()
        while any(
            Path(file.path).resolve().is_relative_to(folder) for file in process.open_files()
        ):
            if time.monotonic() > deadline:
                log.warning("files in %s are still open", folder)
                return
            time.sleep(0.005)
        try:
            write_private(self._seal, json.dumps(self._contents()))
        except OSError as exc:
            log.warning("%s is left without a seal: %s", self.path, exc)

    def release(self) -> None:
        """Let others use it."""
        self._lock.release(force=True)

    def _read_mark(self) -> _Mark:
        """Return what the last process left behind; what is no longer of a row counts as one."""
        try:
            age = time.time() - self._mark.stat().st_mtime
            mark = _Mark(**json.loads(self._mark.read_bytes()))
        except FileNotFoundError:
            return _Mark()
        except (ValueError, TypeError):
            return _Mark(1, reading=True)  # it died while it wrote this
        return mark if 0 <= age < IN_A_ROW_SECONDS else replace(mark, deaths=1)

    def _is_suspect(self) -> bool:
        if fault := self.fault():
            log.warning("%s: %s", self.path, fault)
        return bool(fault)

    def _is_changed(self) -> bool:
        try:
            sealed = json.loads(self._seal.read_bytes())
        except (FileNotFoundError, ValueError):
            return False  # the last process was killed: nothing is known
        return bool(sealed != self._contents())

    def _contents(self) -> dict[str, list[int]]:
        """Return path -> size and time of the last change, of every file below the folder."""
        found = {}
        for path in self.path.rglob("*"):
            if path.is_file():
                status = path.stat()
                name = path.relative_to(self.path).as_posix()
                found[name] = [status.st_size, status.st_mtime_ns]
        return found
