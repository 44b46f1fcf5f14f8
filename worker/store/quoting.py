"""What a session repeats of its records, its first prompt and its title, goes with them."""

import sqlite3
from collections.abc import Iterable

from worker.store.removing import Raw
from worker.store.writing import PROMPTS, SESSIONS, SUMMARIES, Writer

# The column of a session, and where the words are that it repeats: table, column, common name.
_QUOTES = (
    ("user_prompt", PROMPTS, "prompt_text", "content_session_id"),
    ("custom_title", SUMMARIES, "request", "memory_session_id"),
)


def quotes_of(
    connection: sqlite3.Connection, rows: Iterable[tuple[str, Raw]]
) -> list[tuple[str, Raw]]:
    """Return what sessions repeat of these rows, each as the id of a session and one column."""
    writer, rows = Writer(connection), list(rows)
    found = []
    for quote, source, words, link in _QUOTES:
        own, other = writer.name(SESSIONS, link), writer.name(source, link)
        if not (own and other and writer.name(SESSIONS, quote)):
            continue
        sql = f"SELECT id, {quote} FROM {SESSIONS} WHERE {own} = ? AND trim({quote}) = trim(?)"
        for table, row in rows:
            if table == source:
                said = connection.execute(sql, (row[other], row[words])).fetchall()
                found += [(SESSIONS, {"id": id_, quote: text}) for id_, text in said]
    return found


def blank(connection: sqlite3.Connection, quotes: Iterable[tuple[str, Raw]]) -> None:
    """Take these out of their sessions, inside the transaction of the caller."""
    for table, quote in quotes:
        (column,) = quote.keys() - {"id"}
        connection.execute(f"UPDATE {table} SET {column} = NULL WHERE id = ?", (quote["id"],))


def say_again(connection: sqlite3.Connection, rows: Iterable[tuple[str, Raw]]) -> None:
    """Give sessions back what was taken out of them, unless they say something else now."""
    for table, row in rows:
        if table == SESSIONS:
            for column in [quote for quote, *_ in _QUOTES if row.get(quote)]:
                sql = f"UPDATE {table} SET {column} = coalesce({column}, ?) WHERE id = ?"
                connection.execute(sql, (row[column], row["id"]))
