"""claude-mem itself on a database that was filled by imports: what it shows, and what it writes."""

import datetime as dt
import json
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import count, takewhile
from pathlib import Path
from threading import Event
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.bench.material import SHARED
from tests.ingest.claude_ai.exports import ANSWER, pool, said, talk, zipped
from tests.ingest.transcripts.made import Talk, pool_talk
from tests.integration.answers import until_whole
from tests.integration.beside import ClaudeMem, claude_mem, surroundings, until_found
from tests.integration.memories import writing
from tests.integration.processes import Worker, command, running
from tests.integration.saving import save
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths

pytestmark = pytest.mark.slow

TABLES = {
    "observations": "observations",
    "summaries": "session_summaries",
    "prompts": "user_prompts",
}
WEB = Talk(session="99999999-2222-4333-8444-555555555555", cwd="/home/mia/code/web")


@dataclass(frozen=True, slots=True)
class Both:
    """Both workers, on a database that holds nothing but what was imported."""

    ours: Worker
    theirs: ClaudeMem
    folder: Path  # of the transcripts
    environ: dict[str, str]

    def run(self, *args: str) -> Any:  # noqa: ANN401 - JSON
        """Run a command of ours, and return its JSON."""
        done = command(*args, "--json", "--data-dir", str(self.ours.data_dir), environ=self.environ)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def trash(self, route: str, **body: object) -> Any:  # noqa: ANN401 - JSON
        client = WorkerClient(Paths(self.ours.data_dir), "test")
        return client.post(f"/api/memory/{route}", body)

    def stored(self, sql: str) -> list[Any]:
        with closing(sqlite3.connect(Paths(self.ours.data_dir).database)) as connection:
            return connection.execute(sql).fetchall()

    def listed(self, kind: str) -> set[int]:
        """Return the ids of all that claude-mem lists of one kind, page by page."""
        found: set[int] = set()
        more = True
        while more:
            page = self.theirs.ask(f"/api/{kind}?limit=100&offset={len(found)}")
            found |= {item["id"] for item in page["items"]}
            more = page["hasMore"]
        return found

    def tells(self, route: str, **params: object) -> str:
        """Return the text of claude-mem's answer to a search or a timeline."""
        answer = self.theirs.ask(f"/api/{route}?{urlencode(params)}")
        return str(answer["content"][0]["text"])


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    folder = tmp_path_factory.mktemp("imported")
    data_dir, projects = folder / "data", folder / "projects"
    environ = surroundings(data_dir)
    pool_talk().write(projects)
    WEB.asks("Which port does the server take?").says(
        "The web server listens on port 8443, because 443 needs rights that it does not have."
    ).write(projects)
    quiet = talk("c2", said("m9", "human", "你好,连接池是什么?"), title="连接池")
    export = zipped(folder / "export.zip", {"conversations.json": [pool(), quiet]})
    paths = [str(projects), str(export)]
    if (collected := SHARED / "data" / "transcripts").exists():
        paths.append(str(collected))
    with running(data_dir, environ=environ) as ours:
        until_whole(ours)
        done = command("import", *paths, "--data-dir", str(data_dir), environ=environ)
        assert done.returncode == 0, done.stderr
        with claude_mem(environ) as theirs:
            yield Both(ours, theirs, projects, environ)


@pytest.mark.parametrize("kind", TABLES)
def test_claude_mem_lists_every_row_that_was_imported(both: Both, kind: str) -> None:
    stored = {id_ for (id_,) in both.stored(f"SELECT id FROM {TABLES[kind]}")}

    assert len(stored) >= 4
    assert both.listed(kind) == stored


def test_its_search_finds_observations_prompts_and_summaries(both: Both) -> None:
    assert "The pool deadlocks because max_size is 1" in both.tells("search", query="deadlocks")
    assert ANSWER[:40] in both.tells("search", query="exhausted", project="claude.ai")
    asked = both.tells("search", query="checkout", type="prompts")
    assert "Why does checkout hang under load?" in asked
    assert "#S" in both.tells("search", query="checkout", type="sessions", project="shop")
    by_file = both.tells("search/by-file", filePath="src/pool.py")
    assert "fix: give checkout two connections" in by_file


def test_its_timeline_and_its_context_show_what_was_imported(both: Both) -> None:
    around = both.tells("timeline", query="deadlocks", project="shop")
    context = both.theirs.says("/api/context/inject?project=shop")
    recent = both.tells("context/recent", project="shop")

    assert "**Anchor:** Observation" in around
    assert "Fix it and commit" in around
    assert "fix: give checkout two connections" in around
    assert "The pool deadlocks because max_size is 1" in context
    assert "**Files Edited:** src/pool.py" in recent


def test_we_find_what_it_writes_beside_what_was_imported(both: Both) -> None:
    memory = both.theirs.ask("/api/memory/save", {"text": "Numbats eat termites", "project": "zoo"})
    prompt = {"contentSessionId": "new", "project": "zoo", "prompt": "Do bilbies burrow?"}
    both.theirs.ask("/api/sessions/init", prompt)
    (id_,) = both.stored("SELECT max(id) FROM user_prompts")[0]

    until_found(both.ours, "numbats termites", memory["id"])
    until_found(both.ours, "bilbies burrow", id_, kind="prompt")


