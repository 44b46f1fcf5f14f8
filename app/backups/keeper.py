"""Backups for the window: listed, made and restored by the worker."""

from PySide6.QtCore import QObject, Signal

from app.backups.wording import made_line, restored_line
from app.worker_client import WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.upkeep import BackupReply, BackupsReply, RestoreReply

_SECONDS = 600.0  # a large one is copied, read back and counted


class Keeper(QObject):
    """What is known, and what is being done; one thing at a time."""

    changed = Signal()
    restored = Signal()

    def __init__(self, client: WorkerClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self.backups: BackupsReply | None = None
        self.busy = False
        self.told = ""
        self.told_kind = ""

    def look(self) -> None:
        """Ask which there are."""
        call = self._client.get("/api/backup", {}, BackupsReply, seconds=_SECONDS)
        call.done.connect(self._listed)
        call.failed.connect(self._not_looked)

    def make(self) -> None:
        """Make one that stays."""
        self._begin(self.tr("Backing up…"))
        call = self._client.post("/api/backup", {}, BackupReply, seconds=_SECONDS)
        call.failed.connect(self._failed)
        call.done.connect(self._made)

    def restore(self, name: str) -> None:
        """Put one in the place of the memories, which are kept."""
        self._begin(self.tr("Restoring…"))
        call = self._client.post("/api/restore", {"name": name}, RestoreReply, seconds=_SECONDS)
        call.failed.connect(self._failed)
        call.done.connect(self._restored)

    def _begin(self, told: str) -> None:
        self.busy = True
        self._tell(told)

    def _listed(self, reply: BackupsReply) -> None:
        self.backups = reply
        self.changed.emit()

    def _made(self, reply: BackupReply) -> None:
        self.busy = False
        self._tell(f"✓ {made_line(reply)}", "good")
        self.look()

    def _restored(self, reply: RestoreReply) -> None:
        self.busy = False
        self._tell(f"✓ {restored_line(reply)}", "good")
        self.look()
        self.restored.emit()

    def _not_looked(self, error: MemtrayError) -> None:
        """What was known stays; that the worker is away, its status tells."""
        if error.code != "worker_unavailable":
            self._tell(f"✕ {error.detail}", "error")

    def _failed(self, error: MemtrayError) -> None:
        self.busy = False
        self._tell(f"✕ {error.detail}", "error")

    def _tell(self, told: str, kind: str = "") -> None:
        self.told, self.told_kind = told, kind
        self.changed.emit()
