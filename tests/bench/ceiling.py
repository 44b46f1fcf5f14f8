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
    """Return how many observations hold all that `query` says: the phrase, or every word."""
    if kind == "cjk_substring":  # the tokenizer of claude-mem's table takes a sentence for a word
        anywhere = " OR ".join(f"{column} LIKE ?1" for column in _COLUMNS)
        sql, value = f"SELECT count(*) FROM observations WHERE {anywhere}", f"%{query}%"
    else:
        sql = "SELECT count(*) FROM observations_fts WHERE observations_fts MATCH ?1"
        words = bare_match(query)
        value = f'"{words.replace(chr(34), "")}"' if kind in _PHRASES else words
    (count,) = connection.execute(sql, (value,)).fetchone()
    return int(count)
