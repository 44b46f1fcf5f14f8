"""Rows on their way in: each is added once, however often it comes and by whichever file."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from worker.shared.portable import Row
from worker.store.marks import CONTENT
from worker.store.writing import PLATFORM, PROMPTS, SESSIONS, Writer

Place = tuple[str, int]  # a table and the id of a row


@dataclass(frozen=True, slots=True)
class Entered:
    """How many rows were new, by table, and how many were there already; and where they are."""

    added: dict[str, int]
    known: int
    new: list[Place] = field(default_factory=list, compare=False)  # sessions made for them, too
    there: list[Place] = field(default_factory=list, compare=False)


def enter(connection: sqlite3.Connection, rows: Iterable[Row]) -> Entered:
    """Add the rows that are not there yet, inside the transaction of the caller.

    A record keeps its id where that was never used here, and gets a new one otherwise.
    """
    gate = _Gate(Writer(connection))
    added: Counter[str] = Counter()
    there: list[Place] = []
    for row in rows:
        if (known := gate.add(row)) is None:
            added[row["table"]] += 1
        else:
            there.append((row["table"], known))
    return Entered(dict(added), len(there), gate.new, there)


class _Gate:
    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._last: dict[str, int] = {}  # the highest id that each table ever gave
        self.new: list[Place] = []

    def add(self, row: Row) -> int | None:
        """Add one row; return the id of the one that was there already."""
        table = row["table"]
        if table == SESSIONS:
            return self._add_session(row)
        stored = self._writer.complete(table, row)
        if (known := self._known(table, stored)) is not None:
            return known
        if table != PROMPTS:
            self._need_session(row)
        elif link := self._writer.name(table, "session_db_id"):
            stored[link] = self._session_of_prompt(row)
        else:  # the oldest schemas demand that the session is there
            if self._session_of_prompt(row) is None:
                self._make_session(row, row["content_session_id"], None)
        if row["id"] <= self._last_id(table):
            del stored["id"]
        added = self._insert(table, stored)
        self._last[table] = max(self._last_id(table), added)
        self.new.append((table, added))
        return None

    def _insert(self, table: str, stored: dict[str, object]) -> int:
        try:
            return self._writer.insert(table, stored)
        except sqlite3.IntegrityError:
            if stored.get("content_hash") is None:
                raise
        # a session may hold two memories that claude-mem's mark does not tell apart
        return self._writer.insert(table, stored | {"content_hash": None})

    def _known(self, table: str, stored: dict[str, object]) -> int | None:
        """Return the id of a row of the same time, session and content."""
        link = "content_session_id" if table == PROMPTS else "memory_session_id"
        names = (self._writer.name(table, name) for name in (link, *CONTENT[table]))
        columns = [name for name in names if name]
        same = "".join(f" AND +{name} IS ?" for name in columns)  # the index of times is to be used
        wanted = [stored.get(name) for name in ("created_at_epoch", *columns)]
        sql = f"SELECT id FROM {table} WHERE created_at_epoch IS ?{same} LIMIT 1"
        found = self._writer.connection.execute(sql, wanted).fetchone()
        return None if found is None else int(found[0])

    def _last_id(self, table: str) -> int:
        if table not in self._last:
            ask = self._writer.connection.execute
            (last,) = ask(f"SELECT COALESCE(max(id), 0) FROM {table}").fetchone()
            if ask("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchone():
                used = ask("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
                last = max(last, used[0] if used else 0)
            self._last[table] = last
        return self._last[table]

    # ------------------------------------------------------------------ sessions
    def _add_session(self, row: Row) -> int | None:
        memory, content = row.get("memory_session_id"), row["content_session_id"]
        platform = row.get("platform_source") or PLATFORM
        known = None if memory is None else self._session(memory_session_id=memory)
        if known is not None:
            return known
        named = self._session(content_session_id=content, platform_source=platform)
        if named is not None:
            if memory is None:
                return named
            row = row | {"content_session_id": _stand_in(memory)}  # that name has its session here
        values = {name: value for name, value in row.items() if name != "id"}
        self.new.append((SESSIONS, self._writer.add(SESSIONS, values)))
        return None

    def _need_session(self, row: Row) -> None:
        """Make the session of a record that came without one."""
        memory = row["memory_session_id"]
        if self._session(memory_session_id=memory) is None:
            self._make_session(row, _stand_in(memory), memory)

    def _session_of_prompt(self, row: Row) -> int | None:
        platform = row.get("platform_source") or PLATFORM
        return self._session(content_session_id=row["content_session_id"], platform_source=platform)

    def _make_session(self, row: Row, content: str, memory: str | None) -> None:
        session = {
            "content_session_id": content,
            "memory_session_id": memory,
            "project": row.get("project", ""),
            "platform_source": row.get("platform_source") or PLATFORM,
            "started_at": row.get("created_at"),
            "started_at_epoch": row.get("created_at_epoch"),
            "status": "completed",
        }
        self.new.append((SESSIONS, self._writer.add(SESSIONS, session)))

    def _session(self, **where: object) -> int | None:
        return self._writer.first(SESSIONS, "id", **where)


def _stand_in(memory: str) -> str:
    """Return a name for a session whose own is not known, or taken."""
    return f"imported-{memory}"
