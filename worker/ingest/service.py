"""Memories that come in and rows that go out; what comes in is answered once it is on the disk."""

import time
from collections.abc import Callable
from pathlib import Path

from worker.ingest.excludes import Gate
from worker.ingest.redact import Report, redact
from worker.shared.contract import SaveReply, SaveRequest
from worker.shared.errors import BadRequestError
from worker.shared.refs import Kind, Ref
from worker.shared.upkeep import ExportReply, ExportRequest
from worker.store.leaving import read_place
from worker.store.store import Store
from worker.store.writing import NewMemory, save

TITLE_CHARACTERS = 60  # of the text, where no title is given
EARLIEST = 1_735_689_600_000  # milliseconds, 2025-01-01: no clock that is right shows less

Clock = Callable[[], float]


class Ingest:
    """Writes what comes in. All raise NotWrittenError or RefusedError; nothing was written then."""

    def __init__(self, store: Store, state: Path, clock: Clock = time.time) -> None:
        """`state` is state.db; `clock` gives seconds since the epoch."""
        self._store = store
        self._state = state
        self._gate = Gate(state)
        self._clock = clock

    def save(self, request: SaveRequest) -> SaveReply:
        """Write a memory, or find that it is there already."""
        self._gate.need_running()
        self._gate.need_wanted(request.project)
        report = Report()
        memory = memory_of(request, report)
        with self._store.atomic() as connection:
            saved = save(connection, memory, now=self._now())
        ref = Ref(Kind.OBSERVATION, saved.id)
        return SaveReply(
            id=saved.id,
            ref=str(ref),
            title=memory.title,
            project=memory.project,
            type=memory.type,
            created_at_epoch=saved.created_at_epoch,
            saved=saved.new,
            message=f"Memory saved as observation {ref}"
            if saved.new
            else f"Nothing added: the same text is there already, as observation {ref}",
            notes=report.notes(),
        )

    def leave(self, request: ExportRequest) -> ExportReply:
        """Return the next rows to be kept elsewhere."""
        try:
            place = read_place(request.after) if request.after else None
        except ValueError as exc:
            raise BadRequestError(f"after: {exc}", field="after") from exc
        page = self._store.page(place, request.project)
        return ExportReply(
            rows=page.rows,
            left_out=page.left_out,
            next=None if page.next is None else str(page.next),
        )

    def _now(self) -> int:
        """Return the time in milliseconds; a clock without a battery starts in 1970."""
        return max(int(self._clock() * 1000), EARLIEST)


def memory_of(request: SaveRequest, report: Report) -> NewMemory:
    """Return what is to be written, without secrets; those are counted in `report`."""
    text = redact(request.text, report)
    cut = text[:TITLE_CHARACTERS].strip()
    more = "..." if len(text) > TITLE_CHARACTERS else ""
    return NewMemory(
        text=text,
        title=redact(request.title, report) or f"{cut}{more}",
        project=redact(request.project, report),
        type=request.type,
        concepts=tuple(redact(concept, report) for concept in request.concepts),
        files=tuple(redact(file, report) for file in request.files),
    )
