"""A folder that one process at a time may use, and that is set aside when using it killed one."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import filelock
import psutil

from worker.index.aside import set_aside
from worker.shared.errors import MemtrayError

log = logging.getLogger(__name__)

RELEASE_SECONDS = 2.0  # threads of a library may close their files some ms after the library


class FolderInUseError(MemtrayError):
    """Another process has the folder open."""

    title = "A folder is in use"
    code = "folder_in_use"
    status = 503


class OwnedFolder:
    """One folder with its lock and its mark beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mark = path.with_name(f"{path.name}.opening")
        self._lock = filelock.FileLock(
            path.with_name(f"{path.name}.lock"), mode=0o600, thread_local=False
        )

    def take(self) -> None:
        """Become the only user, or raise FolderInUseError; where the mark is, begin anew."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._lock.is_locked:
            try:
                self._lock.acquire(timeout=0)
            except filelock.Timeout as exc:
                raise FolderInUseError(
                    f"Another process has {self.path} open, and two would damage it. "
                    "Stop the other worker."
                ) from exc
            if self._mark.exists():
                log.warning("the last process died while it opened %s", self.path)
                set_aside(self.path)
                self._mark.unlink()
        self.path.mkdir(mode=0o700, exist_ok=True)

    @contextmanager
    def marked(self) -> Iterator[None]:
        """Leave the mark behind if the process dies in here."""
        self._mark.touch(mode=0o600)
        try:
            yield
        finally:
            self._mark.unlink(missing_ok=True)

    def begin_anew(self) -> None:
        """Set the folder aside; only for its owner, with nothing in it open."""
        set_aside(self.path)
        self.path.mkdir(mode=0o700)

    def wait_until_closed(self) -> None:
        """Wait, a bounded time, until this process has no file below the folder open."""
        deadline = time.monotonic() + RELEASE_SECONDS
        process, folder = psutil.Process(), self.path.resolve()
        while any(Path(file.path).is_relative_to(folder) for file in process.open_files()):
            if time.monotonic() > deadline:
                log.warning("files in %s are still open", folder)
                return
            time.sleep(0.005)

    def release(self) -> None:
        """Let others use it."""
        self._lock.release(force=True)
