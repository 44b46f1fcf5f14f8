"""Memories let go: out of the database and every index, kept aside for 30 days, or not at all."""

import logging
import time
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from worker.backup.service import Backups
from worker.ingest.traces import Traces
from worker.shared.contract import SearchReply, SearchRequest
from worker.shared.errors import MemtrayError, NotFoundError, NothingToUndoError
from worker.shared.local_time import local_iso
from worker.shared.refs import Ref, parse_ref
from worker.shared.trash_contract import (
    Deleted,
    DeleteReply,
    DeleteRequest,
    TrashReply,
    UndoReply,
    UndoRequest,
)
from worker.state import trash
from worker.state.trash import Batch
from worker.store.layout import TABLES
from worker.store.quoting import blank, quotes_of, say_again
from worker.store.removing import (
    Raw,
    empty_sessions,
    put_back,
    remove,
    rows_of,
    summaries_telling_of,
)
from worker.store.store import Store
from worker.store.writing import SESSIONS

_PROOF_SECONDS = 5.0  # that the indexes are waited for, until something is gone
_BACK_SECONDS = 2.0  # and until it is back
_POLL_SECONDS = 0.05
_PROVED = 20  # records that are looked for by their titles
_DAY_MS = 86_400_000

log = logging.getLogger(__name__)


