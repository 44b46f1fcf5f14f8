"""Memories let go from a window, and put back: asked, done by the worker, told."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.letting_go.dialog import DeleteDialog
from app.letting_go.told_bar import ToldBar
from app.letting_go.wording import deleted_line, restored_line
from app.worker_client import WorkerClient
from worker.shared.contract import Item
from worker.shared.errors import MemtrayError
from worker.shared.trash_contract import MAX_DELETE, DeleteReply, UndoReply

_SECONDS = 60.0  # the answer is proved by searching


class LettingGo(QObject):
    """Never for good: what goes can be put back by the button of the bar."""

    changed = Signal()  # memories have gone or come back

    def __init__(self, client: WorkerClient, bar: ToldBar, window: QWidget) -> None:
        super().__init__(window)
        self._client, self._bar, self._window = client, bar, window
        self._items: Sequence[Item] = ()
        self._batch = ""
        self.gone: frozenset[str] = frozenset()  # the refs of what went last
        bar.undo_wanted.connect(self._undo)

    def ask(self, items: Sequence[Item]) -> None:
        """Ask whether these shall go; at most MAX_DELETE at once."""
        if items:
            self._items = items[:MAX_DELETE]
            dialog = DeleteDialog(self._items, self._window)
            dialog.accepted.connect(self._delete)
            dialog.open()

    def forget(self) -> None:
        """Offer no way back any more: other memories have taken the place of all."""
        self._batch = ""
        self._bar.hide()

    def _delete(self) -> None:
        body = {"ids": [item.ref for item in self._items]}
        call = self._client.post("/api/memory/delete", body, DeleteReply, seconds=_SECONDS)
        call.done.connect(self._deleted)
        call.failed.connect(self._failed)

    def _undo(self) -> None:
        body = {"batch": self._batch}
        call = self._client.post("/api/memory/undo", body, UndoReply, seconds=_SECONDS)
        call.done.connect(self._restored)
        call.failed.connect(self._failed)

    def _deleted(self, reply: DeleteReply) -> None:
        self._batch = reply.batch or ""
        self.gone = frozenset(item.ref for item in self._items)
        self._bar.tell(deleted_line(reply), can_undo=bool(self._batch))
        self.changed.emit()

    def _restored(self, reply: UndoReply) -> None:
        self.gone = frozenset()
        self._bar.tell(f"✓ {restored_line(reply.restored)}", kind="good")
        self.changed.emit()

    def _failed(self, error: MemtrayError) -> None:
        self._bar.tell(f"✕ {error.detail}", kind="error")
