"""Asks the worker for what a query finds; only the answer to the newest question counts."""

from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QElapsedTimer, QObject, Signal

from app.search.hits_model import PAGE, HitsModel
from app.search.request import Beyond, Left, Query
from app.worker_client import Call, WorkerClient
from worker.shared.contract import Facets, SearchReply
from worker.shared.errors import BadRequestError

_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query found."""

    query: Query
    reply: SearchReply
    milliseconds: int

    @property
    def total(self) -> int:
        return self.reply.total


@dataclass(frozen=True, slots=True)
class Wider:
    """What a query would find without a part of it."""

    left: Left
    total: int
    facets: Facets


class Searcher(QObject):
    """Fills the model, page by page; a question that a newer one follows is broken off."""

    answered = Signal(object)  # Answer
    widened = Signal(object)  # Wider: for each facet that narrows the query
    failed = Signal(object)  # MemtrayError

    def __init__(self, client: WorkerClient, model: HitsModel, parent: QObject) -> None:
        super().__init__(parent)
        self._client, self._model = client, model
        self._query = Query()
        self._clock = QElapsedTimer()
        self._first: Call | None = None
        self._pages: dict[Call, int] = {}
        self._wider: dict[Call, Left] = {}
        self.pending = False

    def ask(self, query: Query) -> None:
        """Search anew; until the answer comes the model keeps what it shows."""
        self.stop()
        self._query, self.pending = query, True
        self._clock.start()
        try:
            self._first = self._ask(query, limit=PAGE)
        except BadRequestError as exc:  # longer than any address may be
            self._failed(exc)
            return
        self._first.done.connect(self._begun)
        self._first.failed.connect(self._failed)

    def stop(self) -> None:
        """Break off whatever is being asked."""
        self.pending = False
        for call in [*([self._first] if self._first else []), *self._pages, *self._wider]:
            call.abort()
        self._first = None
        self._pages.clear()
        self._wider.clear()

    def look_at(self, first: int, last: int) -> None:
        """Fetch the pages of the rows in view, and give up those that have left it."""
        if self.pending:
            return
        wanted = self._model.missing(first, last)
        for call, page in list(self._pages.items()):
            if page not in wanted:
                call.abort()
                del self._pages[call]
        for page in wanted:
            if page not in self._pages.values():
                call = self._ask(self._query, limit=PAGE, offset=page * PAGE)
                call.done.connect(self._came)
                call.failed.connect(self._failed)
                self._pages[call] = page

    def _ask(self, query: Query, *, limit: int, offset: int = 0) -> Call:
        params = query.params(limit=limit, offset=offset)
        return self._client.get("/api/search", params, SearchReply, seconds=_SECONDS)

    def _begun(self, reply: SearchReply) -> None:
        self._first, self.pending = None, False
        self._model.begin(reply.items, reply.total)
        self.answered.emit(Answer(self._query, reply, self._clock.elapsed()))
        self._ask_wider()

    def _ask_wider(self) -> None:
        """Ask what there is beyond the filters: for the facets, and for who finds nothing."""
        parts: list[Left] = list(self._query.groups)
        if not self._model.rowCount() and not self._query.is_empty:
            parts += [Beyond.FILTERS] * (len(parts) > 1) + [Beyond.WORDS]
        for left in parts:
            call = self._ask(self._query.wider(left), limit=1)
            call.done.connect(self._widened)
            call.failed.connect(self._not_widened)
            self._wider[call] = left

    def _came(self, reply: SearchReply) -> None:
        page = self._pages.pop(cast("Call", self.sender()))
        self._model.put(page, reply.items)

    def _widened(self, reply: SearchReply) -> None:
        left = self._wider.pop(cast("Call", self.sender()))
        self.widened.emit(Wider(left, reply.total, reply.facets))

    def _not_widened(self, _error: object) -> None:
        """A count less is shown; what is wrong, the search itself tells."""
        self._wider.pop(cast("Call", self.sender()), None)

    def _failed(self, error: object) -> None:
        self.stop()
        self.failed.emit(error)
