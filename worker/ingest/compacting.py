"""Compacting as the API speaks of it: asked, refused with the reason, or done in a thread."""

import shutil
import threading
from pathlib import Path

from worker.errand import Errand
from worker.shared.keeping import SizeReply
from worker.shared.paths import Paths
from worker.store.compacting import require_alone, require_room, size_of
from worker.store.store import Store


class Compacting:
    """Gives unused room of the database back to the disk."""

    def __init__(self, store: Store, paths: Paths) -> None:
        self._store = store
        self._paths = paths
        self._errand = Errand("compact")
        self._before: int | None = None

    def size(self) -> SizeReply:
        """Return the room that all takes; raise StoreUnavailableError."""
        size = size_of(self._paths.database)
        return SizeReply(
            bytes=size.whole,
            unused=size.unused,
            log=size.log,
            backups=_bytes_in(self._paths.backups),
            room=shutil.disk_usage(self._paths.data_dir).free,
            needed=size.needed,
            state=self._errand.state,
            before=self._before,
            cause=self._errand.cause,
        )

    def compact(self) -> SizeReply:
        """Begin it; raise NotAloneError, NoRoomError or UnderWayError."""
        require_alone(self._paths.database)
        require_room(self._paths.database)
        before = size_of(self._paths.database).whole
        self._errand.begin(self._work)
        self._before = before
        return self.size()

    def is_running(self) -> bool:
        """Say whether it is under way."""
        return self._errand.is_running()

    def stop(self) -> None:
        """Wait a moment for what is under way; SQLite takes it back if it is broken off."""
        self._errand.stop()

    def _work(self, _stopping: threading.Event) -> None:
        self._store.compact()


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.db")) if folder.exists() else 0
