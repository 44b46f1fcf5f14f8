"""Secrets that were stored before anybody looked: told without showing, gone without trace."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.ingest.transcripts.made import Talk
from tests.integration.memories import Memory, add, add_prompt, add_summary, new_database, writing
from worker.backup.service import Backups
from worker.ingest.importer import Importer
from worker.ingest.letting_go import Trash
from worker.ingest.scan import Scan
from worker.ingest.service import Ingest
from worker.ingest.tally import Tally
from worker.ingest.traces import Traces
from worker.shared.contract import SaveRequest, SearchReply, SearchRequest
from worker.shared.jobs import JobState
from worker.shared.keeping import RedactReply, RedactRequest
from worker.shared.paths import Paths
from worker.shared.refs import parse_ref
from worker.shared.trash_contract import DeleteRequest, UndoRequest
from worker.store.store import Store

TOKEN = "ghp_" + "Ab1" * 12
KEY = "AKIA" + "QWERTYUIOPASDFGH"
HASH = "9fceb02d0ae598e95dc970b74767f19372d61af8"
SECRETS = (TOKEN, KEY)


def nothing() -> None:
    """Take the place of what wakes the indexes."""


def find_nothing(_: SearchRequest) -> SearchReply:
    return SearchReply(items=[], total=0, limit=1, offset=0, outcome="none")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths(tmp_path / "data")
    new_database(paths.database)
    paths.create()
    with writing(paths.database) as connection:
        add(
            connection,
            [Memory(f"Deploy with {TOKEN}", f"It needs {KEY} of {HASH}"), Memory("Calm")],
        )
        connection.execute(
            "UPDATE observations SET facts = ?", (json.dumps([f"token {TOKEN}", "b"]),)
        )
        add_prompt(connection, f"use {TOKEN}", project="garden", at=1)
        add_summary(connection, f"used {KEY}", project="garden", at=2)
    return paths


@pytest.fixture
def store(paths: Paths) -> Iterator[Store]:
    opened = Store(paths.database)
    opened.open()
    yield opened
    opened.close()


@pytest.fixture
def scan(store: Store, paths: Paths) -> Scan:
    traces = Traces(store, paths.state, anew=nothing)
    return Scan(store, paths.state, backups=Backups(paths), traces=traces)


def done(scan: Scan, **how: bool) -> RedactReply:
    scan.begin(RedactRequest(**how))
    for thread in threading.enumerate():
        if thread.name == "redact":
            thread.join(60)
    reply = scan.report()
    assert reply.state is JobState.DONE, reply.cause
    return reply


def holding(folder: Path, *texts: str) -> set[str]:
    """Return the files that hold one of these texts, whatever the case of its letters."""
    small = [text.lower().encode() for text in texts]
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.name for path in files if any(text in path.read_bytes().lower() for text in small)}


def test_a_scan_tells_kinds_and_places_and_changes_nothing(
    scan: Scan, store: Store, paths: Paths
) -> None:
    before = list(store.read().iterdump())

    reply = done(scan)

    assert reply.found == {"GitHub token": 4, "AWS Access Key": 2}
    assert {(each.where, each.field) for each in reply.places} == {
        ("#1", "title"), ("#1", "narrative"), ("#1", "facts"), ("#2", "facts"),
        ("#P1", "prompt_text"), ("#S1", "request"),
    }  # fmt: skip
    assert not any(secret in reply.model_dump_json() for secret in SECRETS)
    assert list(store.read().iterdump()) == before
    assert not paths.backups.exists()


def test_applied_no_file_but_the_backup_holds_them_and_all_else_is_as_it_was(
    scan: Scan, store: Store, paths: Paths
) -> None:
    schema = store.read().execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()

    reply = done(scan, apply=True)

    backup = Path(reply.backup).name
    assert reply.applied
    assert reply.backups == [backup]
    assert holding(paths.data_dir, *SECRETS, TOKEN[4:]) == {backup}
    assert store.read().execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == schema
    record = store.records([parse_ref(1)])[parse_ref(1)]
    assert dict(record.fields) == {
        "title": "Deploy with [redacted: GitHub token]",
        "narrative": f"It needs [redacted: AWS Access Key] of {HASH}",
        "facts": ("token [redacted: GitHub token]", "b"),
    }
    assert done(scan).found == {}


def test_the_words_that_stayed_are_found_by_claude_mem_and_the_secret_is_not(
    scan: Scan, store: Store
) -> None:
    done(scan, apply=True)

    sql = "SELECT rowid FROM observations_fts WHERE observations_fts MATCH ?"
    assert store.read().execute(sql, ("deploy",)).fetchall() == [(1,)]
    assert store.read().execute(sql, (f'"{TOKEN}"',)).fetchall() == []


def test_all_backups_go_when_that_is_asked_for_and_a_clean_one_stays(
    scan: Scan, paths: Paths
) -> None:
    Backups(paths).make()

    reply = done(scan, apply=True, drop_backups=True)

    assert holding(paths.data_dir, *SECRETS) == set()
    assert Backups(paths).names() == [Path(reply.backup).name]
    assert reply.backups == []


def test_backups_can_be_dropped_later_too(scan: Scan, paths: Paths) -> None:
    done(scan, apply=True)

    done(scan, apply=True, drop_backups=True)

    assert holding(paths.data_dir, *SECRETS) == set()
    assert len(Backups(paths).names()) == 1


def test_what_was_deleted_and_what_claude_asked_is_cleaned_too(
    scan: Scan, store: Store, paths: Paths
) -> None:
    traces = Traces(store, paths.state, anew=nothing)
    trash = Trash(
        store, paths.state, wake=nothing, search=find_nothing, traces=traces, backups=Backups(paths)
    )
    trash.delete(DeleteRequest(ids=("1",)))
    with closing(sqlite3.connect(paths.state)) as connection, connection:
        connection.execute(
            "INSERT INTO recalls (at, client, tool, asked, filters, refs, tokens, ms, outcome,"
            " problem) VALUES (1, 'c', 'search', ?, '{}', '[]', 1, 1, 'hits', '')",
            (f"where is {KEY}",),
        )

    reply = done(scan, apply=True)

    assert {("#1, deleted", "narrative"), ("recalls 1", "asked")} <= {
        (each.where, each.field) for each in reply.places
    }
    backups = {path.name for path in paths.backups.iterdir()}
    assert holding(paths.data_dir, *SECRETS) <= backups
    trash.undo(UndoRequest())
    title = store.heads([parse_ref(1)])[parse_ref(1)].title
    assert title == "Deploy with [redacted: GitHub token]"


def test_what_was_imported_is_known_again_and_can_be_undone(
    store: Store, scan: Scan, paths: Paths, tmp_path: Path
) -> None:
    file = Talk().asks("Say it").says("Done.").write(tmp_path)
    importer, tally = Importer(store, paths.state, nothing), Tally("job")
    importer.take_in(file, tally)
    with writing(paths.database) as connection:  # as an import of an older version would have it
        connection.execute("UPDATE user_prompts SET prompt_text = ? WHERE id = 2", (f"Say {KEY}",))

    done(scan, apply=True)
    file = Talk().asks(f"Say {KEY}").says("Done.").write(tmp_path)
    again = Tally("again")
    importer.take_in(file, again)

    assert again.added.total() == 0


def test_the_same_text_saved_again_is_known(store: Store, scan: Scan, paths: Paths) -> None:
    done(scan, apply=True)

    ingest, request = Ingest(store, paths.state), SaveRequest(text=f"The key is {KEY}")

    assert ingest.save(request).saved
    assert not ingest.save(request).saved
