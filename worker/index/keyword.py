"""The keyword index: FTS5 tables over analysed text, in an SQLite file of its own."""

import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from worker.index.analyze import MIN_PIECE, is_stop_word
from worker.index.aside import is_damage
from worker.index.catalog import Catalog, Line, Ordinals, Snapshot
from worker.index.gate import Gate
from worker.index.keys import CODE, to_key
from worker.index.keyword_rows import (
    COLUMNS,
    SCHEMA,
    TABLES,
    VERSION,
    Row,
    delete,
    insert,
    slashed,
)
from worker.index.postings import (
    COLUMN_BITS,
    LINE_BITS,
    MOST_OFFSET,
    Places,
    Postings,
    PostingsCache,
    columns_of,
    lines_of,
    place,
    postings_of,
)
from worker.shared.errors import MemtrayError
from worker.shared.paths import remove
from worker.shared.refs import Kind
from worker.store.records import Record

MOST_LINES = 2  # for each that is alive, dead ones among them, before the index is built anew
MOST_PLACES = 100_000  # of a stop word that are kept: where it is everywhere, it tells nothing
FEW = 1_000  # lines, of which any number may be dead

log = logging.getLogger(__name__)
T = TypeVar("T", np.int64, np.float32)


class IndexDamagedError(MemtrayError):
    title = "The keyword index is damaged"
    code = "keyword_index_damaged"
    status = 503


class IndexNotWrittenError(MemtrayError):
    """What is indexed stays; what is new waits."""

    title = "The keyword index cannot be written"
    code = "keyword_index_not_written"
    status = 503


