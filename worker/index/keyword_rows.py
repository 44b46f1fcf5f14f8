"""The tables of the keyword index, and how a record becomes a row of them.

The full-text tables keep no text, only where each term stands: a third of the disk. Their rowid is
the record's line in the catalog. Nothing can be taken out of such a table, so that a line whose
record was removed or put again stays, dead.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worker.index import analyze
from worker.index.keys import to_key
from worker.shared.refs import Kind
from worker.store.records import Record

VERSION = f"3.{analyze.VERSION}"

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
FREQUENT = 400  # terms whose postings are worth reading ahead
FILE_FIELDS = ("files_read", "files_modified", "files_edited")

_TOKENIZER = """tokenize = "ascii tokenchars './\\:@#&+~->_'" """
SCHEMA = [
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE docs (key INTEGER PRIMARY KEY, line INTEGER NOT NULL, fingerprint BLOB NOT NULL,"
    " project TEXT NOT NULL, merged TEXT, type TEXT NOT NULL, epoch INTEGER NOT NULL,"
    " length INTEGER NOT NULL)",
    "CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE concepts (value TEXT NOT NULL, key INTEGER NOT NULL,"
    " PRIMARY KEY (value, key)) WITHOUT ROWID",
    "CREATE INDEX concepts_by_key ON concepts (key)",
    "CREATE TABLE files (key INTEGER NOT NULL, path TEXT NOT NULL,"
    " PRIMARY KEY (key, path)) WITHOUT ROWID",
    *(
        f"CREATE VIRTUAL TABLE {TABLES[kind]}"
        f" USING fts5({', '.join(columns)}, content = '', {_TOKENIZER})"
        for kind, columns in COLUMNS.items()
    ),
    *(
        f"CREATE VIRTUAL TABLE {table}_terms USING fts5vocab({table}, instance)"
        for table in TABLES.values()
    ),
]


def frequent_terms(records: Iterable[Record], most: int = FREQUENT) -> list[str]:
    """Return the terms that most of the records hold, the most frequent last."""
    counts: Counter[str] = Counter()
    for record in records:
        tokens, extras = analyze.terms("\n".join(record.get(name) for name, _ in record.fields))
        counts.update({*tokens, *extras})
    return [term for term, _ in reversed(counts.most_common(most))]


def quote(term: str) -> str:
    """Return the term as an FTS5 string."""
    return '"' + term.replace('"', '""') + '"'


def slashed(path: str) -> str:
    """Return a path so that `want in have` at slashes is a plain substring test."""
    return "/" + path.replace("\\", "/").removeprefix("./").strip("/").casefold() + "/"


class Row(NamedTuple):
    """A record's length in tokens, and the terms of each of its columns in their order."""

    length: int
    values: Sequence[Sequence[str]]


def insert(db: sqlite3.Connection, record: Record, *, line: int, fingerprint: bytes) -> Row:
    """Write one record; return what the memory keeps of it."""
    kind, key = record.ref.kind, to_key(record.ref)
    paths = [path for field in FILE_FIELDS for path in record.items(field)]
    texts = ["\n".join(paths) if c == "files" else record.get(c) for c in COLUMNS[kind]]
    found = [analyze.terms(text) for text in texts[:-1]]
    values = [tokens for tokens, _ in found] + [[e for _, extras in found for e in extras]]
    names = ", ".join(COLUMNS[kind])
    marks = ", ".join("?" * (len(values) + 1))
    db.execute(
        f"INSERT INTO {TABLES[kind]} (rowid, {names}) VALUES ({marks})",
        (line, *map(" ".join, values)),
    )
    length = sum(map(len, values[:-1]))
    head = (record.project, record.merged_into_project, record.type, record.created_at_epoch)
    row = (key, line, fingerprint, *head, length)
    db.execute(f"INSERT INTO docs VALUES ({', '.join('?' * len(row))})", row)
    words = analyze.words("\n".join(texts))
    db.executemany("INSERT OR IGNORE INTO words VALUES (?)", [(word,) for word in words])
    db.executemany(
        "INSERT OR IGNORE INTO concepts VALUES (?, ?)",
        [(concept.casefold(), key) for concept in record.items("concepts")],
    )
    db.executemany(
        "INSERT OR IGNORE INTO files VALUES (?, ?)", [(key, slashed(path)) for path in paths]
    )
    return Row(length, values)


def delete(db: sqlite3.Connection, keys: Sequence[int]) -> None:
    """Remove records; those that are not there are passed over."""
    for key in keys:
        if db.execute("DELETE FROM docs WHERE key = ?", (key,)).rowcount:
            db.execute("DELETE FROM concepts WHERE key = ?", (key,))
            db.execute("DELETE FROM files WHERE key = ?", (key,))
