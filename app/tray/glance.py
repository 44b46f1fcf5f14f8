"""What the menu lists of the worker's knowledge: asked in passing, shown once it is known."""

from collections.abc import Mapping

from pydantic import BaseModel
from PySide6.QtCore import QObject, Signal

from app.worker_client import Call, WorkerClient
from worker.shared.contract import OrderBy, SearchReply
from worker.shared.recalls_contract import RecallsReply

_COUNT = 5
_SECONDS = 2.0


class Glance(QObject):
    """Asks one question, once at a time; without an answer what was known stays."""

    known = Signal(object)  # the reply

    def __init__(
        self,
        client: WorkerClient,
        path: str,
        params: Mapping[str, object],
        model: type[BaseModel],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client, self._path, self._params, self._model = client, path, params, model
        self._call: Call | None = None

    def look(self) -> None:
        """Ask, unless an answer is awaited."""
        if self._call is None:
            self._call = self._client.get(self._path, self._params, self._model, seconds=_SECONDS)
            self._call.done.connect(self._answered)
            self._call.failed.connect(self._failed)

    def _answered(self, reply: BaseModel) -> None:
        self._call = None
        self.known.emit(reply)

    def _failed(self) -> None:
        self._call = None


def newest_memories(client: WorkerClient, parent: QObject) -> Glance:
    """Return what knows a SearchReply with the newest memories."""
    params = {"limit": _COUNT, "orderBy": OrderBy.DATE_DESC, "format": "json"}
    return Glance(client, "/api/search", params, SearchReply, parent)


def newest_recalls(client: WorkerClient, parent: QObject) -> Glance:
    """Return what knows a RecallsReply with what Claude asked last."""
    return Glance(client, "/api/recalls", {"limit": _COUNT, "format": "json"}, RecallsReply, parent)
