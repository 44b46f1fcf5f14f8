"""The tables of the keyword index, and how a record becomes a row of them."""

import hashlib
import sqlite3
from collections.abc import Sequence

from worker.index import analyze
from worker.index.keys import CODE, to_key
from worker.shared.refs import Kind
from worker.store.records import Record

VERSION = f"1.{analyze.VERSION}"
EVERY_ROW = "~all"  # a scope token that every row carries: makes other terms optional

# Columns with their weight in bm25; title weighs most. `extra` holds whole identifiers and humps,
# `scope` project and type, so that FTS5 itself filters by them; it does not score.
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
        "scope": 0.0,
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
        "scope": 0.0,
    },
    Kind.PROMPT: {"prompt_text": 1.0, "extra": 1.0, "scope": 0.0},
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
    " merged TEXT, type TEXT NOT NULL, epoch INTEGER NOT NULL)",
    "CREATE INDEX docs_by_date ON docs (epoch, key)",
    "CREATE INDEX docs_by_project ON docs (project, epoch, key)",
    "CREATE TABLE concepts (key INTEGER NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (value, key)) WITHOUT ROWID",
    "CREATE TABLE files (key INTEGER NOT NULL, path TEXT NOT NULL,"
    " PRIMARY KEY (key, path)) WITHOUT ROWID",
    "CREATE INDEX concepts_by_key ON concepts (key)",
    *(
        f"CREATE VIRTUAL TABLE {TABLES[kind]} USING fts5({', '.join(columns)}, {_TOKENIZER})"
        for kind, columns in COLUMNS.items()
    ),
    *(
        f"CREATE VIRTUAL TABLE {table}_vocab USING fts5vocab({table}, row)"
        for table in TABLES.values()
    ),
]


def scope_token(name: str, value: str) -> str:
    """Return the term that stands for a project or a type in the scope column."""
    return f"~{name}{hashlib.blake2b(value.encode(), digest_size=6).hexdigest()}"


def quote(term: str) -> str:
    """Return the term as an FTS5 string."""
    return '"' + term.replace('"', '""') + '"'


def insert(db: sqlite3.Connection, record: Record, fingerprint: bytes) -> None:
    kind, key = record.ref.kind, to_key(record.ref)
    columns = COLUMNS[kind]
    paths = [path for field in FILE_FIELDS for path in record.items(field)]
    extras: list[str] = []
    values = []
    for column in columns:
        if column not in ("extra", "scope"):
            text = "\n".join(paths) if column == "files" else record.get(column)
            tokens, more = analyze.terms(text)
            values.append(" ".join(tokens))
            extras += more
    values += [" ".join(extras), " ".join(_scope(record))]
    names = ", ".join(columns)
    marks = ", ".join("?" * (len(columns) + 1))
    db.execute(
        f"INSERT INTO {TABLES[kind]} (rowid, {names}) VALUES ({marks})", (record.ref.id, *values)
    )
    db.execute(
        "INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?)",
        (
            key,
            fingerprint,
            record.project,
            record.merged_into_project,
            record.type,
            record.created_at_epoch,
        ),
    )
    db.executemany(
        "INSERT OR IGNORE INTO concepts VALUES (?, ?)",
        [(key, concept.casefold()) for concept in record.items("concepts")],
    )
    db.executemany(
        "INSERT OR IGNORE INTO files VALUES (?, ?)", [(key, slashed(path)) for path in paths]
    )


def _scope(record: Record) -> list[str]:
    tokens = [EVERY_ROW, scope_token("p", record.project), scope_token("t", record.type)]
    if record.merged_into_project:
        tokens.append(scope_token("p", record.merged_into_project))
    return tokens


def slashed(path: str) -> str:
    """Return a path so that `want in have` at slashes is a plain substring test."""
    return "/" + path.replace("\\", "/").strip("/").casefold() + "/"


def delete(db: sqlite3.Connection, keys: Sequence[int]) -> None:
    known = [
        key for key in keys if db.execute("SELECT 1 FROM docs WHERE key = ?", (key,)).fetchone()
    ]
    for key in known:
        kind = next(kind for kind, code in CODE.items() if code == key & 3)
        db.execute(f"DELETE FROM {TABLES[kind]} WHERE rowid = ?", (key >> 2,))
        for table in ("docs", "concepts", "files"):
            db.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
