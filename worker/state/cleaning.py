"""Texts in state.db replaced by cleaner ones, and marks that follow words that were changed."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from worker.state.database import has_table, reading, shrink_log, writing
from worker.store.marks import content_mark, is_marked, mark_of

Row = dict[str, Any]
Clean = Callable[[str, Row], Row]  # of a table and a row: returns it without secrets

RECALLS = "recalls"
TEXTS = {RECALLS: ("asked", "filters", "problem")}
TRASH = "\0trash"  # the id in state.db of a row that was let go; no column has such a name


def look(path: Path, see: Callable[[str, Row], None]) -> None:
    """Show all rows; nothing is changed."""
    with reading(path) as connection:
        if connection is not None:
            for table, row in _rows(connection):
                see(table, row)


def replace(path: Path, clean: Clean) -> None:
    """Store what `clean` returns for each row, and leave nothing of the rest in the file."""
    if not path.exists():
        return
    with writing(path) as connection:
        for table, old in list(_rows(connection)):
            new = clean(table, old)
            if new != old:
                _store(connection, table, old, new)
    shrink_log(path)


def follow_words(path: Path, table: str, old: Row, new: Row) -> None:
    """Let what was imported, or let go, be known again by its changed words."""
    if old == new or not path.exists():
        return
    before, after = mark_of(table, old), mark_of(table, new)
    with writing(path) as connection:
        if before is not None and before != after:
            _remark(connection, before, after)
        if is_marked(table):
            sql = "UPDATE entered SET mark = ? WHERE place = ? AND id = ? AND mark = ?"
            marks = content_mark(table, new), content_mark(table, old)
            connection.execute(sql, (marks[0], table, old["id"], marks[1]))


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[str, Row]]:
    names = ("id", *TEXTS[RECALLS])
    if has_table(connection, RECALLS):
        for values in connection.execute(f"SELECT {', '.join(names)} FROM {RECALLS}"):
            yield RECALLS, dict(zip(names, values, strict=True))
    if has_table(connection, "trash"):
        for id_, table, row in connection.execute("SELECT id, place, row FROM trash"):
            yield table, {TRASH: id_, **json.loads(row)}


def _store(connection: sqlite3.Connection, table: str, old: Row, new: Row) -> None:
    if table == RECALLS:
        sets = ", ".join(f"{name} = ?" for name in TEXTS[RECALLS])
        values = [new[name] for name in (*TEXTS[RECALLS], "id")]
        connection.execute(f"UPDATE {RECALLS} SET {sets} WHERE id = ?", values)
        return
    row = {name: value for name, value in new.items() if name != TRASH}
    text = json.dumps(row, ensure_ascii=True)
    connection.execute("UPDATE trash SET row = ? WHERE id = ?", (text, old[TRASH]))
    before, after = mark_of(table, old), mark_of(table, new)
    if before is not None:
        _remark(connection, before, after)


def _remark(connection: sqlite3.Connection, before: bytes, after: bytes | None) -> None:
    connection.execute("UPDATE OR REPLACE gone SET mark = ? WHERE mark = ?", (after, before))
    connection.execute("UPDATE imported SET mark = ? WHERE mark = ?", (after, before))