def test_what_is_deleted_and_undone_goes_and_comes_there_too(both: Both) -> None:
    theirs = save_by_them(both, "Wombats dig deep in the shop", project="shop")
    before = row_of(both, theirs)
    ((id_,),) = both.stored(
        "SELECT id FROM observations WHERE title LIKE '%deadlocks because max%'"
    )

    deleted = both.trash("delete", ids=[id_])
    assert (deleted["left"], deleted["deleted"]["observations"]) == (0, 1)
    assert "No results" in both.tells("search", query="deadlocks", project="shop")
    assert id_ not in both.listed("observations")

    assert both.trash("undo", batch=deleted["batch"])["restored"] >= 2
    assert "max_size is 1" in both.tells("search", query="deadlocks", project="shop")
    assert id_ in both.listed("observations")
    assert row_of(both, theirs) == before
    assert "Wombats" in both.tells("search", query="wombats")


def test_while_it_writes_all_the_time_imports_and_deletions_come_and_go(both: Both) -> None:
    kiln = Talk(session="77777777-2222-4333-8444-555555555555", cwd="/home/mia/code/mine")
    kiln.asks("Why is the kiln cold?").says(
        "The kiln is cold because its thermostat was wired the wrong way around."
    ).write(both.folder)
    before = contents(both)
    over = Event()

    def write() -> list[int]:
        numbers = takewhile(lambda _: not over.is_set(), count())
        return [save_by_them(both, f"Kiln note {n} of theirs", project="mine") for n in numbers]

    with ThreadPoolExecutor(1) as pool_of_one:
        writing_all_the_time = pool_of_one.submit(write)
        try:
            for _ in range(3):
                job = both.run("import", str(both.folder), "--yes")
                assert job["added"]["observations"] == 1
                assert "thermostat was wired" in both.tells("search", query="thermostat")
                batch = both.trash("delete", project="shop")
                assert batch["left"] == 0
                assert both.trash("undo", batch=batch["batch"])["restored"] > 4
                undone = both.run("import", "--undo", job["id"])
                assert undone["removed"]["observations"] == 1
        finally:
            over.set()
        ids = writing_all_the_time.result(60)

    assert "No results" in both.tells("search", query="thermostat")
    assert len(ids) > 10
    assert contents(both, without=ids) == before
    assert {row[0] for row in contents(both)["observations"]} >= set(ids)
    until_found(both.ours, f"kiln note {len(ids) - 1} theirs", ids[-1])


def test_a_session_that_it_records_is_left_to_it(both: Both) -> None:
    recorded = Talk(session="55555555-2222-4333-8444-555555555555")
    recorded.asks("Do echidnas roll?").says(
        "Echidnas roll into a ball as soon as they are frightened by anything at all."
    )
    hook = {"contentSessionId": recorded.session, "project": "shop", "prompt": "Do echidnas roll?"}
    both.theirs.ask("/api/sessions/init", hook)

    done = both.run("import", str(recorded.write(both.folder)), "--yes")

    assert (done["added"], done["recorded"]) == ({}, 1)


def test_an_imported_session_that_it_goes_on_with_is_left_to_it_from_then_on(both: Both) -> None:
    asked = "Do numbats sleep at night?"
    hook = {"contentSessionId": WEB.session, "project": "web", "prompt": asked}
    both.theirs.ask("/api/sessions/init", hook)
    ((at, memory),) = both.stored(
        "SELECT p.created_at_epoch, s.memory_session_id FROM user_prompts p"
        f" JOIN sdk_sessions s ON s.id = p.session_db_id WHERE p.prompt_text = '{asked}'"
    )
    with writing(Paths(both.ours.data_dir).database) as connection:  # as its model would have it
        connection.execute(
            "INSERT INTO session_summaries (memory_session_id, project, request, prompt_number,"
            " discovery_tokens, created_at, created_at_epoch) VALUES (?, 'web', ?, 2, 900, '', ?)",
            (memory, "Sleep of numbats", at - 1),
        )
    before = both.stored("SELECT * FROM session_summaries ORDER BY id")
    more = Talk(WEB.session, WEB.cwd, WEB.second, list(WEB.records))
    more.asks(asked, timestamp=iso(at - 40)).says(
        "Numbats sleep at night, because termites are up in the warm hours of the day.",
        timestamp=iso(at + 5_000),
    )

    done = both.run("import", str(more.write(both.folder)), "--yes")

    assert (done["added"], done["recorded"]) == ({}, 1)
    assert both.stored("SELECT * FROM session_summaries ORDER BY id") == before


def test_both_find_the_database_sound_at_the_end(both: Both) -> None:
    save(both.ours, "Kookaburras laugh at dawn", project="zoo")

    assert "Kookaburras" in both.tells("search", query="kookaburras")
    assert both.stored("PRAGMA integrity_check") == [("ok",)]
    assert both.stored("PRAGMA foreign_key_check") == []
    for table in ("observations", "session_summaries", "user_prompts"):
        with writing(Paths(both.ours.data_dir).database) as connection:
            check = f"INSERT INTO {table}_fts ({table}_fts, rank) VALUES ('integrity-check', 1)"
            connection.execute(check)


def save_by_them(both: Both, text: str, *, project: str) -> int:
    return int(both.theirs.ask("/api/memory/save", {"text": text, "project": project})["id"])


def row_of(both: Both, id_: int) -> list[Any]:
    return both.stored(f"SELECT * FROM observations WHERE id = {id_}")


def contents(both: Both, *, without: Sequence[int] = ()) -> dict[str, list[Any]]:
    """Return all rows of the memories but those observations."""
    return {
        table: [
            row
            for row in both.stored(f"SELECT * FROM {table} ORDER BY id")
            if table != "observations" or row[0] not in without
        ]
        for table in TABLES.values()
    }


def iso(milliseconds: int) -> str:
    """Return a time as transcripts tell it."""
    moment = dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
