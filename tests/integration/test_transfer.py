"""Carrying memories from one worker to another by the command line."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ingest.test_claude_mem_export import EXPORT
from tests.ingest.transcripts.made import pool_talk
from tests.integration.answers import search, until_part
from tests.integration.importing import SIZE, old
from tests.integration.memories import (
    NOON,
    add_prompt,
    add_summary,
    new_database,
    some,
    without_meaning,
    writing,
)
from tests.integration.processes import COMMAND, ROOT, Worker, command, environment, running
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths
from worker.shared.portable import MAX_ROW
from worker.shared.readiness import PartState

MEMORIES = 180


@contextmanager
def worker_on(data_dir: Path, *, memories: int = 0) -> Iterator[Worker]:
    """Run a worker that searches by words, on a new database with some memories."""
    if not Paths(data_dir).database.exists():
        new_database(Paths(data_dir).database, some(memories))
    without_meaning(data_dir)
    with running(data_dir) as worker:
        yield worker


def run(worker: Worker, *args: str) -> "subprocess.CompletedProcess[str]":
    """Run a command on the data folder of a worker."""
    environ = environment(worker.data_dir) | {"CLAUDE_MEM_DATA_DIR": str(worker.data_dir)}
    return command(*args, environ=environ)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    data_dir = tmp_path_factory.mktemp("source")
    new_database(Paths(data_dir).database, some(MEMORIES))
    with writing(Paths(data_dir).database) as connection:
        add_summary(connection, "Sum up the 连接池", project="garden", at=NOON)
        add_prompt(connection, "What about the quokka?", project="pond", at=NOON + 1)
    with worker_on(data_dir) as worker:
        yield worker


@pytest.fixture(scope="module")
def exported(source: Worker) -> Path:
    path = source.data_dir / "memories.jsonl"
    done = run(source, "export", str(path))
    assert done.returncode == 0, done.stderr
    assert f"{MEMORIES} observations, 1 summary, 1 prompt" in done.stdout
    return path


def rows(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_is_imported_is_found_and_leaves_again_as_it_came(
    exported: Path, tmp_path: Path
) -> None:
    with worker_on(tmp_path / "target") as target:
        first = run(target, "import", str(exported))
        again = run(target, "import", "--json", str(exported))
        until_found(target, "quokka", "#P1")
        until_found(target, "连接池", "#S1")
        back = run(target, "export", str(tmp_path / "back.jsonl"))

    assert first.returncode == 0, first.stderr
    assert f"Added: 2 sessions, {MEMORIES} observations, 1 summary, 1 prompt." in first.stdout
    assert (json.loads(again.stdout)["added"], json.loads(again.stdout)["known"]) == (
        {}, MEMORIES + 4,
    )  # fmt: skip
    assert back.returncode == 0
    assert rows(tmp_path / "back.jsonl") == rows(exported)
    assert first.stderr == ""  # no progress where nobody looks


def test_the_json_of_claude_mem_comes_in_once(tmp_path: Path) -> None:
    export = tmp_path / "memories.json"
    export.write_text(json.dumps(EXPORT), encoding="utf-8")
    with worker_on(tmp_path / "elsewhere") as worker:
        first = json.loads(run(worker, "import", str(export), "--json").stdout)
        again = json.loads(run(worker, "import", str(export), "--json").stdout)

        assert first["added"] == {"sdk_sessions": 1, "observations": 1, "user_prompts": 1}
        assert (again["added"], again["known"]) == ({}, 3)
        until_found(worker, "runs dry", "#7")


def count(worker: Worker, sql: str) -> int:
    with writing(Paths(worker.data_dir).database) as connection:
        return int(connection.execute(sql).fetchone()[0])


def test_an_import_of_rows_is_undone_but_for_what_others_have_changed(
    exported: Path, tmp_path: Path
) -> None:
    own = tmp_path / "memories.json"
    own.write_text(json.dumps(EXPORT), encoding="utf-8")
    observations = "SELECT count(*) FROM observations"
    with worker_on(tmp_path / "target") as target:
        run(target, "import", str(own))
        done = json.loads(run(target, "import", "--json", str(exported)).stdout)
        again = json.loads(run(target, "import", "--json", str(exported)).stdout)
        with writing(Paths(target.data_dir).database) as connection:
            sql = "UPDATE observations SET title = 'Mine' WHERE id = (SELECT max(id) FROM {})"
            connection.execute(sql.format("observations"))

        assert run(target, "import", "--undo", again["id"]).returncode == 1
        assert count(target, observations) == MEMORIES + 1
        undone = json.loads(run(target, "import", "--undo", done["id"], "--json").stdout)

        assert undone["removed"]["observations"] == MEMORIES - 1
        assert count(target, observations) == 2
        assert count(target, f"{observations} WHERE title = 'Mine'") == 1
        back = json.loads(run(target, "import", "--json", str(exported)).stdout)
        assert back["added"]["observations"] == MEMORIES


def test_a_session_that_came_by_rows_and_grew_leaves_whole(tmp_path: Path) -> None:
    talk, rows = pool_talk(), tmp_path / "rows.jsonl"
    with worker_on(tmp_path / "one") as one:
        assert run(one, "import", str(talk.write(tmp_path / "told"))).returncode == 0
        assert run(one, "export", str(rows)).returncode == 0
    talk.asks("Which size?").says("Twenty connections: more than that, and Postgres itself waits.")
    with worker_on(tmp_path / "other") as other:
        come = [run(other, "import", str(file), "--yes", "--json")
                for file in (rows, talk.write(tmp_path / "told"))]  # fmt: skip
        for done in reversed(come):
            job = json.loads(done.stdout)["id"]
            assert run(other, "import", "--undo", job).returncode == 0

        with writing(Paths(other.data_dir).database) as connection:
            tables = ("sdk_sessions", "observations", "user_prompts", "session_summaries")
            for table in tables:
                assert connection.execute(f"SELECT * FROM {table}").fetchall() == []


def test_no_summary_tells_of_rows_that_left_before_the_growth_on_top(tmp_path: Path) -> None:
    talk, rows = pool_talk(), tmp_path / "rows.jsonl"
    with worker_on(tmp_path / "one") as one:
        assert run(one, "import", str(talk.write(tmp_path / "told"))).returncode == 0
        assert run(one, "export", str(rows)).returncode == 0
    talk.asks("Which size?").says(SIZE)
    with worker_on(tmp_path / "other") as other:
        come = [run(other, "import", str(file), "--yes", "--json")
                for file in (rows, old(talk.write(tmp_path / "told")))]  # fmt: skip
        with writing(Paths(other.data_dir).database) as connection:
            titles = "SELECT id, title FROM observations ORDER BY created_at_epoch"
            *first, (_, growth) = connection.execute(titles).fetchall()

            job = json.loads(come[0].stdout)["id"]
            assert run(other, "import", "--undo", job).returncode == 0

            told = "SELECT coalesce(learned, '') || coalesce(completed, '') FROM session_summaries"
            [(text,)] = connection.execute(told).fetchall()
        assert growth in text
        assert not [title for _, title in first if title in text]


def test_of_an_excluded_project_no_row_comes_in(tmp_path: Path) -> None:
    export = tmp_path / "memories.json"
    export.write_text(json.dumps(EXPORT), encoding="utf-8")
    with worker_on(tmp_path / "elsewhere") as worker:
        run(worker, "exclude", "add", "shop")

        job = json.loads(run(worker, "import", str(export), "--json").stdout)

        assert (job["added"], job["excluded"]) == ({}, 1)


def test_a_session_does_not_bring_back_a_prompt_that_was_deleted(tmp_path: Path) -> None:
    session = EXPORT["sessions"][0] | {"user_prompt": "Why?"}
    prompt = EXPORT["prompts"][0] | {"created_at_epoch": 1_772_359_200_000}
    export = tmp_path / "memories.json"
    export.write_text(json.dumps(EXPORT | {"sessions": [session], "prompts": [prompt]}))
    with worker_on(tmp_path / "elsewhere") as worker:
        run(worker, "import", str(export))
        assert count(worker, "SELECT count(*) FROM sdk_sessions WHERE user_prompt = 'Why?'") == 1
        WorkerClient(Paths(worker.data_dir), "test").post("/api/memory/delete", {"project": "shop"})

        run(worker, "import", str(export))

        assert count(worker, "SELECT count(*) FROM sdk_sessions WHERE user_prompt = 'Why?'") == 0
        assert count(worker, "SELECT count(*) FROM user_prompts") == 0


def until_found(worker: Worker, word: str, ref: str) -> None:
    deadline = time.monotonic() + 30
    while [item.ref for item in search(worker, query=word).items[:1]] != [ref]:
        assert time.monotonic() < deadline, word


def test_one_project_may_leave_alone(source: Worker, tmp_path: Path) -> None:
    path = tmp_path / "pond.jsonl"

    done = run(source, "export", str(path), "--project", "pond", "--json")
    none = run(source, "export", str(tmp_path / "none.jsonl"), "--project", "nobody's")

    assert json.loads(done.stdout)["rows"]["user_prompts"] == 1
    assert json.loads(done.stdout)["rows"]["observations"] == 0
    assert none.returncode == 1
    assert "no memories of project nobody's" in none.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["pond.jsonl"]


def test_an_export_replaces_nothing_unless_told(source: Worker, exported: Path) -> None:
    before = exported.stat().st_ino

    refused = run(source, "export", str(exported))
    forced = run(source, "export", str(exported), "--force")

    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert forced.returncode == 0
    assert exported.stat().st_ino != before


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda content: b"", "is empty"),
        (lambda content: content[: len(content) // 2], "cut off"),
        (lambda content: content.replace(b"observations", b"nowhere", 1), "line 4: a row must"),
        (lambda content: content.replace(b"\n", b"\n" + b"x" * MAX_ROW + b"y\n", 1), "line 2"),
        (lambda content: b'{"uuid": "a"}\n', "memtray-worker export"),
    ],
    ids=["empty", "torn", "odd row", "huge line", "foreign"],
)
def test_of_a_file_that_is_not_whole_nothing_comes_in(
    exported: Path, tmp_path: Path, spoil: Callable[[bytes], bytes], said: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(spoil(exported.read_bytes()))

    with worker_on(tmp_path / "target") as target:
        done = run(target, "import", str(bad))
        counted = target.get("/api/stats?format=json")[1]

    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    assert str(bad) in done.stdout + done.stderr
    assert counted["observations"] == 0


def test_after_kill_9_in_the_middle_a_second_import_completes_it(
    exported: Path, tmp_path: Path
) -> None:
    large = tmp_path / "large.jsonl"
    lines = exported.read_bytes().splitlines(keepends=True)
    row = json.loads(next(line for line in lines if b'"observations"' in line))
    copies = [
        json.dumps({**row, "id": n, "created_at_epoch": n, "content_hash": str(n)}) + "\n"
        for n in range(1000, 6000)
    ]
    end = {"sdk_sessions": 2, "observations": 5000, "session_summaries": 0, "user_prompts": 0}
    sessions = [line for line in lines if b'"sdk_sessions"' in line][:2]
    large.write_bytes(
        lines[0] + b"".join(sessions) + "".join(copies).encode()
        + json.dumps({"end": end}).encode() + b"\n"
    )  # fmt: skip
    data_dir = tmp_path / "target"
    with worker_on(data_dir) as target:
        until_part(target, "keyword", PartState.OK)
        environ = environment(data_dir) | {"CLAUDE_MEM_DATA_DIR": str(data_dir)}
        with subprocess.Popen(
            [*COMMAND, "import", str(large)], cwd=ROOT, env=environ, stderr=subprocess.PIPE
        ) as importing:
            target.until(
                "/api/stats?format=json", lambda _, body: body["observations"] > 500, seconds=60
            )
            target.process.kill()
            _, said = importing.communicate(timeout=60)
    assert importing.returncode == 1
    assert b"The import was interrupted" in said
    assert b"goes on by itself once the worker starts again: memtray-worker start" in said

    with worker_on(data_dir) as target:
        done = run(target, "import", "--json", str(large))
        counted = target.get("/api/stats?format=json")[1]

    answer = json.loads(done.stdout)
    assert sum(answer["added"].values()) + answer["known"] == 5000 + 2
    assert counted["observations"] == 5000
