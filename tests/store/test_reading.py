"""Heads and records: every database that claude-mem made, and rows as odd as they come."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.rows import MARCH, insert, loosen, plain, plant
from worker.shared.refs import Kind, Ref
from worker.store.filters import Filters
from worker.store.layout import TABLES
from worker.store.records import FIELDS, LIST_FIELDS, UNTITLED, Record
from worker.store.store import Store


def everything(store: Store) -> dict[Ref, Record]:
    return store.records([Ref(kind, id_) for kind in Kind for id_ in store.ids(kind)])


def fingerprint(path: Path) -> str:
    """The whole schema and every row, as one hash."""
    total = hashlib.sha256()
    with closing(sqlite3.connect(path)) as connection:
        for line in connection.iterdump():
            total.update(line.encode())
        total.update(str(connection.execute("PRAGMA journal_mode").fetchone()).encode())
    return total.hexdigest()


def test_every_row_of_claude_mem_is_read_as_plain_sql_has_it(claude_mem: Path) -> None:
    store = Store(claude_mem)
    store.open()
    records = everything(store)
    store.close()
    with plain(claude_mem) as connection:
        connection.row_factory = sqlite3.Row
        for kind, table in TABLES.items():
            for row in connection.execute(f"SELECT * FROM {table}").fetchall():
                record = records.pop(Ref(kind, row["id"]))
                assert record.created_at_epoch == row["created_at_epoch"]
                for name in FIELDS[kind]:
                    if name in LIST_FIELDS:
                        assert record.items(name) == tuple(json.loads(row[name] or "[]"))
                    else:
                        assert record.get(name) == (row[name] or "")
                if kind is not Kind.PROMPT:
                    assert (record.project, record.session) == (
                        row["project"],
                        row["memory_session_id"],
                    )
    assert records == {}


def test_a_prompt_has_the_project_of_its_session(claude_mem: Path) -> None:
    store = Store(claude_mem)
    store.open()
    found = {
        ref.id: record.project for ref, record in everything(store).items() if ref.kind == "prompt"
    }
    store.close()
    with plain(claude_mem) as connection:
        sql = (
            "SELECT p.id, s.project FROM user_prompts p "
            "JOIN sdk_sessions s ON s.content_session_id = p.content_session_id"
        )
        assert found == dict(connection.execute(sql).fetchall())


def test_reading_changes_nothing_in_the_file(claude_mem: Path) -> None:
    before = fingerprint(claude_mem)
    store = Store(claude_mem)
    store.open()
    refs = list(everything(store))
    assert len(refs) == 51
    store.heads(refs)
    store.select(Filters(project="planted"), ascending=False, limit=50, offset=0)
    store.count(Filters(concepts=("gotcha",), files=("src",)))
    store.find_literal(["the"], Filters(), limit=20, seconds=5)
    store.window(refs[0], before=3, after=3, project="planted")
    store.stats()
    store.data_version()
    store.close()
    assert fingerprint(claude_mem) == before


def test_rows_that_claude_mem_writes_meanwhile_are_seen(claude_mem: Path) -> None:
    store = Store(claude_mem)
    store.open()
    assert store.counts()[Kind.OBSERVATION] == 40
    with closing(sqlite3.connect(claude_mem, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        new = insert(writer, "observations", title="while reading")
        assert store.counts()[Kind.OBSERVATION] == 40
        writer.execute("COMMIT")
        assert store.heads([Ref(Kind.OBSERVATION, new)])
    store.close()


def test_columns_that_appear_while_the_file_is_open_are_read(store: Store) -> None:
    with plain(store.path) as connection:
        connection.execute("DROP INDEX idx_observations_merged_into")
        connection.execute("ALTER TABLE observations DROP COLUMN merged_into_project")
    ref = Ref(Kind.OBSERVATION, plant(store.path, "observations", project="branch"))
    assert store.records([ref])[ref].merged_into_project is None
    assert store.count(Filters(project="main")) == 0
    with plain(store.path) as connection:
        connection.execute("ALTER TABLE observations ADD COLUMN merged_into_project TEXT")
        connection.execute("UPDATE observations SET merged_into_project = 'main'")
    assert store.records([ref])[ref].merged_into_project == "main"
    assert store.count(Filters(project="main")) == 1


def test_any_number_of_records_can_be_asked_for(store: Store) -> None:
    with plain(store.path) as connection:
        ids = [insert(connection, "observations", title=f"t{n}") for n in range(300)]
    refs = [Ref(Kind.OBSERVATION, id_) for id_ in range(1, 100_001)]
    assert sorted(ref.id for ref in store.heads(refs)) == ids
    assert len(store.records(refs)) == 300
    assert store.heads([]) == {}
    assert store.records([Ref(Kind.PROMPT, 1)]) == {}


def test_the_number_and_range_of_ids(store: Store) -> None:
    assert store.id_range(Kind.SESSION) is None
    assert store.ids(Kind.SESSION) == []
    for _ in range(3):
        plant(store.path, "session_summaries")
    with plain(store.path) as connection:
        connection.execute("DELETE FROM session_summaries WHERE id = 2")
    assert store.id_range(Kind.SESSION) == (1, 3)
    assert store.ids(Kind.SESSION) == [3, 1]


@pytest.mark.parametrize(
    ("columns", "title"),
    [
        ({"title": " A\n\ttitle "}, "A title"),
        ({"title": " \u3000\n", "subtitle": "sub"}, "sub"),
        ({"title": "", "narrative": "story", "text": "text"}, "story"),
        ({"text": "only text"}, "only text"),
        ({"title": b"bytes \xff"}, "bytes \ufffd"),
        ({}, UNTITLED),
    ],
)
def test_the_first_text_that_is_not_blank_is_the_title(
    columns: dict[str, object], title: str, store: Store
) -> None:
    ref = Ref(Kind.OBSERVATION, plant(store.path, "observations", **columns))
    assert store.heads([ref])[ref].title == store.records([ref])[ref].title == title


def test_a_head_holds_only_the_beginning_of_a_long_prompt(store: Store) -> None:
    ref = Ref(Kind.PROMPT, plant(store.path, "user_prompts", prompt_text="long " * 50_000))
    head, record = store.heads([ref])[ref], store.records([ref])[ref]
    assert len(head.title) < 1_001
    assert record.title.startswith(head.title)


def test_a_record_leaves_out_what_is_empty_and_keeps_the_reading_order(store: Store) -> None:
    columns = {
        "learned": "l",
        "request": "r",
        "notes": "  ",
        "files_edited": '["f"]',
        "files_read": "[]",
    }
    ref = Ref(Kind.SESSION, plant(store.path, "session_summaries", prompt_number=4, **columns))
    record = store.records([ref])[ref]
    assert record.fields == (("request", "r"), ("learned", "l"), ("files_edited", ("f",)))
    assert (record.type, record.session, record.prompt_number) == ("session", "m", 4)


def test_the_oddest_row_is_read(store: Store) -> None:
    loosen(store.path, "observations")
    odd = {
        "memory_session_id": None, "project": None, "type": b"\xfe", "title": 12,
        "narrative": b"raw \xf0", "facts": '{"a": [1, {"b": null}]}', "concepts": b'["\xe4"]',
        "files_read": "[", "files_modified": 3.5, "prompt_number": "two", "created_at": 5,
        "created_at_epoch": "then", "merged_into_project": "",
    }  # fmt: skip
    ref = Ref(Kind.OBSERVATION, plant(store.path, "observations", **odd))
    with plain(store.path) as connection:
        connection.execute("UPDATE observations SET subtitle = CAST(x'c328' AS TEXT)")
    record = store.records([ref])[ref]
    assert dict(record.fields) == {
        "title": "12", "subtitle": "\ufffd(", "narrative": "raw \ufffd", "facts": ("1",),
        "concepts": ("\ufffd",), "files_read": ("[",), "files_modified": ("3.5",),
    }  # fmt: skip
    assert (record.project, record.type, record.created_at_epoch) == ("", "\ufffd", 0)
    assert (record.merged_into_project, record.session, record.prompt_number) == (None, "", None)
    assert store.heads([ref])[ref].title == "12"
    assert store.select(Filters(), ascending=False, limit=5, offset=0)[0].ref == ref
    assert store.count(Filters(concepts=("x",), files=("y",))) == 0
    assert store.stats()["oldest"] is None


def test_a_prompt_whose_session_row_is_gone_goes_by_the_name_of_the_session(store: Store) -> None:
    plant(store.path, "sdk_sessions", content_session_id="c", memory_session_id="m", project="p")
    refs = [
        Ref(
            Kind.PROMPT,
            plant(store.path, "user_prompts", session_db_id=row, content_session_id=name),
        )
        for row, name in ((1, "c"), (None, "c"), (77, "c"), (1, "unknown"), (77, "unknown"))
    ]
    records = store.records(refs)
    assert [records[ref].project for ref in refs] == ["p", "p", "p", "p", ""]
    assert [records[ref].session for ref in refs] == ["m", "m", "m", "m", ""]
    assert store.count(Filters(project="p")) == 4


def first_version(connection: sqlite3.Connection) -> None:
    """As the first versions had it: other names, one text, neither summaries nor merging."""
    for table, columns in {
        "sdk_sessions": "claude_session_id TEXT UNIQUE, sdk_session_id TEXT UNIQUE, project TEXT",
        "observations": "sdk_session_id TEXT, project TEXT, text TEXT, type TEXT, "
        "created_at TEXT, created_at_epoch INTEGER",
        "user_prompts": "claude_session_id TEXT, prompt_number INTEGER, prompt_text TEXT, "
        "created_at TEXT, created_at_epoch INTEGER",
    }.items():
        connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, {columns})")
    connection.execute("INSERT INTO sdk_sessions VALUES (1, 'c', 'm', 'p')")
    connection.execute(
        "INSERT INTO observations VALUES (1, 'm', 'p', 'zorblatt', 'fix', '', ?)", (MARCH,)
    )
    connection.execute("INSERT INTO user_prompts VALUES (1, 'c', 2, 'why?', '', ?)", (MARCH + 1,))


def bare(connection: sqlite3.Connection) -> None:
    """Nothing but ids."""
    connection.execute("CREATE TABLE observations (id INTEGER PRIMARY KEY)")
    connection.execute("CREATE TABLE user_prompts (id INTEGER PRIMARY KEY)")
    connection.execute("CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO observations VALUES (1)")
    connection.execute("INSERT INTO user_prompts VALUES (1)")


@pytest.mark.parametrize("make", [first_version, bare])
def test_files_with_fewer_columns_are_used_in_place(
    make: Callable[[sqlite3.Connection], None], tmp_path: Path
) -> None:
    path = tmp_path / "claude-mem.db"
    with plain(path) as connection:
        make(connection)
    before = fingerprint(path)
    store = Store(path)
    store.open()
    observation, prompt = Ref(Kind.OBSERVATION, 1), Ref(Kind.PROMPT, 1)
    records = store.records([observation, prompt, Ref(Kind.SESSION, 1)])
    assert set(records) == {observation, prompt}
    assert len(store.select(Filters(), ascending=True, limit=9, offset=0)) == 2
    assert [head.ref for head in store.window(prompt, before=1, after=1, project=None)] == [
        observation,
        prompt,
    ]
    known = make is first_version
    assert store.count(Filters(project="p")) == (2 if known else 0)
    assert store.projects() == ([("p", 2)] if known else [])
    assert len(store.find_literal(["zorblatt"], Filters(), limit=5, seconds=5)) == known
    assert store.counts() == {Kind.OBSERVATION: 1, Kind.SESSION: 0, Kind.PROMPT: 1}
    assert store.ids(Kind.SESSION) == []
    assert {record.session for record in records.values()} == ({"m"} if known else {""})
    assert store.stats()["months"] == ({"2026-03": 2} if known else {})
    store.close()
    assert fingerprint(path) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user bound by modes")
def test_a_file_that_may_only_be_read_is_read(store: Store) -> None:
    store.close()
    store.path.chmod(0o400)
    store.open()
    assert store.counts()[Kind.OBSERVATION] == 0


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (Kind.OBSERVATION, "title = 'another'"),
        (Kind.OBSERVATION, "facts = '[\"b\"]'"),
        (Kind.OBSERVATION, "title = 'n', narrative = 'arrative'"),  # moved, not changed in length
        (Kind.OBSERVATION, "narrative = CAST(x'ff00' AS TEXT)"),
        (Kind.OBSERVATION, "type = 'decision'"),
        (Kind.OBSERVATION, "project = 'q'"),
        (Kind.OBSERVATION, "merged_into_project = 'q'"),
        (Kind.OBSERVATION, "created_at_epoch = created_at_epoch + 1"),
        (Kind.SESSION, "learned = 'it'"),
        (Kind.PROMPT, "prompt_text = 'how'"),
    ],
)
def test_a_print_changes_with_all_that_is_searched(store: Store, kind: Kind, change: str) -> None:
    path = store.path
    ids = {k: [plant(path, TABLES[k]) for _ in range(2)] for k in Kind}
    with plain(path) as connection:
        connection.execute("UPDATE observations SET title = '', narrative = 'narrative'")
    refs = [Ref(k, id_) for k, both in ids.items() for id_ in both]
    before = store.prints([*refs, Ref(Kind.PROMPT, 99)])
    assert store.prints(refs) == before
    assert set(before) == set(refs)

    with plain(path) as connection:
        connection.execute(f"UPDATE {TABLES[kind]} SET {change} WHERE id = {ids[kind][1]}")

    changed = {ref for ref, mark in store.prints(refs).items() if mark != before[ref]}
    assert changed == {Ref(kind, ids[kind][1])}


def test_a_print_ignores_what_is_not_searched(store: Store) -> None:
    path = store.path
    ref = Ref(Kind.OBSERVATION, plant(path, "observations"))
    before = store.prints([ref])
    with plain(path) as connection:
        connection.execute("UPDATE observations SET discovery_tokens = 7")

    assert store.prints([ref]) == before
