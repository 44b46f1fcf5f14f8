"""Our own copy of every vector: on disk so that nothing is embedded twice, in RAM for searching."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from worker.index.aside import is_damage, set_aside
from worker.index.embedder import Matrix
from worker.index.keys import Keys
from worker.index.quantised import Quantised, codes_of
from worker.index.snapshot import VectorTable
from worker.shared.errors import MemtrayError

log = logging.getLogger(__name__)

BUSY_SECONDS = 5.0
_READ_ROWS = 1_024

_LAYOUT = "2"
# Rows come in with falling keys. In the order of the keys they would leave each page half full;
# in the order of writing, with fifteen to a page, a vector of 1,024 bytes takes 1,110.
_PAGE_BYTES = 16_384
_SCHEMA = """
BEGIN;
DROP TABLE IF EXISTS meta;
DROP TABLE IF EXISTS vectors;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE vectors (
    place INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, fingerprint BLOB NOT NULL,
    vector BLOB NOT NULL
);
COMMIT;
"""


class KeptVectorsError(MemtrayError):
    """The file of the kept vectors cannot be read or written just now."""

    title = "The kept vectors cannot be used"
    code = "kept_vectors"
    status = 503


class KeptVectors:
    """The vectors of one model; any number of threads read while one writes.

    `vectors` are rows of length 1. The file has them as float16; what is searched is made of those
    alone, so that a restart changes no answer.
    """

    def __init__(self, path: Path, *, model: str, dimension: int) -> None:
        self.path = path
        self.model = model
        self.dimension = dimension
        self.was_damaged = False  # the file that open() found was set aside
        self._meta = {"model": model, "dimension": str(dimension), "layout": _LAYOUT}
        self._lock = threading.RLock()  # held by whoever uses the file; searching needs no lock
        self._db: sqlite3.Connection | None = None
        self._fingerprints: dict[int, bytes] = {}
        self._table = _empty_table(dimension)

    # ------------------------------------------------------------------ life
    def open(self) -> None:
        """Load all vectors; a damaged or foreign file is set aside and a new one begun.

        Does nothing when open. Raises KeptVectorsError where the file cannot be used just now.
        """
        with self._lock, _translated(self.path):
            if self._db is not None:
                return
            try:
                self._load(self._connect())
            except (sqlite3.Error, ValueError, TypeError) as exc:
                self._disconnect()
                if not is_damage(exc):
                    raise
                log.warning("%s: %s", self.path, exc)
                self.was_damaged = True
                self._begin_anew()

    def close(self) -> None:
        """Close the file and forget what is in RAM."""
        with self._lock:
            self._disconnect()
            self._fingerprints = {}
            self._table = _empty_table(self.dimension)

    @property
    def is_open(self) -> bool:
        return self._db is not None

    # ------------------------------------------------------------------ reading
    def __len__(self) -> int:
        return len(self._table.snapshot.keys)

    def keys(self) -> Keys:
        """Return all keys, in no particular order."""
        return self._table.snapshot.keys.copy()

    def vectors(self) -> Quantised:
        """Return all vectors, (n, dimension), as they are now."""
        return self._table.snapshot.rows

    def fingerprints(self, among: Keys | None = None) -> dict[int, bytes]:
        """Return key -> fingerprint of the text that was embedded, of all or `among` these."""
        with self._lock:
            prints = self._fingerprints
            if among is None:
                return dict(prints)
            return {key: prints[key] for key in among.tolist() if key in prints}

    def cosines(self, query: Matrix, keys: Keys) -> Matrix:
        """Return the cosine of `query` with each key's vector, NaN where there is none."""
        return self._table.snapshot.cosines(query, keys)

    def nearest(self, query: Matrix, k: int, among: Keys | None = None) -> tuple[Keys, Matrix]:
        """Return the `k` nearest (`among` these distinct keys) and their cosines, best first."""
        return self._table.snapshot.nearest(query, k, among)

    def background(self, query: Matrix) -> tuple[float, float]:
        """Return mean and standard deviation of the cosine of `query` with a fixed sample."""
        return self._table.snapshot.background(query)

    def batches(self, size: int, among: Keys | None = None) -> Iterator[tuple[Keys, Matrix]]:
        """Yield keys and vectors as they are now, of all or `among` these keys."""
        return self._table.snapshot.batches(size, among)

    # ------------------------------------------------------------------ writing
    def put(self, keys: Keys, fingerprints: Sequence[bytes], vectors: Matrix) -> None:
        """Store these in one transaction in place of what the keys had; of a double key the last.

        Raises KeptVectorsError, and then nothing has changed.
        """
        last = {key: row for row, key in enumerate(keys.tolist())}
        rows = list(last.values())
        halves = vectors[rows].astype(np.float16)
        prints = {key: bytes(fingerprints[row]) for key, row in last.items()}
        with self._lock:
            self._write(lambda db: _insert(db, prints, halves))
            distinct = keys[rows]
            self._table.change(without=distinct, keys=distinct, rows=halves.astype(np.float32))
            self._fingerprints.update(prints)

    def remove(self, keys: Keys) -> None:
        """Forget these; keys without a vector are fine. Raises KeptVectorsError."""
        gone = keys.tolist()
        with self._lock:
            self._write(lambda db: _delete(db, gone))
            nothing = np.empty((0, self.dimension), np.float32)
            self._table.change(without=keys, keys=keys[:0], rows=nothing)
            for key in gone:
                self._fingerprints.pop(key, None)

    def restore(self) -> bool:
        """Write the file anew where it was deleted and say whether; raise KeptVectorsError."""
        with self._lock:
            deleted = self._db is not None and not self.path.exists()
            if deleted:
                self._write(lambda _: None)
            return deleted

    def mend(self) -> str:
        """Look at the whole file; where it is damaged, write it anew from memory and say why.

        Returns "" where it is sound; raises KeptVectorsError.
        """
        with self._lock, _translated(self.path):
            fault = self._fault()
            if fault:
                log.warning("%s %s; it is written anew from memory", self.path, fault)
                self._begin_anew()
            return fault

    def load(self) -> str:
        """Read a file that is not open, changing nothing; return what is wrong, "" for nothing.

        Raises KeptVectorsError where it cannot be read just now.
        """
        try:
            with _translated(self.path), closing(self._another()) as db:
                _check_tables(db)
                if dict(db.execute("SELECT name, value FROM meta")) != self._meta:
                    return "is of another model"
                self._load(db)
                (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
                return "" if sound == "ok" else f"is damaged ({sound})"
        except (ValueError, TypeError) as exc:
            return f"is damaged ({exc})"
        except KeptVectorsError as exc:
            if not isinstance(exc.__cause__, sqlite3.Error) or not is_damage(exc.__cause__):
                raise
            return f"is damaged ({exc.__cause__})"

    # ------------------------------------------------------------------ the file
    def _fault(self) -> str:
        if self._db is None:
            raise KeptVectorsError(f"{self.path} is not open.")
        if not self.path.exists():
            return "was deleted"
        try:
            with closing(self._another()) as db:  # the one in use may know the pages by heart
                (sound,) = db.execute("PRAGMA quick_check(1)").fetchone()
                (rows,) = db.execute("SELECT count(*) FROM vectors").fetchone()
        except sqlite3.Error as exc:
            if not is_damage(exc):
                raise
            return f"was damaged ({exc})"
        if sound != "ok":
            return f"was damaged ({sound})"
        return "" if rows == len(self) else f"had {rows} vectors instead of {len(self)}"

    def _another(self) -> sqlite3.Connection:
        """Return one more connection to the file, which must exist."""
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)

    def _connect(self) -> sqlite3.Connection:
        """Open the file, made where it is absent, emptied where another model wrote it."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.touch(mode=0o600)  # its -wal and -shm take the mode over
        db = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._db = db
        db.execute(f"PRAGMA page_size={_PAGE_BYTES}")  # of a new file
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        fresh = not _tables(db)
        if not fresh:
            _check_tables(db)
        if fresh or dict(db.execute("SELECT name, value FROM meta")) != self._meta:
            db.executescript(_SCHEMA)
            with db:
                db.executemany("INSERT INTO meta VALUES (?, ?)", self._meta.items())
        return db

    def _load(self, db: sqlite3.Connection) -> None:
        """Read the whole file; raise ValueError or TypeError for what cannot be vectors."""
        (count,) = db.execute("SELECT count(*) FROM vectors").fetchone()
        keys = np.empty(count, np.int64)
        codes = np.empty((count, self.dimension), np.int16)
        prints: dict[int, bytes] = {}
        cursor = db.execute("SELECT key, fingerprint, vector FROM vectors")
        for start in range(0, count, _READ_ROWS):
            ids, marks, blobs = zip(*cursor.fetchmany(_READ_ROWS), strict=True)
            part = slice(start, start + len(ids))
            keys[part] = ids
            codes[part] = codes_of(_vectors(blobs, self.dimension))
            prints.update(zip(ids, marks, strict=True))
        self._table, self._fingerprints = VectorTable(keys, codes), prints

    def _write(self, change: Callable[[sqlite3.Connection], None]) -> None:
        """Change the file in one transaction; where it is gone or damaged, write it anew first."""
        if self._db is None:
            raise KeptVectorsError(f"{self.path} is not open.")
        with _translated(self.path):
            whole = self.path.exists()
            try:
                if whole:
                    _in_transaction(self._db, change)
            except sqlite3.Error as exc:
                if not is_damage(exc):
                    raise
                log.warning("%s: %s", self.path, exc)
                whole = False
            if not whole:
                log.warning("%s is written anew from memory", self.path)
                _in_transaction(self._begin_anew(), change)

    def _begin_anew(self) -> sqlite3.Connection:
        """Set the file aside and write a new one with all that is in RAM."""
        self._disconnect()
        set_aside(self.path)
        for suffix in ("-wal", "-shm"):  # of the old file: they must not meet the new one
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        try:
            db = self._connect()
            _in_transaction(db, self._insert_all)
        except BaseException:
            self._disconnect()
            raise
        return db

    def _insert_all(self, db: sqlite3.Connection) -> None:
        for keys, rows in self.batches(_READ_ROWS):
            prints = {key: self._fingerprints[key] for key in keys.tolist()}
            _insert(db, prints, rows.astype(np.float16))

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as exc:
        raise KeptVectorsError(
            f"{path} cannot be used: {exc}. Check that the disk is not full and that the file "
            "and its folder may be written."
        ) from exc


def _tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql != ''")}


def _check_tables(db: sqlite3.Connection) -> None:
    if _tables(db) != {"meta", "vectors"}:
        raise ValueError("this is not a file of vectors")


def _empty_table(dimension: int) -> VectorTable:
    return VectorTable(np.empty(0, np.int64), np.empty((0, dimension), np.int16))


def _vectors(blobs: Iterable[bytes], dimension: int) -> Matrix:
    with np.errstate(invalid="ignore"):  # of damaged numbers, which are told just below
        rows = np.frombuffer(b"".join(blobs), np.float16).reshape(-1, dimension).astype(np.float32)
        lengths = np.einsum("ij,ij->i", rows, rows)
        if not np.all(np.abs(lengths - 1) < 0.02):
            raise ValueError("a vector does not have length 1")
    return rows


def _insert(db: sqlite3.Connection, prints: dict[int, bytes], halves: NDArray[np.float16]) -> None:
    pairs = zip(prints.items(), halves, strict=True)
    stored = ((key, mark, row.tobytes()) for (key, mark), row in pairs)
    db.executemany(
        "INSERT OR REPLACE INTO vectors (key, fingerprint, vector) VALUES (?, ?, ?)", stored
    )


def _delete(db: sqlite3.Connection, keys: Iterable[int]) -> None:
    db.executemany("DELETE FROM vectors WHERE key = ?", ((key,) for key in keys))


def _in_transaction(db: sqlite3.Connection, change: Callable[[sqlite3.Connection], None]) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        change(db)