class KeywordIndex:
    """Reads from any thread, each with a connection of its own; one thread writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._generation = 0
        self._gate = Gate()
        self.catalog = Catalog()
        self._postings = PostingsCache(self._read_postings)

    # ------------------------------------------------------------------ life
    def open(self) -> bool:
        """Open or create the index; return True when it had to be begun anew."""
        fresh = not self.path.exists()
        if not fresh and (fault := self.fault() or self._load()):
            log.warning("%s: %s; it is built anew", self.path, fault)
            self.destroy()
            fresh = True
        if fresh:
            self._create()
            self._load()
        return fresh

    def _load(self) -> str:
        """Read the catalog; return what is wrong with it, "" for nothing."""
        ends = [f"SELECT max(id) AS line FROM {table}_docsize" for table in TABLES.values()]
        try:
            ((count, highest),) = self._read("SELECT count(*), max(line) FROM docs")
            ((last,),) = self._read(f"SELECT max(line) FROM ({' UNION ALL '.join(ends)})")
            size = 0 if last is None else last + 1
            if size > MOST_LINES * count + FEW:
                return "most of it is of records that are gone"
            if count and highest >= size:
                return "it is damaged (records are listed that it does not hold)"
            with self._reading(
                "SELECT line, key, project, merged, type, epoch, length FROM docs ORDER BY line"
            ) as listed:
                self.catalog.replace_all(((at, Line(*line)) for at, *line in listed), size=size)
        except IndexDamagedError as exc:
            return exc.detail
        self._postings.clear()  # after that: what was read meanwhile names the lines of before
        return ""

    def close(self) -> None:
        """Close every thread's connection; no thread may be reading."""
        with self._lock:
            for connection in self._open:
                connection.close()
            self._open.clear()
            self._generation += 1

    def _create(self) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # its -wal and -shm take the mode over
            with closing(self._connect()) as db:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("BEGIN")
                for statement in SCHEMA:
                    db.execute(statement)
                db.execute("INSERT INTO meta VALUES ('version', ?)", (VERSION,))
                db.execute("COMMIT")
        except (sqlite3.Error, OSError) as exc:
            self.destroy()  # half a file would pass for a damaged one
            raise self._not_written(exc) from exc

    def _not_written(self, exc: Exception) -> IndexNotWrittenError:
        return IndexNotWrittenError(
            f"{self.path} cannot be written: {exc}. Check that the disk is not full and that"
            " the file and its folder may be written."
        )

    def destroy(self) -> None:
        """Delete the index; `open` then begins anew. Readers move over with their next query.

        Who reads just now is waited for: Windows deletes no file that is open.
        """
        self.catalog.replace_all(())
        self._postings.clear()
        with self._gate.alone():
            self.close()
            try:
                for suffix in ("", "-wal", "-shm", "-journal"):
                    remove(self.path.with_name(self.path.name + suffix))
            except OSError as exc:
                raise self._not_written(exc) from exc

    def fault(self, *, deep: bool = False) -> str:
        """Return what is wrong with the file, "" for nothing; `deep` looks at every page and row.

        Raises IndexNotWrittenError where it is not the file that keeps it from being used.
        """
        try:
            with closing(self._connect()) as db:
                row = db.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()
                for kind, table in TABLES.items():
                    db.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH 'x' LIMIT 1")
                    db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
                    if deep and (fault := _deep_fault(db, kind, table)):
                        return fault
        except sqlite3.Error as exc:
            if is_damage(exc):
                return f"it is damaged ({exc})"
            raise self._not_written(exc) from exc
        if row != (VERSION,):
            return "it is of another version"
        return self.page_fault() if deep else ""

    def page_fault(self) -> str:
        """Look at every page, which takes seconds in a large file; return as `fault` does."""
        try:
            with closing(self._connect()) as db:
                (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as exc:
            if is_damage(exc):
                return f"it is damaged ({exc})"
            raise self._not_written(exc) from exc
        return "" if sound == "ok" else f"it is damaged ({sound})"

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",  # no reader may make an empty file
            uri=True,
            timeout=5,
            check_same_thread=False,
            isolation_level=None,
        )
        db.execute("PRAGMA busy_timeout = 5000")
        db.execute("PRAGMA synchronous = NORMAL")
        return db

    def _reader(self) -> sqlite3.Connection:
        if getattr(self._local, "generation", None) != self._generation:
            with self._lock:
                old = getattr(self._local, "connection", None)
                if old in self._open:
                    self._open.remove(old)
                    old.close()
                self._local.connection = self._connect()
                self._local.generation = self._generation
                self._open.append(self._local.connection)
        connection: sqlite3.Connection = self._local.connection
        return connection

    def _read(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._reading(sql, parameters) as rows:
            return list(rows)

    @contextmanager
    def _reading(
        self, sql: str, parameters: Sequence[object] = ()
    ) -> Iterator[Iterable[tuple[Any, ...]]]:
        """Give row by row, so that many need no room."""
        try:
            with self._gate.passing():
                yield self._reader().execute(sql, parameters)
        except sqlite3.Error as exc:
            raise IndexDamagedError(
                f"{self.path}: {exc}. It is derived data and is built anew from the database."
            ) from exc

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._gate.passing(), _transaction(self._reader()) as db:
                yield db
        except sqlite3.DatabaseError as exc:
            if is_damage(exc):
                raise IndexDamagedError(f"{self.path}: {exc}") from exc
            raise self._not_written(exc) from exc

    # ------------------------------------------------------------------ writing
    def put(self, records: Iterable[tuple[Record, bytes]]) -> None:
        """Add or replace records (each with its fingerprint), in one transaction."""
        rows = list(records)
        first = self.catalog.snapshot.size
        with self._writing() as db:
            delete(db, [to_key(record.ref) for record, _ in rows])
            written = [
                (record, insert(db, record, line=line, fingerprint=fingerprint))
                for line, (record, fingerprint) in enumerate(rows, first)
            ]
        self.catalog.put(_line(record, row.length) for record, row in written)
        self._postings.extend(self._kept_places([row for _, row in written], first))

    def _kept_places(self, rows: Sequence[Row], first: int) -> dict[str, Postings]:
        """Return where the terms whose postings are kept stand in these rows."""
        kept = self._postings.begin_extending()
        places: dict[str, list[int]] = {}
        for line, row in enumerate(rows if kept else (), first):
            for column, terms in enumerate(row.values):
                for offset, term in enumerate(terms):
                    if term in kept:
                        places.setdefault(term, []).append(place(line, column, offset))
        lines = self.catalog.snapshot
        return {
            term: _weighed(term, np.array(found, dtype=np.int64), lines)
            for term, found in places.items()
        }

    def remove(self, keys: Sequence[int]) -> None:
        """Remove records, in one transaction."""
        with self._writing() as db:
            delete(db, keys)
        self.catalog.remove(keys)  # their postings stay until they are read anew: dead lines

    def fingerprints(self) -> dict[int, bytes]:
        """Return key -> fingerprint of every indexed record."""
        with self._reading("SELECT key, fingerprint FROM docs") as rows:
            return dict(rows)

    # ------------------------------------------------------------------ reading
    def postings(self, term: str) -> Postings:
        """Return the lines of the catalog that hold a term, how much it counts, and where."""
        return self._postings.get(term)

    def read_ahead(self, term: str) -> None:
        """Read the postings of a term that may be asked for soon."""
        self._postings.read_ahead(term)

    @property
    def quiet_seconds(self) -> float:
        """How long ago somebody asked for postings."""
        return self._postings.quiet_seconds

    def words_with(self, piece: str, *, most: int = 32) -> list[str]:
        """Return the words that contain a piece of a word, the shortest first."""
        if len(piece) < MIN_PIECE:
            return []
        sql = "SELECT word FROM words WHERE instr(word, ?) ORDER BY length(word), word LIMIT ?"
        return [word for (word,) in self._read(sql, (piece, most))]

    def lines(self, match: Mapping[Kind, str]) -> Ordinals:
        """Return the lines that match an FTS5 expression of each kind."""
        lines = [_NONE, *(self._rowids(kind, text) for kind, text in match.items())]
        found = np.concatenate(lines)
        return found[self.catalog.snapshot.living(found)].astype(np.int32)

    def lines_with_concepts(self, concepts: Iterable[str]) -> Ordinals:
        """Return the lines that carry any of the concepts, whatever their case."""
        wanted = [concept.casefold() for concept in concepts]
        marks = ", ".join("?" * len(wanted))
        rows = self._read(f"SELECT DISTINCT key FROM concepts WHERE value IN ({marks})", wanted)
        return self.catalog.ordinals(np.fromiter((row[0] for row in rows), np.int64, len(rows)))

    def lines_with_files(self, paths: Iterable[str]) -> Ordinals:
        """Return the lines that name any of the files: its path, its end, or a folder."""
        wanted = [slash for path in paths if len(slash := slashed(path)) > 2]
        tests = " OR ".join("instr(path, ?)" for _ in wanted) or "0"
        rows = self._read(f"SELECT DISTINCT key FROM files WHERE {tests}", wanted)
        return self.catalog.ordinals(np.fromiter((row[0] for row in rows), np.int64, len(rows)))

    def _rowids(self, kind: Kind, match: str) -> Places:
        table = TABLES[kind]
        sql = f"SELECT group_concat(rowid) FROM {table} WHERE {table} MATCH ?"
        return _numbers(self._read(sql, (match,))[0][0], np.int64)

    def _read_postings(self, term: str) -> Postings:
        found = [_numbers(self._read(sql, (term,))[0][0], np.int64) for sql in _PLACES]
        places = np.sort(np.concatenate(found), kind="stable")
        lines = self.catalog.snapshot  # one for both: meanwhile the index may be begun anew
        return _weighed(term, places[lines.living(lines_of(places))], lines)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
    except BaseException:
        if db.in_transaction:  # a full disk has ended it already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


_NONE = np.array([], dtype=np.int64)

# Each place of a term, as `place` numbers it.
_PLACES = [
    f"SELECT group_concat((doc << {LINE_BITS}) + min(offset, {MOST_OFFSET}) + CASE col"
    f" {' '.join(f'WHEN {name!r} THEN {i << COLUMN_BITS}' for i, name in enumerate(COLUMNS[kind]))}"
    f" END) FROM {table}_terms WHERE term = ?"
    for kind, table in TABLES.items()
]

# What an occurrence counts, by the code of its kind and by its column.
_WEIGHTS = np.array(
    [[*weights.values(), *[0.0] * (16 - len(weights))] for weights in COLUMNS.values()],
    dtype=np.float32,
)


def _weighed(term: str, places: Places, lines: Snapshot) -> Postings:
    """Return the postings of a term from its places, which are in these lines."""
    kinds = lines.kind[lines_of(places)]
    found = postings_of(places, _WEIGHTS[kinds, columns_of(places)])
    many = len(places) > MOST_PLACES and is_stop_word(term)
    return found._replace(places=_NONE) if many else found


def _deep_fault(db: sqlite3.Connection, kind: Kind, table: str) -> str:
    """Compare a full-text table with itself and with the list of what is indexed."""
    db.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    sql = (
        "SELECT count(*) FROM docs WHERE key & 3 = ?"
        f" AND line NOT IN (SELECT id FROM {table}_docsize)"
    )
    (missing,) = db.execute(sql, (CODE[kind],)).fetchone()
    return f"{table} lacks {missing} of the rows that are listed" if missing else ""


def _line(record: Record, length: int) -> Line:
    return Line(
        to_key(record.ref),
        record.project,
        record.merged_into_project,
        record.type,
        record.created_at_epoch,
        length,
    )


def _numbers(text: str | None, dtype: type[T]) -> NDArray[T]:
    """Read numbers from group_concat: SQLite and numpy do the loops, Python none."""
    return np.fromstring(text or "", dtype=dtype, sep=",")
