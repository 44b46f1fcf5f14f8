"""What claude-mem writes into a session that was imported is its own, whatever imports do."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.transcripts.made import Talk, pool_talk
from tests.integration.memories import new_database, writing
from worker.ingest.importing import Imports
from worker.shared.jobs import ImportPathsRequest, JobReply, JobState
from worker.shared.paths import Paths
from worker.store.store import Store

SIZE = "Twenty connections are enough: more than that, and Postgres itself begins to wait."
FORMER_NAMES = """
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE
  NOT NULL, sdk_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT,
  started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, status TEXT NOT NULL);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL,
  project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT,
  narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL,
  project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT,
  next_steps TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT NOT NULL,
  prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL);
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths(tmp_path / "data")
    paths.create()
    return paths


@pytest.fixture
def imports(paths: Paths) -> Iterator[Imports]:
    new_database(paths.database)
    yield from on(paths)


def on(paths: Paths) -> Iterator[Imports]:
    store = Store(paths.database)
    store.open()
    yield Imports(store, paths.state, lambda: None)
    store.close()


def imported(imports: Imports, file: Path) -> JobReply:
    job = imports.begin(ImportPathsRequest(paths=[str(file)], yes=True))
    deadline = time.monotonic() + 60
    while imports.job(job.id).state is JobState.RUNNING:
        assert time.monotonic() < deadline
    done = imports.job(job.id)
    assert done.state is JobState.DONE, done.cause
    return done


def rows(paths: Paths, table: str) -> list[Any]:
    with writing(paths.database) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()


def note(paths: Paths, talk: Talk, prompt: str, *, later: int) -> None:
    """Note a prompt as claude-mem's hook does: at a time of its own, milliseconds later."""
    with writing(paths.database) as connection:
        connection.execute(
            "INSERT INTO user_prompts (session_db_id, content_session_id, prompt_number,"
            " prompt_text, created_at, created_at_epoch) SELECT 1, ?, 3, ?, '',"
            " max(created_at_epoch) + ? FROM user_prompts",
            (talk.session, prompt, later),
        )


def summarise(paths: Paths, talk: Talk, request: str) -> None:
    """Add a summary as claude-mem does, which tells how many tokens it cost."""
    with writing(paths.database) as connection:
        connection.execute(
            "INSERT INTO session_summaries (memory_session_id, project, request,"
            " discovery_tokens, created_at, created_at_epoch) VALUES (?, 'shop', ?, 900, '', 1)",
            (f"memtray-{talk.session}", request),
        )


def test_a_session_that_claude_mem_goes_on_with_is_left_to_it(
    imports: Imports, paths: Paths, tmp_path: Path
) -> None:
    talk = pool_talk()
    imported(imports, talk.write(tmp_path))
    note(paths, talk, "Which size?", later=90_000)  # when it is asked, below, and a bit
    summarise(paths, talk, "Sizes")
    before = [rows(paths, table) for table in ("user_prompts", "session_summaries")]

    done = imported(imports, talk.asks("Which size?").says(SIZE).write(tmp_path))

    assert (done.added, done.recorded) == ({}, 1)
    assert [rows(paths, table) for table in ("user_prompts", "session_summaries")] == before


def test_the_same_words_asked_again_soon_are_no_sign_of_claude_mem(
    imports: Imports, tmp_path: Path
) -> None:
    talk = pool_talk().asks("go on").says(SIZE)
    imported(imports, talk.write(tmp_path))
    talk.asks("go on").says("Thirty connections are too many for a disk of that kind, by far.")

    done = imported(imports, talk.write(tmp_path))

    assert (done.added["user_prompts"], done.recorded) == (1, 0)


def test_its_summary_stays_when_an_import_grows_and_when_it_is_undone(
    imports: Imports, paths: Paths, tmp_path: Path
) -> None:
    talk = pool_talk()
    first = imported(imports, talk.write(tmp_path))
    summarise(paths, talk, "Sizes")
    theirs = rows(paths, "session_summaries")[1]
    second = imported(imports, talk.asks("Which size?").says(SIZE).write(tmp_path))
    assert second.added["session_summaries"] == 1
    assert theirs in rows(paths, "session_summaries")

    for job in (second, first):
        imports.undo(job.id)

    assert rows(paths, "session_summaries") == [theirs]
    assert rows(paths, "observations") == rows(paths, "user_prompts") == []


def test_a_database_with_the_former_names_of_columns_takes_and_gives_back(
    paths: Paths, tmp_path: Path
) -> None:
    with writing(paths.database) as connection:
        connection.executescript(FORMER_NAMES)
    file = pool_talk().write(tmp_path)

    for imports in on(paths):
        job = imported(imports, file)
        again = imported(imports, file)
        removed = imports.undo(job.id).removed

    assert job.added["observations"] == 2
    assert (again.added, again.known) == ({}, 4)
    assert removed == job.added


def test_there_too_a_session_has_a_summary_of_what_stays(paths: Paths, tmp_path: Path) -> None:
    with writing(paths.database) as connection:
        connection.executescript(FORMER_NAMES)
    talk = pool_talk()

    for imports in on(paths):
        imported(imports, talk.write(tmp_path))
        before = [row[1:] for row in rows(paths, "session_summaries")]
        grown = imported(imports, talk.asks("Which size?").says(SIZE).write(tmp_path))
        imports.undo(grown.id)

    assert [row[1:] for row in rows(paths, "session_summaries")] == before
