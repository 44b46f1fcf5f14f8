"""Memories that come in and rows that go out; what comes in is answered once it is on the disk."""

import time
from collections.abc import Callable

from worker.shared.contract import (
    ExportReply,
    ExportRequest,
    ImportReply,
    ImportRequest,
    SaveReply,
    SaveRequest,
)
from worker.shared.errors import BadRequestError
from worker.shared.refs import Kind, Ref
from worker.store.entering import enter
from worker.store.leaving import read_place
from worker.store.store import Store
from worker.store.writing import NewMemory, save

TITLE_CHARACTERS = 60  # of the text, where no title is given
EARLIEST = 1_735_689_600_000  # milliseconds, 2025-01-01: no clock that is right shows less

Clock = Callable[[], float]


class Ingest:
    """Writes what comes in. All raise NotWrittenError or RefusedError; nothing was written then."""

    def __init__(self, store: Store, clock: Clock = time.time) -> None:
        """`clock` gives seconds since the epoch."""
        self._store = store
        self._clock = clock

    def save(self, request: SaveRequest) -> SaveReply:
        """Write a memory, or find that it is there already."""
        memory = memory_of(request)
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

    def enter(self, request: ImportRequest) -> ImportReply:
        """Write those of the rows that are not there yet, all or none."""
        with self._store.atomic() as connection:
            entered = enter(connection, request.rows)
        return ImportReply(added=entered.added, known=entered.known)

    def _now(self) -> int:
        """Return the time in milliseconds; a clock without a battery starts in 1970."""
        return max(int(self._clock() * 1000), EARLIEST)


def memory_of(request: SaveRequest) -> NewMemory:
    """Return what is to be written: every text of it passes here, and nowhere else."""
    cut = request.text[:TITLE_CHARACTERS].strip()
    more = "..." if len(request.text) > TITLE_CHARACTERS else ""
    return NewMemory(
        text=request.text,
        title=request.title or f"{cut}{more}",
        project=request.project,
        type=request.type,
        concepts=request.concepts,
        files=request.files,
    )
