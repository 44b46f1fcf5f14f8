"""The memory database: claude-mem's own file, read as it is; the one door to it for the worker."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from worker.shared.errors import NotWrittenError, StoreUnavailableError
from worker.shared.refs import Kind, Ref
from worker.store import (
    compacting,
    leaving,
    listing,
    literal,
    reading,
    removing,
    soundness,
    stats,
    timeline,
)
from worker.store.connection import (
    Connections,
    explained,
    identity,
    is_damaged,
    transaction,
)
from worker.store.filters import Filters
from worker.store.layout import Source, View, read_sources
from worker.store.records import Head, Record
from worker.store.schema import ensure_database
from worker.store.torn import keep_torn_log
from worker.store.turns import Turns
from worker.store.values import register


class Store:
    """The records of one database file; every method may be called from any thread.

    All of them raise StoreUnavailableError, with path and remedy, when the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connections = Connections(path, self._prepare)
        self._turns = Turns(path)
        self._layouts: dict[int, dict[Kind, Source]] = {}  # by PRAGMA schema_version
        self.is_suspect = False  # SQLite called it damaged since `damage` was asked last
        self.known_damage = ""  # what `damage` found last
        self.torn_log = ""  # what was lost before `open`, and where it is kept

    def open(self, *, create: bool = True) -> None:
        """Check that the file can be read; make it where there is none, or one without tables.

        Without `create` nothing is made: where there is no file, that is an error.
        """
        try:
            with self._explained():
                self.torn_log = keep_torn_log(self.path) or self.torn_log
                if create:
                    ensure_database(self.path)
        except OSError as exc:
            raise StoreUnavailableError(f"{self.path}: {exc.strerror}; check its folder") from exc
        self._connections.open()
        try:
            with self._view() as view:
                self._check(view)
        except StoreUnavailableError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connections of all threads."""
        self._connections.close()

    def read(self) -> sqlite3.Connection:
        """Return this thread's own connection, which cannot write."""
        with self._explained():
            return self._connections.get(query_only=True)

    @contextmanager
    def atomic(self) -> Iterator[sqlite3.Connection]:
        """Give a connection in BEGIN IMMEDIATE: all of the block is stored, or nothing.

        Raises NotWrittenError, with path and remedy, or RefusedError for a row.
        """
        with (
            self._turns.take(),
            self._explained(NotWrittenError),
            transaction(self._connections.get(query_only=False)) as writer,
        ):
            yield writer

    def page(self, place: leaving.Place | None, project: str | None) -> leaving.Page:
        """Return the rows that leave next, as leaving.page says."""
        with self._view() as view:
            return leaving.page(view, place, project)

    def data_version(self) -> int:
        """Return a number that changes, in this thread, when anybody has changed the file."""
        with self._explained():
            (version,) = self.read().execute("PRAGMA data_version").fetchone()
            return hash((identity(self.path), int(version)))

    def damage(self, stopping: threading.Event) -> str:
        """Look at every page of the memories and return what is wrong; slow, ends when stopping.

        Raises StoreUnavailableError where that cannot be done just now.
        """
        self.is_suspect = False
        try:
            with self._view() as view:
                found = soundness.damage(view, stopping)
        except StoreUnavailableError as exc:
            if not self.is_suspect:
                raise
            self.is_suspect = False  # that is known now
            found = exc.detail
        self.known_damage = found
        return found

    def compact(self) -> None:
        """Give unused room back to the disk, as compacting.compact says; slow."""
        with self._turns.take(), self._explained(NotWrittenError):
            compacting.compact(self.path)

    def missing(self) -> list[str]:
        """Return the tables and columns that claude-mem's databases have and this one has not."""
        with self._view() as view:
            return soundness.missing(view)

    def counts(self) -> dict[Kind, int]:
        """Return the number of records of each kind."""
        with self._view() as view:
            return stats.counts(view)

    def id_range(self, kind: Kind) -> tuple[int, int] | None:
        """Return the lowest and the highest id, None where there is no record of this kind."""
        with self._view() as view:
            return reading.id_range(view, kind)

    def ids(self, kind: Kind) -> list[int]:
        """Return all ids, the highest first."""
        with self._view() as view:
            return reading.ids(view, kind)

    def latest_summaries(self, count: int) -> list[int]:
        """Return the ids of the session summaries that tell of the latest times."""
        with self._view() as view:
            return reading.latest_summaries(view, count)

    def refs_of(self, project: str) -> list[Ref]:
        """Return all records of a project."""
        with self._view() as view:
            return removing.refs_of(view, project)

    def heads(self, refs: Sequence[Ref]) -> dict[Ref, Head]:
        """Return the heads of those records that exist."""
        with self._view() as view:
            return reading.heads(view, refs)

    def records(self, refs: Sequence[Ref]) -> dict[Ref, Record]:
        """Return those records that exist, whole."""
        with self._view() as view:
            return reading.records(view, refs)

    def prints(self, refs: Sequence[Ref]) -> dict[Ref, bytes]:
        """Return 8 bytes for each of those records that exist; an edit changes them."""
        with self._view() as view:
            return reading.prints(view, refs)

    def sources(self, kind: Kind, ids: Sequence[int]) -> list[str]:
        """Return for each record the program of its session, such as claude or codex."""
        with self._view() as view:
            return reading.sources(view, kind, ids)

    def select(
        self, filters: Filters, *, ascending: bool, limit: int, offset: int = 0
    ) -> list[Head]:
        """Return what passes, in time order (epoch, kind O S P, id) or its exact reverse."""
        with self._view() as view:
            places = listing.select(view, filters, ascending=ascending, limit=limit, offset=offset)
            return reading.ordered_heads(view, places)

    def count(self, filters: Filters) -> int:
        """Return how many records pass."""
        with self._view() as view:
            return listing.count(view, filters)

    def find_literal(
        self, words: Sequence[str], filters: Filters, *, limit: int, seconds: float
    ) -> list[Head]:
        """Return the newest records that hold every word, found within the time allowed.

        Words are parts of the content, in any column; a-z equals A-Z, as in LIKE.
        """
        with self._view() as view:
            places = literal.find_literal(view, words, filters, limit=limit, seconds=seconds)
            return reading.ordered_heads(view, places)

    def window(self, anchor: Ref, *, before: int, after: int, project: str | None) -> list[Head]:
        """Return the anchor among its neighbours, as timeline.window says; or NotFoundError."""
        with self._view() as view:
            return timeline.window(view, anchor, before=before, after=after, project=project)

    def projects(self) -> list[tuple[str, int]]:
        """Return each project and its number of records, most first."""
        with self._view() as view:
            return stats.projects(view)

    def project_names(self) -> list[str]:
        """Return the names of the projects, that of most records first."""
        return [name for name, _ in self.projects()]

    def stats(self) -> stats.Stats:
        """Return all counts."""
        with self._view() as view:
            return stats.stats(view)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        register(connection)
        self._layouts.clear()  # it may be another file than before

    def _check(self, view: View) -> None:
        if Kind.OBSERVATION not in view.sources:
            raise StoreUnavailableError(
                f"{self.path} holds no observations: it is no claude-mem database; "
                "move it aside, or choose another data folder"
            )

    @contextmanager
    def _view(self) -> Iterator[View]:
        """Read with this thread's connection, by the columns that the file has right now."""
        with self._explained():
            connection = self._connections.get(query_only=True)
            (version,) = connection.execute("PRAGMA schema_version").fetchone()
            layout = self._layouts.get(version)
            if layout is None:
                layout = self._layouts[version] = read_sources(connection)
            yield View(connection, layout)

    @contextmanager
    def _explained(
        self, error: type[StoreUnavailableError] = StoreUnavailableError
    ) -> Iterator[None]:
        """Explain what SQLite says, and remember that it spoke of damage."""
        try:
            with explained(self.path, error):
                yield
        except StoreUnavailableError as exc:
            self.is_suspect |= is_damaged(exc.__cause__)
            raise
