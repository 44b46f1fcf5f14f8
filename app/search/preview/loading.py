"""Fetches the memory that is to be shown; an answer that came too late is not looked at."""

from PySide6.QtCore import QObject, Signal

from app.search.preview.history import History, Place
from app.worker_client import Call, WorkerClient
from worker.shared.contract import MAX_QUERY, SingleReply
from worker.shared.errors import BadRequestError, MemtrayError, NotFoundError
from worker.shared.refs import parse_ref


class Loading(QObject):
    """Where one is, and the way there: `loaded` with the memory, `failed` with the error."""

    loaded = Signal(object)
    failed = Signal(object)

    def __init__(self, client: WorkerClient, parent: QObject) -> None:
        super().__init__(parent)
        self.history = History()
        self.wanted: Place | None = None  # what was asked for last
        self._client = client
        self._call: Call | None = None
        self._step = 0

    def go(self, place: Place, *, step: int = 0) -> None:
        """Ask for a memory; `step` says that it lies so far ahead in the history."""
        self.drop()
        self.wanted, self._step = place, step
        try:
            self._call = self._client.get(*_question(place), SingleReply)
        except (ValueError, BadRequestError) as exc:
            self.failed.emit(exc if isinstance(exc, MemtrayError) else BadRequestError(str(exc)))
        else:
            self._call.done.connect(self._loaded)
            self._call.failed.connect(self._failed)

    def travel(self, step: int) -> Place | None:
        """Go back (-1) or forward (1) in the history; return where to, None where there is none."""
        place = self.history.ahead(step)
        if place is not None:
            self.go(place, step=step)
        return place

    def drop(self) -> None:
        """Wait for nothing any more."""
        if self._call is not None:
            self._call.abort()
        self._call = None
        self.wanted = None

    def _loaded(self, record: object) -> None:
        self._call = None
        if self.wanted is not None:
            moved = self.history.moved(self._step)
            self.history = moved if self._step else self.history.visited(self.wanted)
        self.loaded.emit(record)

    def _failed(self, error: object) -> None:
        self._call = None
        if self._step and isinstance(error, NotFoundError):
            self.history = self.history.without(self._step)
        self.failed.emit(error)


def _question(place: Place) -> tuple[str, dict[str, object]]:
    """Return path and parameters; raise ValueError for what is no id."""
    ref = parse_ref(place.ref)
    params: dict[str, object] = {"format": "json", "query": place.query[:MAX_QUERY] or None}
    return f"/api/{ref.kind}/{ref.id}", params
