"""The parts that sync connects, as one run of the worker has them, and how to wait for them."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.index.fakes import FakeEmbedder
from worker.index.analyze import terms
from worker.index.fingerprint import embedded_text, text_fingerprint
from worker.index.kept import KeptVectors
from worker.index.keys import to_key, to_ref
from worker.index.keyword import IndexDamagedError, KeywordIndex
from worker.index.sync import Intervals, Sync
from worker.index.vectors import VectorIndex
from worker.shared.readiness import PartReport
from worker.shared.refs import Kind, Ref
from worker.store.store import Store

QUICK = Intervals(poll=0.05, retry=0.05)
PATIENCE = 20.0  # seconds; a machine may be busy


def until(condition: Callable[[], bool], *, seconds: float = PATIENCE) -> None:
    """Wait until the condition holds; fail when it takes too long."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        pause.wait(0.01)


@dataclass
class Worker:
    """The parts that sync connects, as one run of the worker has them."""

    folder: Path
    embedder: FakeEmbedder = field(default_factory=FakeEmbedder)
    intervals: Intervals = QUICK

    def __post_init__(self) -> None:
        self.store = Store(self.folder / "claude-mem.db")
        self.store.open()
        self.keyword = KeywordIndex(self.folder / "index" / "keyword.db")
        self.kept = KeptVectors(
            self.folder / "index" / "vectors.db",
            model=self.embedder.name,
            dimension=self.embedder.dimension,
        )
        self.vectors = VectorIndex(self.kept, None)
        self.sync = Sync(
            self.store,
            self.keyword,
            self.vectors,
            self.embedder,
            self.intervals,
            look_ahead=self.look_ahead,
        )

    def look_ahead(self) -> None:
        """Do what the first search would else wait for; an index alone has nothing of it."""

    def stop(self) -> None:
        self.sync.stop()
        self.kept.close()
        self.keyword.close()
        self.store.close()

    def report(self, part: str) -> PartReport:
        return next(report for report in self.sync.reports() if report.part == part)

    def found(self, word: str) -> set[str]:
        """Return the living records that hold a word."""
        lines = self.keyword.catalog.snapshot
        (term,), _ = terms(word)
        ordinals = self.keyword.postings(term).ordinals
        known = ordinals[ordinals < lines.size]
        return {str(to_ref(key)) for key in lines.keys[known[lines.alive[known]]].tolist()}

    def words_are_in_step(self) -> bool:
        refs = self._refs()
        prints, records = self.store.prints(refs), self.store.records(refs)
        wanted = {
            to_key(ref): prints[ref] + text_fingerprint(embedded_text(each))
            for ref, each in records.items()
        }
        try:
            indexed = self.keyword.fingerprints() == wanted
        except IndexDamagedError:
            return False
        return indexed and self.keyword.catalog.snapshot.rows == len(wanted)

    def is_in_step(self) -> bool:
        """Say whether both indexes hold exactly what the store holds."""
        if len(self.kept) != sum(self.store.counts().values()):
            return False  # quickly: the background thread needs the time
        records = self.store.records(self._refs())
        wanted = {
            to_key(ref): text_fingerprint(embedded_text(each)) for ref, each in records.items()
        }
        return self.kept.fingerprints() == wanted and self.words_are_in_step()

    def _refs(self) -> list[Ref]:
        return [Ref(kind, id_) for kind in Kind for id_ in self.store.ids(kind)]


Start = Callable[..., Worker]  # takes what the dataclass takes
