"""Puts memories on the clipboard: the one that is shown, or several by their ids."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.search.preview.copying import Form, copied
from app.worker_client import Call, WorkerClient
from worker.shared.contract import MAX_BATCH, BatchReply, RecordReply
from worker.shared.errors import MemtrayError
from worker.shared.tokens import estimate_tokens


class Copier(QObject):
    """Copies, and tells in a sentence what it has copied or why it could not."""

    told = Signal(str)

    def __init__(self, client: WorkerClient, parent: QObject) -> None:
        super().__init__(parent)
        self._client = client
        self._call: Call | None = None
        self._form = Form.TEXT

    def copy(self, records: Sequence[RecordReply], form: Form) -> None:
        """Copy memories that are here already."""
        text = copied(records, form)
        self.copy_text(text)
        if form is Form.PROMPT:
            told = self.tr("Copied as a prompt block: about {count} tokens.")
            self.told.emit(told.format(count=f"{estimate_tokens(text):,}"))
        elif len(records) > 1:
            self.told.emit(self.tr("Copied {count} memories.").format(count=len(records)))
        else:
            self.told.emit(self.tr("Copied."))

    def copy_text(self, text: str) -> None:
        """Copy a text as it stands, but for halves of characters, which no clipboard takes."""
        QGuiApplication.clipboard().setText(text.encode("utf-8", "replace").decode())

    def copy_refs(self, refs: Sequence[str], form: Form) -> None:
        """Fetch memories by their ids and copy them, in this order."""
        if self._call is not None:
            self._call.abort()
        self._form = form
        body = {"ids": list(refs[:MAX_BATCH]), "format": "json"}
        self._call = self._client.post("/api/observations/batch", body, BatchReply)
        self._call.done.connect(self._fetched)
        self._call.failed.connect(self._failed)

    def _fetched(self, reply: object) -> None:
        assert isinstance(reply, BatchReply)  # noqa: S101 - the call's own model
        self._call = None
        if reply.items:
            self.copy(reply.items, self._form)
        else:
            self.told.emit(self.tr("Nothing was copied: these memories are not there any more."))

    def _failed(self, error: object) -> None:
        assert isinstance(error, MemtrayError)  # noqa: S101 - as the call promises
        self._call = None
        self.told.emit(self.tr("Nothing was copied: {why}").format(why=error.detail))
