"""The search that needs no index: every row is looked at, newest first, for as long as allowed."""

import json
import re
import sqlite3
import time
from collections.abc import Sequence

from worker.store import conditions
from worker.store.filters import Filters
from worker.store.layout import Source, View
from worker.store.listing import Position
from worker.store.records import LIST_FIELDS

_STEPS = 10_000  # of SQLite's machine between two looks at the clock: about a millisecond
_WORD_CHARACTERS = 12_000  # a LIKE pattern may have 50,000 bytes


def find_literal(
    view: View, words: Sequence[str], filters: Filters, *, limit: int, seconds: float
) -> list[Position]:
    """Return the newest records with every word somewhere in their content, or those found in time.

    The case of ASCII letters does not matter; that of others does, as in LIKE.
    """
    deadline = time.monotonic() + seconds
    bound = conditions.values(filters) | {
        "words": json.dumps([_pattern(word) for word in words]),
        "limit": limit,
    }
    found: list[Position] = []
    view.connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
    try:
        for source in conditions.sources(view, filters):
            where = f"{conditions.quick_where(view, source, filters)} AND {_has_words(source)}"
            sql = (
                "WITH words(pattern) AS MATERIALIZED (SELECT value FROM json_each(:words)) "
                f"{' UNION ALL '.join(conditions.arms(source, where))} "
                "ORDER BY ms DESC, id DESC LIMIT :limit"
            )
            found.extend(Position(*row) for row in view.connection.execute(sql, bound))
    except sqlite3.OperationalError as exc:
        if exc.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
    finally:
        view.connection.set_progress_handler(None, 0)
    return sorted(found, reverse=True)[:limit]


def _has_words(source: Source) -> str:
    """Return the condition that each of `words` is in one of the content columns.

    In a list, only its decoded texts count, not the brackets and quotes of JSON; they are decoded
    where the raw text has the word, or a backslash that may hide it.
    """
    tests = []
    for name in source.fields:
        test = f"CAST(t.{name} AS TEXT) LIKE pattern ESCAPE '\\'"
        if name in LIST_FIELDS:
            decoded = f"memtray_list(CAST(t.{name} AS BLOB)) LIKE pattern ESCAPE '\\'"
            test = f"(({test} OR instr(t.{name}, '\\')) AND {decoded})"
        tests.append(test)
    # CASE stops at the first test that holds; as a value, SQLite would work out each OR in full.
    missing = f"CASE WHEN {' OR '.join([*tests, '0'])} THEN 0 ELSE 1 END"
    return f"NOT EXISTS (SELECT 1 FROM words WHERE {missing})"


def _pattern(word: str) -> str:
    escaped = re.sub(r"([\\%_])", r"\\\1", word[:_WORD_CHARACTERS])
    return f"%{escaped}%"
