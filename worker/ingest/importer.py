"""One file into the memory database: conversations whole, several small ones in a transaction."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from worker.ingest.excludes import Gate
from worker.ingest.readers import reader_of, refusal, rows_in
from worker.ingest.redact import redact_all
from worker.ingest.row_importer import RowImporter
from worker.ingest.tally import Read, Tally
from worker.ingest.transcripts.lines import Line, Reading, read_lines
from worker.ingest.transcripts.memories import rows_of
from worker.ingest.transcripts.messages import messages
from worker.ingest.transcripts.project import Projects
from worker.ingest.transcripts.turns import Conversation, conversations
from worker.shared.portable import Row
from worker.state.imports import Additions, remember
from worker.state.projects import keep_names, known_names
from worker.state.trash import gone_among
from worker.store.arriving import Arrived, arrive, is_known_by
from worker.store.marks import mark_of
from worker.store.store import Store

SETTLED_SECONDS = 600.0  # without a change, after which a last turn counts as ended
_Rows = tuple[str, Sequence[Row]]  # of a conversation, and the name of its session
_TOGETHER_ROWS = 400  # that are stored in one transaction, unless one conversation has more
_TOGETHER_SECONDS = 0.25  # after which those that were read are stored


class Importer:
    """Stores what files tell; raises what the store and state.db raise."""

    def __init__(self, store: Store, state: Path, wake: Callable[[], None]) -> None:
        """`state` is state.db; `wake` is called when rows were written."""
        self._store = store
        self._state = state
        self._wake = wake
        self._gate = Gate(state)
        self._rows = RowImporter(store, state, self._gate, wake)
        self._projects: Projects | None = None

    def take_in(self, file: Path, tally: Tally, *, sidechains: bool = False) -> Read:
        """Import one file; what cannot be read of it is told in `tally`.

        Raises CancelledError soon after `tally.cancelled` was set.
        """
        reading, before = Reading(), tally.bytes_done
        troubles, settled = tally.troubles, False
        told: list[tuple[str, int]] = []
        waiting = _Waiting()
        try:
            settled = time.time() - file.stat().st_mtime > SETTLED_SECONDS
            if rows_of_it := rows_in(file):
                return self._rows.take_in(file, rows_of_it, tally)
            if file.suffix != ".jsonl" and (why := refusal(file)):
                tally.fail(file, None, why)
                tally.bytes_done += file.stat().st_size
                return Read(settled, clean=False, told=0, last=("", 0))
            for session, rows in self._told(file, tally, reading, settled, sidechains):
                tally.go_on()
                waiting.add(session, rows)
                if waiting.is_due():
                    self._store_all(tally, waiting.taken())
                    tally.bytes_done = before + reading.size
                told += [(row["table"], row["created_at_epoch"])
                         for row in rows if is_known_by(row)]  # fmt: skip
        except OSError as exc:
            tally.fail(file, None, exc.strerror or str(exc))
        self._store_all(tally, waiting.taken())
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
                told = list(tally.each(rows))
                wanted = self._gate.wanted(told, str(file))
                tally.excluded += len(wanted) < len(told)
                yield (told[0]["content_session_id"], told) if wanted else ("", ())
            return
        lines = _counted(tally, reading, tally.each(read_lines(file, reading)))
        for conversation in conversations(messages(lines), file.stem, sidechains=sidechains):
            conversation.project = self._project_of(conversation.cwd)
            admitted = self._admitted(file, tally, conversation)
            of_it = rows_of(admitted, file, settled=settled) if admitted else ()
            yield conversation.session, list(tally.each(of_it))

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

    def _store_all(self, tally: Tally, conversations: Sequence[_Rows]) -> None:
        """Store conversations in one transaction."""
        tally.go_on()
        if not conversations:
            return
        clean = [(session, [redact_all(row, tally.report) for row in tally.each(rows)])
                 for session, rows in conversations]  # fmt: skip
        gone = gone_among(self._state, [(row["table"], row) for _, rows in clean for row in rows])
        came = _Came()
        with self._store.atomic() as connection:
            for session, rows in clean:
                arrived = arrive(connection, rows, gone, go_on=tally.go_on)
                came.count(session, rows, arrived, tally.marks)
            if came.new:  # before the commit: what is stored can be undone
                remember(self._state, tally.job, Additions(came.new), tally.noted(came.added))
        tally.added.update(came.added)
        tally.known += came.known
        tally.recorded += came.recorded
        if came.new:
            self._wake()


@dataclass(slots=True)
class _Came:
    """What conversations of one transaction came to."""

    added: Counter[str] = field(default_factory=Counter)
    known: int = 0
    recorded: int = 0
    new: dict[str, frozenset[bytes]] = field(default_factory=dict)  # marks, by session

    def count(
        self, session: str, rows: Sequence[Row], arrived: Arrived, earlier: frozenset[bytes]
    ) -> None:
        """Count one conversation, but not what earlier runs of the job have added."""
        if not (arrived.marks and arrived.marks <= earlier):
            self.added.update(arrived.added)
        told = (mark_of(row["table"], row) for row in rows if is_known_by(row))
        ours = sum(mark in earlier and mark not in arrived.marks for mark in told)
        self.known += arrived.known - ours
        self.recorded += arrived.recorded
        if arrived.marks:
            self.new[session] = self.new.get(session, frozenset()) | arrived.marks


class _Waiting:
    """Conversations that were read and are to be stored together."""

    def __init__(self) -> None:
        self._conversations: list[_Rows] = []
        self._rows = 0
        self._since = 0.0

    def add(self, session: str, rows: Sequence[Row]) -> None:
        """Take one; without rows there is none."""
        if rows:
            self._since = self._since if self._conversations else time.monotonic()
            self._conversations.append((session, rows))
            self._rows += len(rows)

    def is_due(self) -> bool:
        """Say whether they have waited long enough, or are enough."""
        waited = time.monotonic() - self._since
        return bool(self._conversations) and (
            self._rows >= _TOGETHER_ROWS or waited >= _TOGETHER_SECONDS
        )

    def taken(self) -> list[_Rows]:
        """Return them; none wait any more."""
        conversations, self._conversations, self._rows = self._conversations, [], 0
        return conversations


def _counted(tally: Tally, reading: Reading, lines: Iterable[Line]) -> Iterator[Line]:
    before = tally.bytes_done
    for line in lines:
        tally.bytes_done = before + reading.size
        yield line
        del line  # before the next is read