class Trash:
    """Lets memories go and puts them back; raises StoreUnavailableError and its kinds."""

    def __init__(
        self,
        store: Store,
        state: Path,
        *,
        wake: Callable[[], None],
        search: Callable[[SearchRequest], SearchReply],
        traces: Traces,
        backups: Backups,
    ) -> None:
        """`wake` tells the indexes of a change, `search` proves it; `state` is state.db."""
        self._store = store
        self._state = state
        self._wake = wake
        self._search = search
        self._traces = traces
        self._backups = backups

    def start(self) -> None:
        """Forget what was kept for long enough; what stands in the way is logged."""
        try:
            self._forget_old()
        except MemtrayError as exc:
            log.warning("old deletions are not forgotten: %s", exc.detail)

    def delete(self, request: DeleteRequest) -> DeleteReply:
        """Let records go; raise NotFoundError where there is none of them."""
        self._forget_old()
        refs = list(request.ids) or self._store.refs_of(request.project or "")
        rows = rows_of(self._store.read(), refs)
        there = {_ref_of(table, row) for table, row in rows}
        summaries = [
            (table, row)
            for table, row in summaries_telling_of(self._store.read(), rows)
            if _ref_of(table, row) not in there
        ]
        rows += summaries
        titles = {ref: head.title for ref, head in self._store.heads(refs[:_PROVED]).items()}
        if not rows:
            raise NotFoundError(self._nothing(request))
        batch = Batch(uuid.uuid4().hex[:12], int(time.time() * 1000), _label(request, refs), 0)
        taken = self._take(rows, batch, request)
        self._wake()
        left = self._left([*refs, *(_ref_of(*each) for each in summaries)], titles)
        return DeleteReply(
            batch=None if request.now else batch.id,
            deleted=dict(Counter(table for table, _ in taken)),
            summaries=len(summaries),
            not_found=[str(ref) for ref in request.ids if ref not in there],
            left=left,
            until=None if request.now else _until(batch.at),
            notes=[*self._traces.remove(), *self._kept_elsewhere()] if request.now else [],
        )

    def undo(self, request: UndoRequest) -> UndoReply:
        """Put a batch back, the latest unless another is named; raise NotFoundError."""
        kept = trash.batches(self._state)
        batch = request.batch or (kept[0].id if kept else "")
        rows = trash.rows_in(self._state, batch)
        if not rows:
            if not batch:
                raise NothingToUndoError("there is no deletion that can be undone")
            raise NothingToUndoError(
                f"the deletion {batch} cannot be undone any more: it was undone already, a backup "
                "was put back, or its 30 days are over"
            )
        with self._store.atomic() as connection:
            restored = put_back(connection, rows)
            say_again(connection, rows)
        trash.take_back(self._state, batch)
        self._wake()
        self._wait_until_back([_ref_of(table, row) for table, row in rows if table != SESSIONS])
        return UndoReply(batch=batch, restored=restored)

    def trash(self) -> TrashReply:
        """Return what can be put back."""
        self._forget_old()
        return TrashReply(
            batches=[
                Deleted(
                    batch=batch.id,
                    label=batch.label,
                    rows=batch.rows,
                    deleted_at=local_iso(batch.at),
                    until=_until(batch.at),
                )
                for batch in trash.batches(self._state)
            ]
        )

    def _take(
        self, rows: list[tuple[str, Raw]], batch: Batch, request: DeleteRequest
    ) -> list[tuple[str, Raw]]:
        """Remove the rows; what is to be undone is kept before anything is gone."""
        taken = rows
        trash.throw_away(self._state, batch, rows, for_good=request.now)
        try:
            with self._store.atomic() as connection:
                connection.execute("PRAGMA secure_delete = ON")
                remove(connection, rows)
                if request.project:
                    sessions = empty_sessions(connection, rows)
                    trash.throw_away(self._state, batch, sessions, for_good=request.now)
                    remove(connection, sessions)
                    taken = [*rows, *sessions]
                quotes = quotes_of(connection, rows)
                trash.throw_away(self._state, batch, quotes, for_good=request.now)
                blank(connection, quotes)
        except MemtrayError:
            trash.take_back(self._state, batch.id)
            raise
        return taken

    def _left(self, refs: Sequence[Ref], titles: dict[Ref, str]) -> int:
        """Return how many are still there or still found by their titles, once indexes had time."""
        deadline = time.monotonic() + _PROOF_SECONDS
        while True:
            left = set(self._store.heads(refs)) | (self._found(titles) & set(refs))
            if not left or time.monotonic() > deadline:
                return len(left)
            time.sleep(_POLL_SECONDS)

    def _wait_until_back(self, refs: Sequence[Ref]) -> None:
        """Give the indexes time to have records again, so that who asks next finds them."""
        titles = {ref: head.title for ref, head in self._store.heads(refs[:_PROVED]).items()}
        deadline = time.monotonic() + _BACK_SECONDS
        while not titles.keys() <= self._found(titles) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)

    def _found(self, titles: Mapping[Ref, str]) -> set[Ref]:
        """Return those records that a search for their titles finds."""
        found: set[Ref] = set()
        for title in titles.values():
            reply = self._search(SearchRequest(query=title, limit=100, format="json"))
            found |= {parse_ref(item.ref) for item in reply.items}
        return found & titles.keys()

    def _kept_elsewhere(self) -> list[str]:
        """Say where what was deleted for good may be found still."""
        if not (names := self._backups.names()):
            return []
        return [
            f"Backups made before may hold it still: {len(names)}; "
            "memtray-worker backup --list names them"
        ]

    def _forget_old(self) -> None:
        before = int(time.time() * 1000) - trash.KEPT_DAYS * _DAY_MS
        if trash.forget(self._state, before=before):
            self._traces.remove()

    def _nothing(self, request: DeleteRequest) -> str:
        if request.project:
            return (
                f"there are no memories of project {request.project}; GET /api/projects names all"
            )
        return f"there is none of {', '.join(map(str, request.ids[:10]))}; nothing was deleted"


def _label(request: DeleteRequest, refs: Sequence[Ref]) -> str:
    more = f" and {len(refs) - 3} more" if len(refs) > 3 else ""
    return request.project or ", ".join(map(str, refs[:3])) + more


def _ref_of(table: str, row: Raw) -> Ref:
    return Ref(next(kind for kind, name in TABLES.items() if name == table), row["id"])


def _until(at: int) -> str:
    return local_iso(at + trash.KEPT_DAYS * _DAY_MS)
