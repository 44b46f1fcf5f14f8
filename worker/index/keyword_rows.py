"""The tables of the keyword index, and how a record becomes a row of them."""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from worker.index import analyze
from worker.index.keys import CODE, to_key
from worker.shared.refs import Kind
from worker.store.records import Record

VERSION = f"2.{analyze.VERSION}"

# Columns with what one occurrence in them counts; title weighs most. `extra` holds whole
# identifiers and the humps of camel-case names.
COLUMNS: dict[Kind, dict[str, float]] = {
    Kind.OBSERVATION: {
        "title": 3.0,
        "subtitle": 1.0,
        "narrative": 1.0,
        "text": 1.0,
        "facts": 1.0,
        "concepts": 1.0,
        "files": 1.0,
        "extra": 1.0,
    },
    Kind.SESSION: {
        "request": 2.0,
        "investigated": 1.0,
        "learned": 1.0,
        "completed": 1.0,
        "next_steps": 1.0,
        "notes": 1.0,
        "files": 1.0,
        "extra": 1.0,
    },
    Kind.PROMPT: {"prompt_text": 1.0, "extra": 1.0},
}
TABLES = {
    Kind.OBSERVATION: "observations_fts",
    Kind.SESSION: "session_summaries_fts",
    Kind.PROMPT: "user_prompts_fts",
}
FILE_FIELDS = ("files_read", "files_modified", "files_edited")

_TOKENIZER = """tokenize = "ascii tokenchars './\\:@#&+~->_'" """
SCHEMA = [
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE docs (key INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL, project TEXT NOT NULL,"
    " merged TEXT, type TEXT NOT NULL, epoch INTEGER NOT NULL, length INTEGER NOT NULL)",
    "CREATE TABLE concepts (value TEXT NOT NULL, key INTEGER NOT NULL,"
    " PRIMARY KEY (value, key)) WITHOUT ROWID",
    "CREATE INDEX concepts_by_key ON concepts (key)",
    "CREATE TABLE files (key INTEGER NOT NULL, path TEXT NOT NULL,"
    " PRIMARY KEY (key, path)) WITHOUT ROWID",
    *(
        f"CREATE VIRTUAL TABLE {TABLES[kind]} USING fts5({', '.join(columns)}, {_TOKENIZER})"
        for kind, columns in COLUMNS.items()
    ),
    *(
        f"CREATE VIRTUAL TABLE {table}_terms USING fts5vocab({table}, instance)"
        for table in TABLES.values()
    ),
]


def quote(term: str) -> str:
    """Return the term as an FTS5 string."""
    return '"' + term.replace('"', '""') + '"'


def slashed(path: str) -> str:
    """Return a path so that `want in have` at slashes is a plain substring test."""
    return "/" + path.replace("\\", "/").removeprefix("./").strip("/").casefold() + "/"


class Row(NamedTuple):
    """A record's length in tokens, and its terms with what they count."""

    length: int
    counts: Mapping[str, float]


def insert(db: sqlite3.Connection, record: Record, fingerprint: bytes) -> Row:
    """Write one record; return what the memory keeps of it."""
    kind, key = record.ref.kind, to_key(record.ref)
    paths = [path for field in FILE_FIELDS for path in record.items(field)]
    extras: list[str] = []
    values: list[str] = []
    counts: dict[str, float] = defaultdict(float)
    length = 0
    for column, weight in COLUMNS[kind].items():
        if column == "extra":
            continue
        text = "\n".join(paths) if column == "files" else record.get(column)
        tokens, more = analyze.terms(text)
        values.append(" ".join(tokens))
        extras += more
        for token in tokens:
            counts[token] += weight
        length += len(tokens)
    for extra in extras:
        counts[extra] += COLUMNS[kind]["extra"]
    names = ", ".join(COLUMNS[kind])
    marks = ", ".join("?" * (len(COLUMNS[kind]) + 1))
    db.execute(
        f"INSERT INTO {TABLES[kind]} (rowid, {names}) VALUES ({marks})",
        (record.ref.id, *values, " ".join(extras)),
    )
    head = (record.project, record.merged_into_project, record.type, record.created_at_epoch)
    db.execute("INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?)", (key, fingerprint, *head, length))
    db.executemany(
        "INSERT OR IGNORE INTO concepts VALUES (?, ?)",
        [(concept.casefold(), key) for concept in record.items("concepts")],
    )
    db.executemany(
        "INSERT OR IGNORE INTO files VALUES (?, ?)", [(key, slashed(path)) for path in paths]
    )
    return Row(length, counts)


def delete(db: sqlite3.Connection, keys: Sequence[int]) -> None:
    """Remove records; those that are not there are passed over."""
    for key in keys:
        if db.execute("DELETE FROM docs WHERE key = ?", (key,)).rowcount:
            kind = next(kind for kind, code in CODE.items() if code == key & 3)
            db.execute(f"DELETE FROM {TABLES[kind]} WHERE rowid = ?", (key >> 2,))
            db.execute("DELETE FROM concepts WHERE key = ?", (key,))
            db.execute("DELETE FROM files WHERE key = ?", (key,))
