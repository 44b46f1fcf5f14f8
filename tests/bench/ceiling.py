"""How often the row that a query was drawn from can be on the first page at all.

A query of common words matches hundreds of rows in full, and nothing in it tells its own row from
the others: of m such rows a page of 20 shows any one with the chance min(1, 20/m).
"""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tests.bench.limits import bare_match

PAGE = 20
_PHRASES = {"phrase", "identifier_file"}
_COLUMNS = ("title", "subtitle", "narrative", "facts")


def by_chance(matches: Sequence[int]) -> float:
    """Return the mean chance, given the number of full matches of each query."""
    return sum(min(1.0, PAGE / max(1, m)) for m in matches) / len(matches)


def ceilings(
    connection: sqlite3.Connection, queries: Sequence[Mapping[str, object]]
) -> dict[str, float]:
    """Return the ceiling of each kind of query that is words alone and expects a row."""
    counts: dict[str, list[int]] = defaultdict(list)
    for asked in queries:
        params = asked["params"]
        if asked["expect"] and isinstance(params, dict) and set(params) == {"query", "limit"}:
            kind = str(asked["kind"])
            counts[kind].append(full_matches(connection, kind, params["query"]))
    return {kind: by_chance(found) for kind, found in counts.items()}


def full_matches(connection: sqlite3.Connection, kind: str, query: str) -> int:
    """Return how many observations hold all that `query` says: the phrase, or every word.

    Some words were cut out of longer ones (`oving` of `Moving`), and to the tokenizer of
    claude-mem's table a Chinese sentence is one word: then the letters are looked for.
    """
    words = bare_match(query)
    if kind in _PHRASES:
        words = f'"{words.replace(chr(34), "")}"'
    sql = "SELECT count(*) FROM observations_fts WHERE observations_fts MATCH ?"
    (count,) = connection.execute(sql, (words,)).fetchone()
    return int(count) or _holding_letters(connection, query.split())


def _holding_letters(connection: sqlite3.Connection, words: Sequence[str]) -> int:
    row = " || ' ' || ".join(f"coalesce({column}, '')" for column in _COLUMNS)
    each = " AND ".join(f"({row}) LIKE ?" for _ in words)
    sql = f"SELECT count(*) FROM observations WHERE {each}"
    (count,) = connection.execute(sql, [f"%{word}%" for word in words]).fetchone()
    return int(count)
