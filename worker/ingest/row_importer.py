"""One file of rows into the memory database: checked whole first, then a part in a transaction."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from worker.ingest.excludes import Gate
from worker.ingest.export_file import BadFileError, chunks
from worker.ingest.readers import Export, Walk
from worker.ingest.redact import Report, redact_all
from worker.ingest.tally import Read, Tally
from worker.ingest.transcripts.lines import Reading
from worker.shared.portable import Row
from worker.state.imports import Additions, remember
from worker.state.trash import gone_among, has_gone
from worker.store.arriving import is_known_by
from worker.store.entering import enter
from worker.store.marks import mark_of
from worker.store.removing import marked
from worker.store.store import Store
from worker.store.writing import PROMPTS, SESSIONS, SUMMARIES

_QUOTED = (PROMPTS, SUMMARIES)  # whose words a session may repeat


class RowImporter:
    """Stores the rows of exports; raises what the store and state.db raise."""

    def __init__(self, store: Store, state: Path, gate: Gate, wake: Callable[[], None]) -> None:
        """`state` is state.db; `wake` is called when rows were written."""
        self._store = store
        self._state = state
        self._gate = gate
        self._wake = wake

    def take_in(self, file: Path, export: Export, tally: Tally) -> Read:
        """Import one file; of one that is not whole nothing, and `tally` tells why.

        Raises CancelledError soon after `tally.cancelled` was set.
        """
        before, size = tally.bytes_done, file.stat().st_size
        troubles, told, last = tally.troubles, 0, ("", 0)
        sieve = _Sieve(self._gate, file)

        def parts(walk: Walk, done: int) -> Iterator[list[Row]]:
            reading = Reading()

            def go_on() -> None:
                tally.go_on()
                tally.bytes_done = before + (done + reading.size) // 2

            yield from chunks(walk(reading, go_on))

        try:
            for rows in parts(export.check, 0):
                sieve.listen(self._gone(rows))
            for rows in parts(export.rows, size):
                told += self._store_rows(tally, sieve.wanted(rows, tally))
                last = next(((row["table"], row["created_at_epoch"])
                             for row in reversed(rows) if _is_dated(row)), last)  # fmt: skip
        except BadFileError as exc:
            tally.fail(file, exc.line, f"{exc.why}; nothing was imported")
        tally.bytes_done = before + size
        return Read(settled=True, clean=tally.troubles == troubles, told=told, last=last)

    def store(self, rows: Sequence[Row], tally: Tally) -> None:
        """Store rows that came without a file, all or none; those that are excluded stay out."""
        wanted = self._gate.wanted(rows)
        tally.excluded += len(rows) - len(wanted)
        self._store_rows(tally, wanted)

    def _gone(self, rows: Sequence[Row]) -> list[Row]:
        """Return those whose words a session may repeat and which were let go."""
        if not has_gone(self._state):
            return []
        quoted = [redact_all(row, Report()) for row in rows if row["table"] in _QUOTED]
        gone = gone_among(self._state, [(row["table"], row) for row in quoted])
        return [row for row in quoted if mark_of(row["table"], row) in gone]

    def _store_rows(self, tally: Tally, rows: Sequence[Row]) -> int:
        """Store those that are not there yet; return how many are there then."""
        clean = [redact_all(row, tally.report) for row in tally.each(rows)]
        gone = gone_among(self._state, [(row["table"], row) for row in clean])
        kept = [row for row in clean if mark_of(row["table"], row) not in gone]
        with self._store.atomic() as connection:
            entered = enter(connection, tally.each(kept))
            again = Counter(table for table, id_ in entered.new if (table, id_) in tally.places)
            added = Counter(entered.added) - again
            if entered.new:  # before the commit: what is stored can be undone
                places = marked(connection, entered.new)
                remember(self._state, tally.job, Additions(places=places), tally.noted(added))
        tally.added.update(added)
        tally.known += sum(place not in tally.places for place in entered.there)
        if entered.new:
            self._wake()
        return len(kept)


class _Sieve:
    """Knows of one file what stays out, and which sessions must not repeat what was let go."""

    def __init__(self, gate: Gate, file: Path) -> None:
        self._gate = gate
        self._file = file
        self._silent: set[str] = set()  # sessions by their names
        self._barred: set[str] = set()

    def listen(self, gone: Iterable[Row]) -> None:
        """Learn, before anything is stored, of what rows were let go."""
        for row in gone:
            self._silent |= _sessions(row)

    def wanted(self, rows: Sequence[Row], tally: Tally) -> list[Row]:
        """Return those that are to be stored; who says nothing of a project has its session's."""
        admitted = {id(row) for row in self._gate.wanted(rows, str(self._file))}
        return [self._silenced(row) for row in rows if self._passes(row, admitted, tally)]

    def _passes(self, row: Row, admitted: set[int], tally: Tally) -> bool:
        is_barred = bool(self._barred & _sessions(row))
        if id(row) in admitted and (row.get("project") or not is_barred):
            return True
        tally.excluded += not is_barred
        self._barred |= _sessions(row)
        return False

    def _silenced(self, row: Row) -> Row:
        if row["table"] != SESSIONS or not self._silent & _sessions(row):
            return row
        return row | {"user_prompt": None, "custom_title": None}


def _sessions(row: Row) -> set[str]:
    names = (row.get("memory_session_id"), row.get("content_session_id"))
    return {name for name in names if name}


def _is_dated(row: Row) -> bool:
    return is_known_by(row) and isinstance(row.get("created_at_epoch"), int)
