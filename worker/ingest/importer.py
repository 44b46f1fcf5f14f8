"""One file of transcripts into the memory database, a conversation in a transaction."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from worker.ingest.excludes import Gate
from worker.ingest.readers import holds_rows, reader_of
from worker.ingest.redact import Report, redact_all
from worker.ingest.transcripts.lines import Line, Reading, read_lines
from worker.ingest.transcripts.memories import rows_of
from worker.ingest.transcripts.messages import messages
from worker.ingest.transcripts.project import Projects
from worker.ingest.transcripts.turns import Conversation, conversations
from worker.shared.jobs import FailedLine
from worker.shared.portable import Row
from worker.state.imports import remember
from worker.state.projects import keep_names, known_names
from worker.state.trash import gone_among
from worker.store.arriving import arrive, is_known_by
from worker.store.store import Store

T = TypeVar("T")

SHOWN_FAILURES = 100
SETTLED_SECONDS = 600.0  # without a change, after which a last turn counts as ended

_ROWS = "it is an export of memories, which this command takes in: memtray-worker import FILE"


class CancelledError(Exception):
    """Nobody wants the rest."""


@dataclass(slots=True)
class Tally:
    """What an import came to so far."""

    job: str
    bytes_done: int = 0
    added: Counter[str] = field(default_factory=Counter)
    known: int = 0
    recorded: int = 0
    excluded: int = 0
    empty: int = 0
    repaired: int = 0
    report: Report = field(default_factory=Report)
    failed: list[FailedLine] = field(default_factory=list)
    failures: int = 0
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def troubles(self) -> int:
        """How much of what was read did not get in, for whatever reason."""
        return self.failures + self.repaired + self.excluded + self.recorded

    def go_on(self) -> None:
        """Raise CancelledError once nobody wants the rest."""
        if self.cancelled.is_set():
            raise CancelledError

    def fail(self, file: Path, line: int | None, why: str) -> None:
        """Count what could not be read, and keep the first of it."""
        self.failures += 1
        if len(self.failed) < SHOWN_FAILURES:
            self.failed.append(FailedLine(file=str(file), line=line, why=why))


@dataclass(frozen=True, slots=True)
class Read:
    """How a file was read to its end."""

    settled: bool  # nobody had written to it for a while
    clean: bool  # all of it got in, or was there
    told: int  # rows by which it is known again
    last: tuple[str, int]  # the table of the last of them and its time; "" where there is none


class Importer:
    """Stores what files tell; raises what the store and state.db raise."""

    def __init__(self, store: Store, state: Path, wake: Callable[[], None]) -> None:
        """`state` is state.db; `wake` is called when rows were written."""
        self._store = store
        self._state = state
        self._wake = wake
        self._gate = Gate(state)
        self._projects: Projects | None = None

    def take_in(self, file: Path, tally: Tally, *, sidechains: bool = False) -> Read:
        """Import one file; what cannot be read of it is told in `tally`.

        Raises CancelledError soon after `tally.cancelled` was set.
        """
        reading, before = Reading(), tally.bytes_done
        troubles, settled = tally.troubles, False
        told: list[tuple[str, int]] = []
        try:
            settled = time.time() - file.stat().st_mtime > SETTLED_SECONDS
            for session, rows in self._told(file, tally, reading, settled, sidechains):
                self._store_rows(tally, session, rows)
                tally.bytes_done = before + reading.size
                told += [(row["table"], row["created_at_epoch"])
                         for row in rows if is_known_by(row)]  # fmt: skip
        except OSError as exc:
            tally.fail(file, None, exc.strerror or str(exc))
        for line, why in reading.failed:
            tally.fail(file, line, why)
        tally.repaired += reading.repaired
        tally.empty += reading.empty
        tally.bytes_done = before + reading.size
        clean = tally.troubles == troubles
        return Read(settled, clean, len(told), told[-1] if told else ("", 0))

    def _told(
        self, file: Path, tally: Tally, reading: Reading, settled: bool, sidechains: bool
    ) -> Iterator[tuple[str, Sequence[Row]]]:
        """Give the rows of each conversation of a file, with the name of its session."""
        if reader := reader_of(file):
            for rows in reader(file, reading, partial(self._admitted, file, tally)):
                told = list(_going_on(tally, rows))
                wanted = self._gate.wanted(told, str(file))
                tally.excluded += len(wanted) < len(told)
                yield (told[0]["content_session_id"], told) if wanted else ("", ())
            return
        if holds_rows(file):
            tally.fail(file, None, _ROWS)
            return
        lines = _counted(tally, reading, _going_on(tally, read_lines(file, reading)))
        for conversation in conversations(messages(lines), file.stem, sidechains=sidechains):
            conversation.project = self._project_of(conversation.cwd)
            admitted = self._admitted(file, tally, conversation)
            of_it = rows_of(admitted, file, settled=settled) if admitted else ()
            yield conversation.session, list(_going_on(tally, of_it))

    def _admitted(
        self, file: Path, tally: Tally, conversation: Conversation
    ) -> Conversation | None:
        admitted = self._gate.admitted(conversation, file)
        tally.excluded += admitted is None
        return admitted

    def _project_of(self, cwd: str) -> str:
        self._projects = self._projects or Projects(known_names(self._state))
        name = self._projects.name_of(cwd)
        keep_names(self._state, self._projects.new)
        self._projects.new.clear()
        return name

    def _store_rows(self, tally: Tally, session: str, rows: Sequence[Row]) -> None:
        tally.go_on()
        if not rows:
            return
        clean = [redact_all(row, tally.report) for row in _going_on(tally, rows)]
        gone = gone_among(self._state, [(row["table"], row) for row in clean])
        with self._store.atomic() as connection:
            arrived = arrive(connection, clean, gone, go_on=tally.go_on)
            if arrived.marks:  # before the commit: what is stored can be undone
                remember(self._state, tally.job, session, arrived.marks)
        tally.added.update(arrived.added)
        tally.known += arrived.known
        tally.recorded += arrived.recorded
        if arrived.added:
            self._wake()


def _going_on(tally: Tally, each: Iterable[T]) -> Iterator[T]:
    for one in each:
        tally.go_on()
        yield one


def _counted(tally: Tally, reading: Reading, lines: Iterable[Line]) -> Iterator[Line]:
    before = tally.bytes_done
    for line in lines:
        tally.bytes_done = before + reading.size
        yield line
