"""A database that claude-mem made, and one of ours, in use by others while we search it."""

import random
import re
import shutil
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.bench.databases import reading
from tests.bench.material import SHARED
from tests.bench.tokens import has_every_word, read_stored
from tests.integration.mcp_client import McpClient, connected
from tests.integration.memories import (
    MINUTE,
    NOON,
    Memory,
    add,
    add_prompt,
    add_summary,
    new_database,
    some,
    writing,
)
from tests.integration.processes import Worker, environment, running
from tests.integration.writer import PROJECT, Writer, writer_on
from worker.shared.paths import Paths

DATABASES = SHARED / "data" / "claude_mem"
FRESH = "fresh"
SHUFFLED = "shuffled"  # a project whose ids do not run in time order
LAST = NOON + 10 * 365 * 24 * 60 * MINUTE  # no other row is as late
WITHIN = 2.0  # seconds, until a row that others wrote is found

# Each content column of the three kinds, for plain LIKE.
CONTENT = {
    "": ("observations", "title subtitle narrative text facts concepts files_read files_modified"),
    "S": (
        "session_summaries",
        "request investigated learned completed next_steps notes files_read files_edited",
    ),
    "P": ("user_prompts", "prompt_text"),
}


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of a database. Each of the words occurs only as a whole word in it."""

    two_words: tuple[str, str]
    chinese: str
    question: str
    telling: tuple[str, ...]  # the words of the question that only its answer has all of


OF_CLAUDE_MEM = Questions(
    two_words=("subbackup", "subproxy"),
    chinese="缓存失效",
    question="Which flag broke the C++ and node.js builds?",
    telling=("flag", "broke", "node.js"),
)
OF_OURS = Questions(
    two_words=("lock", "disk"),
    chinese="连接池",
    question="Why does the calendar widget pick the wrong day in Lisbon?",
    telling=("calendar", "Lisbon"),
)
EXTRA = (
    Memory("连接池耗尽导致请求超时", "我们把连接池的上限提高到五十。"),
    Memory("缓存没有失效", "键里缺少版本号。"),
    Memory("Calendar in Lisbon", "The widget took the day from UTC and was one day behind."),
)


@dataclass(frozen=True, slots=True)
class Lab:
    """One database in use: by our worker, an MCP client of it, and a program that writes."""

    database: Path
    questions: Questions
    schema: Sequence[tuple[object, ...]]
    rows: Sequence[tuple[object, ...]]
    worker: Worker
    client: McpClient
    writer: Writer


@pytest.fixture(
    scope="module",
    params=[FRESH, *(f"claude-mem-v{version}.db" for version in ("10.6.3", "13.10.0", "13.25.3"))],
)
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    data_dir = tmp_path_factory.mktemp("data")
    database = Paths(data_dir).database
    if request.param == FRESH:
        new_database(database, [*some(), *EXTRA])
    elif (DATABASES / request.param).exists():
        shutil.copyfile(DATABASES / request.param, database)
    else:
        pytest.skip(f"{DATABASES / request.param} is absent")
    with writing(database) as connection:
        shuffle(connection)
    schema, rows = read_schema(database), read_rows(database)
    environ = environment(tmp_path_factory.mktemp("home"))
    with (
        writer_on(database) as writer,
        running(data_dir, environ=environ) as worker,
        connected(data_dir, environ) as client,
    ):
        fresh = request.param == FRESH
        parts = {"store", "keyword", "vectors", "chroma", "model"} if fresh else {"keyword"}
        worker.until("/api/ready", lambda _, body: parts <= whole_parts(body), seconds=120)
        questions = OF_OURS if fresh else OF_CLAUDE_MEM
        yield Lab(database, questions, schema, rows, worker, client, writer)
        assert writer.is_alive()


def whole_parts(ready: dict[str, Any]) -> set[str]:
    """Return the parts that are ready; those of meaning take long, and words do not need them."""
    return {part["part"] for part in ready["parts"] if part["state"] == "ok"}


def shuffle(connection: sqlite3.Connection) -> None:
    """Add rows of all kinds whose ids do not run in time order, some at the same moment."""
    chance = random.Random(5)
    moments = [LAST + MINUTE * (n // 2) for n in range(24)]  # each twice
    chance.shuffle(moments)
    for number, at in enumerate(moments):
        if number % 6 == 4:
            add_summary(connection, f"Summary {number}", project=SHUFFLED, at=at)
        elif number % 6 == 5:
            add_prompt(connection, f"Prompt {number}", project=SHUFFLED, at=at)
        else:
            add(connection, [Memory(f"Step {number}", project=SHUFFLED, at=at)])


def read_schema(database: Path) -> list[tuple[object, ...]]:
    with reading(database) as connection:
        return connection.execute("SELECT * FROM sqlite_master ORDER BY rowid").fetchall()


def read_rows(database: Path) -> list[tuple[object, ...]]:
    """Return every row of every plain table, but those of the program that writes."""
    with reading(database) as connection:
        tables = [
            table
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")
            if "_fts" not in table and not table.startswith("sqlite_")
        ]
        rows = [
            (table, *row)
            for table in tables
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1")
        ]
    return [row for row in rows if PROJECT not in row]


def holding(database: Path, words: Sequence[str]) -> set[str]:
    """Return the rows of all kinds that hold every word, as LIKE tells."""
    found = set()
    with reading(database) as connection:
        for letter, (table, columns) in CONTENT.items():
            text = "||' '||".join(f"coalesce({name}, '')" for name in columns.split())
            every = " AND ".join(f"{text} LIKE ?" for _ in words)
            sql = f"SELECT id FROM {table} WHERE {every}"
            found |= {
                f"{letter}{id_}"
                for (id_,) in connection.execute(sql, [f"%{word}%" for word in words])
            }
    return found


def in_time_order(database: Path, project: str | None) -> list[str]:
    """Return the rows of a project, or all but those of the program that writes."""
    theirs = "project != :busy" if project is None else "project = :project"
    sql = f"""
        SELECT created_at_epoch, 0, id, '' FROM observations WHERE {theirs}
        UNION ALL SELECT created_at_epoch, 1, id, 'S' FROM session_summaries WHERE {theirs}
        UNION ALL SELECT created_at_epoch, 2, id, 'P' FROM user_prompts WHERE content_session_id
            IN (SELECT content_session_id FROM sdk_sessions WHERE {theirs})
        ORDER BY 1, 2, 3"""
    with reading(database) as connection:
        rows = connection.execute(sql, {"project": project, "busy": PROJECT}).fetchall()
    return [f"{letter}{id_}" for _, _, id_, letter in rows]


def window(rows: Sequence[str], anchor: str, *, before: int, after: int) -> list[str]:
    """Return the anchor with its neighbours on both sides, out of all rows in time order."""
    place = rows.index(anchor)
    earlier, later = list(reversed(rows[:place])), list(rows[place + 1 :])
    return [*reversed(side(earlier, before)), anchor, *side(later, after)]


def side(rows: Sequence[str], count: int) -> list[str]:
    """Return the nearest observations, and as many others at most that lie between them."""
    observations = [ref for ref in rows if ref.isdigit()]
    if 0 < count <= len(observations):
        rows = rows[: rows.index(observations[count - 1]) + 1]
    others = [ref for ref in rows if not ref.isdigit()][:count]
    return [ref for ref in rows if ref in others or ref in observations[:count]]


def test_two_words_find_first_the_rows_that_hold_both(lab: Lab) -> None:
    one, two = lab.questions.two_words
    both = holding(lab.database, (one, two))
    assert len(both) >= 3

    assert set(lab.client.refs("search", query=f"{one} {two}")[: len(both)]) == both
    assert set(lab.client.refs("search", query=f"{one} AND {two}")) == both
    only = holding(lab.database, (one,)) - both
    assert set(lab.client.refs("search", query=f"{one} -{two}", limit=100)) == only


def test_chinese_finds_the_rows_that_hold_it(lab: Lab) -> None:
    expected = holding(lab.database, (lab.questions.chinese,))
    assert expected

    assert set(lab.client.refs("search", query=f'"{lab.questions.chinese}"')) == expected
    found = lab.client.refs("search", query=lab.questions.chinese)
    assert set(found[: len(expected)]) == expected
    assert expected <= set(lab.client.refs("search", query=lab.questions.chinese[:2]))


def test_a_question_finds_the_row_that_answers_it(lab: Lab) -> None:
    (answer,) = holding(lab.database, lab.questions.telling)

    assert lab.client.refs("search", query=lab.questions.question)[0] == answer


def test_made_up_words_find_nothing(lab: Lab) -> None:
    assert "No memories" in lab.client.call("search", query="zxqv plugh")


def test_a_timeline_is_in_true_time_order_around_each_row(lab: Lab) -> None:
    rows = in_time_order(lab.database, SHUFFLED)
    assert [ref for ref in rows if ref.isdigit()] != sorted(filter(str.isdigit, rows), key=int)

    for anchor in rows:  # the first and the last, too
        found = lab.client.refs("timeline", anchor=anchor)
        assert found == window(rows, anchor, before=3, after=3), anchor
    for before, after in ((0, 0), (1, 4), (50, 50)):
        found = lab.client.refs("timeline", anchor=rows[9], depth_before=before, depth_after=after)
        assert found == window(rows, rows[9], before=before, after=after)


def test_a_timeline_over_all_projects_has_both_ends(lab: Lab) -> None:
    rows = in_time_order(lab.database, None)

    for anchor in (rows[0], rows[1], rows[-2], rows[-1]):
        found = lab.client.refs("timeline", anchor=anchor, project="*")
        assert found == window(rows, anchor, before=3, after=3)


def test_details_are_the_rows_in_the_order_asked_for(lab: Lab) -> None:
    with reading(lab.database) as connection:
        ids = [id_ for (id_,) in connection.execute("SELECT id FROM observations LIMIT 12")]
        stored = {id_: read_stored(connection, id_) for id_ in ids}
    ids.sort(key=lambda id_: (id_ % 3, id_))

    whole = lab.client.call("get_observations", ids=ids)

    assert [int(id_) for id_ in re.findall(r"^#(\d+) \|", whole, re.MULTILINE)] == ids
    for id_ in ids[:4]:
        assert has_every_word(lab.client.call("get_observations", ids=[id_]), stored[id_])


def test_what_others_commit_is_found_at_once(lab: Lab) -> None:
    waits = []
    for _ in range(5):
        written = lab.writer.next()
        while lab.client.refs("search", query=written.word)[:1] != [str(written.id)]:
            assert time.time() < written.committed + 30, f"{written.word} is not found"
        waits.append(time.time() - written.committed)

    assert sorted(waits)[2] < WITHIN, waits


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_nothing_but_rows_was_added_and_all_is_for_the_user_alone(lab: Lab) -> None:
    assert read_schema(lab.database) == lab.schema
    assert read_rows(lab.database) == lab.rows
    with closing(sqlite3.connect(lab.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    own = Paths(lab.database.parent).own
    open_files = [path for path in own.rglob("*") if path.name.endswith(("-wal", ".sqlite3"))]
    assert len(open_files) >= 2
    for path in [own, *own.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), f"{path} has mode {mode:o}"
