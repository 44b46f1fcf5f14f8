"""Memories for tests, written by plain SQL into databases of any version of claude-mem."""

import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from worker.shared.paths import Paths
from worker.store.store import Store

NOON = 1_780_000_000_000  # milliseconds: a day in May 2026
MINUTE = 60_000

_THINGS = (
    "login form", "database pool", "image cache", "mail queue", "payment service", "build script",
    "tray icon", "config parser", "backup job", "date picker",
)  # fmt: skip
_EVENTS = (
    ("times out", "A lock was held while the disk was slow."),
    ("leaks memory", "Every retry kept one more buffer."),
    ("shows wrong numbers", "Two threads shared one counter without a lock."),
    ("was rewritten in Rust", "The old code could not be tested any more."),
    ("ignores the settings file", "The disk was full when it was read."),
    ("crashes at midnight", "The date was taken twice, once on each side of the day."),
)
_WHEN = ("", " on the phone", " after the upgrade")


@dataclass(frozen=True, slots=True)
class Memory:
    """One observation to be written."""

    title: str
    narrative: str = ""
    project: str = "garden"
    type: str = "discovery"
    at: int = NOON


def some(count: int = 60) -> list[Memory]:
    """Return so many memories, all different, a minute apart."""
    made = (
        Memory(f"The {thing} {event}{when}", f"{cause} Seen in the {thing}.", at=NOON + n * MINUTE)
        for n, (when, (event, cause), thing) in enumerate(
            itertools.product(_WHEN, _EVENTS, _THINGS)
        )
    )
    return list(itertools.islice(made, count))


def new_database(path: Path, memories: Iterable[Memory] = ()) -> None:
    """Make a database with claude-mem's current schema and these memories."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    store = Store(path)
    store.open()
    store.close()
    with writing(path) as connection:
        add(connection, memories)


def without_meaning(data_dir: Path) -> None:
    """Let workers on this folder search by words alone; they then start quickly."""
    paths = Paths(data_dir)
    paths.create()
    paths.settings.write_text('{"semantic": false}', encoding="utf-8")


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection in one transaction, as another program would write."""
    with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
        yield connection


def add(connection: sqlite3.Connection, memories: Iterable[Memory]) -> list[int]:
    """Insert observations, each into the one session of its project; return their ids."""
    return [_add(connection, memory) for memory in memories]


def add_summary(connection: sqlite3.Connection, request: str, *, project: str, at: int) -> None:
    """Insert a session summary."""
    connection.execute(
        "INSERT INTO session_summaries (memory_session_id, project, request, created_at,"
        " created_at_epoch) VALUES (?, ?, ?, '', ?)",
        (_session(connection, project), project, request, at),
    )


def add_prompt(connection: sqlite3.Connection, text: str, *, project: str, at: int) -> None:
    """Insert what a user typed."""
    session = _session(connection, project)
    connection.execute(
        "INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at,"
        " created_at_epoch) VALUES (?, 1, ?, '', ?)",
        (f"content of {session}", text, at),
    )


def _add(connection: sqlite3.Connection, memory: Memory) -> int:
    cursor = connection.execute(
        "INSERT INTO observations (memory_session_id, project, type, title, narrative, facts,"
        " concepts, files_read, files_modified, created_at, created_at_epoch)"
        " VALUES (?, ?, ?, ?, ?, '[]', '[]', '[]', '[]', '', ?)",
        (
            _session(connection, memory.project),
            memory.project,
            memory.type,
            memory.title,
            memory.narrative,
            memory.at,
        ),
    )
    assert cursor.lastrowid
    return cursor.lastrowid


def _session(connection: sqlite3.Connection, project: str) -> str:
    """Return the memory session id of a project's one session, which is made when missing."""
    name = f"session of {project}"
    connection.execute(
        "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at,"
        " started_at_epoch) SELECT ?, ?, ?, '', ? WHERE NOT EXISTS"
        " (SELECT 1 FROM sdk_sessions WHERE memory_session_id = ?)",
        (f"content of {name}", name, project, NOON, name),
    )
    return name
