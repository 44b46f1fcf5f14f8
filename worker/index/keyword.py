"""The keyword index: FTS5 tables over analysed text, in an SQLite file of its own."""

import logging
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from worker.index.keys import CODE, Keys, to_key
from worker.index.keyword_filter import docs_condition, match_source
from worker.index.keyword_rows import COLUMNS, SCHEMA, TABLES, VERSION, delete, insert
from worker.shared.errors import MemtrayError
from worker.shared.refs import Kind
from worker.store.filters import Filters
from worker.store.records import Record

log = logging.getLogger(__name__)


class IndexDamagedError(MemtrayError):
    title = "The keyword index is damaged"
    code = "keyword_index_damaged"
    status = 503


class Hit(NamedTuple):
    """A matching row; `score` is bm25, higher is better."""

    key: int
    score: float


class KeywordIndex:
    """Reads from any thread, each with a connection of its own; one thread writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._generation = 0
        self._frequencies: dict[tuple[Kind, str], int] = {}
        self._rows: dict[Kind, int] = {}

    # ------------------------------------------------------------------ life
    def open(self) -> bool:
        """Open or create the index; return True when it had to be begun anew."""
        fresh = not self.path.exists()
        if not fresh and not self._usable():
            log.warning("%s is damaged or of another version: it is built anew", self.path)
            self.destroy()
            fresh = True
        if fresh:
            with closing(self._connect()) as db, db:
                db.execute("PRAGMA journal_mode = WAL")
                for statement in SCHEMA:
                    db.execute(statement)
                db.execute("INSERT INTO meta VALUES ('version', ?)", (VERSION,))
        return fresh

    def close(self) -> None:
        """Close every thread's connection; no thread may be reading."""
        with self._lock:
            for connection in self._open:
                connection.close()
            self._open.clear()
            self._generation += 1

    def destroy(self) -> None:
        """Delete the index; `open` then begins anew. Readers move over with their next query."""
        with self._lock:
            self._generation += 1
        self._forget()
        for suffix in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _usable(self) -> bool:
        try:
            with closing(self._connect()) as db:
                row = db.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()
                for table in TABLES.values():
                    db.execute(f"SELECT rowid FROM {table} WHERE {table} MATCH 'x' LIMIT 1")
                    db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
                sound: tuple[str] = db.execute("PRAGMA quick_check(1)").fetchone()
                return bool(row == (VERSION,) and sound == ("ok",))
        except sqlite3.Error:
            return False

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=5, check_same_thread=False, isolation_level=None)
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

    def _rows_of(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[int, ...]]:
        try:
            return self._reader().execute(sql, parameters).fetchall()
        except sqlite3.Error as exc:
            raise IndexDamagedError(
                f"{self.path}: {exc}. It is derived data and is built anew from the database."
            ) from exc

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        db = self._reader()
        try:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")
        except sqlite3.DatabaseError as exc:
            raise IndexDamagedError(f"{self.path}: {exc}") from exc
        self._forget()

    def _forget(self) -> None:
        self._frequencies = {}
        self._rows = {}

    # ------------------------------------------------------------------ writing
    def put(self, records: Iterable[tuple[Record, bytes]]) -> None:
        """Add or replace records (each with its fingerprint), in one transaction."""
        rows = list(records)
        with self._writing() as db:
            delete(db, [to_key(record.ref) for record, _ in rows])
            for record, fingerprint in rows:
                insert(db, record, fingerprint)

    def remove(self, keys: Sequence[int]) -> None:
        """Remove records, in one transaction."""
        with self._writing() as db:
            delete(db, keys)

    def merge(self) -> None:
        """Let FTS5 merge its segments, so that reading touches fewer of them."""
        with self._writing() as db:
            for table in TABLES.values():
                db.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")

    def fingerprints(self) -> dict[int, bytes]:
        """Return key -> fingerprint of every indexed record."""
        return dict(self._rows_of("SELECT key, fingerprint FROM docs"))  # type: ignore[arg-type]

    # ------------------------------------------------------------------ statistics
    def rows(self, kind: Kind) -> int:
        """Return how many records of a kind are indexed."""
        if kind not in self._rows:
            sql = "SELECT count(*) FROM docs WHERE key & 3 = ?"
            self._rows[kind] = self._rows_of(sql, (CODE[kind],))[0][0]
        return self._rows[kind]

    def frequency(self, kind: Kind, term: str) -> int:
        """Return in how many records of a kind the term occurs."""
        found = self._frequencies.get((kind, term))
        if found is None:
            sql = f"SELECT doc FROM {TABLES[kind]}_vocab WHERE term = ?"
            rows = self._rows_of(sql, (term,))
            found = self._frequencies[kind, term] = rows[0][0] if rows else 0
        return found

    # ------------------------------------------------------------------ matching
    def ranked(self, kind: Kind, match: str, filters: Filters, *, limit: int) -> list[Hit]:
        """Return the rows that match an FTS5 expression, best bm25 first, then newest."""
        table = TABLES[kind]
        weights = ", ".join(str(weight) for weight in COLUMNS[kind].values())
        source, condition, parameters = match_source(kind, match, filters)
        sql = (
            f"SELECT {table}.rowid * 4 + {CODE[kind]}, -bm25({table}, {weights}) AS score"
            f" FROM {source} WHERE {condition} ORDER BY score DESC, {table}.rowid DESC LIMIT ?"
        )
        return [Hit(*row) for row in self._rows_of(sql, (*parameters, limit))]

    def dated(
        self, kind: Kind, match: str, filters: Filters, *, ascending: bool, limit: int
    ) -> list[tuple[int, int]]:
        """Return (key, epoch ms) of the rows that match, by date, then by key."""
        source, condition, parameters = match_source(kind, match, filters, dated=True)
        order = "ASC" if ascending else "DESC"
        sql = (
            f"SELECT docs.key, docs.epoch FROM {source} WHERE {condition}"
            f" ORDER BY docs.epoch {order}, docs.key {order} LIMIT ?"
        )
        return self._rows_of(sql, (*parameters, limit))  # type: ignore[return-value]

    def count(self, kind: Kind, match: str, filters: Filters) -> int:
        """Return how many rows match."""
        source, condition, parameters = match_source(kind, match, filters)
        return self._rows_of(f"SELECT count(*) FROM {source} WHERE {condition}", parameters)[0][0]

    def matching(self, kind: Kind, match: str, filters: Filters) -> Keys:
        """Return the keys of all rows that match, in no particular order."""
        source, condition, parameters = match_source(kind, match, filters)
        sql = f"SELECT group_concat({TABLES[kind]}.rowid) FROM {source} WHERE {condition}"
        text = self._rows_of(sql, parameters)[0][0]
        if not text:
            return np.array([], dtype=np.int64)
        return np.fromstring(str(text), dtype=np.int64, sep=",") * 4 + CODE[kind]

    # ------------------------------------------------------------------ filters alone
    def keys(self, filters: Filters) -> Keys:
        """Return the keys of all records that the filters let through, ascending."""
        condition, parameters = docs_condition(filters)
        return _flat(
            self._rows_of(f"SELECT key FROM docs WHERE {condition} ORDER BY key", parameters)
        )

    def newest(self, filters: Filters, *, ascending: bool, limit: int, offset: int) -> list[int]:
        """Return keys of the records that pass, by date."""
        condition, parameters = docs_condition(filters)
        order = "ASC" if ascending else "DESC"
        sql = (
            f"SELECT key FROM docs WHERE {condition}"
            f" ORDER BY epoch {order}, key {order} LIMIT ? OFFSET ?"
        )
        return [row[0] for row in self._rows_of(sql, (*parameters, limit, offset))]

    def count_all(self, filters: Filters) -> int:
        """Return how many records pass."""
        condition, parameters = docs_condition(filters)
        return self._rows_of(f"SELECT count(*) FROM docs WHERE {condition}", parameters)[0][0]

    def describe(self, keys: Keys) -> list[tuple[int, str, str, int]]:
        """Return (key, project, type, epoch ms) of each key that is indexed."""
        out: list[tuple[int, str, str, int]] = []
        for start in range(0, len(keys), 500):
            part = [int(key) for key in keys[start : start + 500]]
            marks = ", ".join("?" * len(part))
            sql = f"SELECT key, project, type, epoch FROM docs WHERE key IN ({marks})"
            out += self._rows_of(sql, part)  # type: ignore[arg-type]
        return out

    def groups(
        self, matches: Mapping[Kind, str] | None, filters: Filters
    ) -> list[tuple[int, str, str, int, int]]:
        """Return (kind code, project, type, an epoch ms of the local day, rows) for facets."""
        columns = "docs.key & 3, docs.project, docs.type, min(docs.epoch), count(*)"
        grouped = "GROUP BY 1, 2, 3, docs.epoch / 86400000"
        if matches is None:
            condition, parameters = docs_condition(filters)
            sql = f"SELECT {columns} FROM docs WHERE {condition} {grouped}"
            return self._rows_of(sql, parameters)  # type: ignore[return-value]
        out: list[tuple[int, str, str, int, int]] = []
        for kind, match in matches.items():
            source, condition, parameters = match_source(kind, match, filters, dated=True)
            sql = f"SELECT {columns} FROM {source} WHERE {condition} {grouped}"
            out += self._rows_of(sql, parameters)  # type: ignore[arg-type]
        return out

    def types(self) -> list[str]:
        """Return the observation types there are."""
        sql = "SELECT DISTINCT type FROM docs WHERE key & 3 = 0 ORDER BY type"
        return [str(row[0]) for row in self._rows_of(sql)]


def _flat(rows: list[tuple[int, ...]]) -> Keys:
    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
