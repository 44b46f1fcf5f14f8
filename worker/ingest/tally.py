"""What an import came to so far, and whether anybody wants the rest."""

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from worker.ingest.redact import Report
from worker.shared.jobs import FailedLine
from worker.state.jobs import KeptJob
from worker.store.entering import Place

T = TypeVar("T")

SHOWN_FAILURES = 100


class CancelledError(Exception):
    """Nobody wants the rest."""


def _not_noted(_: Counter[str]) -> None:
    """Note nothing: what is watched is no job."""


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
    marks: frozenset[bytes] = frozenset()  # of what earlier runs of the same job have added
    places: frozenset[Place] = frozenset()  # and where that is
    noted: Callable[[Counter[str]], KeptJob | None] = _not_noted  # with what is about to be added

    @property
    def troubles(self) -> int:
        """How much of what was read did not get in, for whatever reason."""
        return self.failures + self.repaired + self.excluded + self.recorded

    def go_on(self) -> None:
        """Raise CancelledError once nobody wants the rest."""
        if self.cancelled.is_set():
            raise CancelledError

    def each(self, ones: Iterable[T]) -> Iterator[T]:
        """Give each; raise CancelledError once nobody wants the rest."""
        for one in ones:
            self.go_on()
            yield one
            del one  # it may be large, as may be the next

    def include(self, other: "Tally") -> None:
        """Count what other rows of the same import came to."""
        self.added += other.added
        self.known += other.known
        self.excluded += other.excluded
        self.report.found += other.report.found

    def fail(self, file: Path, line: int | None, why: str) -> None:
        """Count what could not be read, and keep the first of it."""
        self.failures += 1
        if len(self.failed) < SHOWN_FAILURES:
            self.failed.append(FailedLine(file=str(file), line=line, why=why))

    def forget_failures(self, *, but: Collection[Path]) -> None:
        """Forget what could not be read of files that are read again, as far as it was kept."""
        stay = {str(file) for file in but}
        kept = [failed for failed in self.failed if failed.file in stay]
        self.failures -= len(self.failed) - len(kept)
        self.failed = kept


@dataclass(frozen=True, slots=True)
class Read:
    """How a file was read to its end."""

    settled: bool  # nobody had written to it for a while
    clean: bool  # all of it got in, or was there
    told: int  # rows by which it is known again
    last: tuple[str, int]  # the table of the last of them and its time; "" where there is none
