"""Transcripts brought in by the command line, through a real worker."""

import json
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.bench.material import SHARED
from tests.ingest.claude_ai.exports import ANSWER, pool, talk, zipped
from tests.ingest.transcripts.made import Talk, pool_talk
from tests.integration.importing import OTHER, SIZE, imported, old, run, stored
from tests.integration.processes import Worker, running
from worker.shared.client import WorkerClient
from worker.shared.paths import Paths


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    with running(tmp_path / "data") as started:
        started.until("/api/stats", lambda status, _: status == 200)
        yield started


def test_a_folder_becomes_memories_that_are_found(worker: Worker, tmp_path: Path) -> None:
    pool_talk().write(tmp_path / "projects")

    done = run(worker, str(tmp_path / "projects"))

    assert "Added: 1 session, 2 observations, 1 summary, 2 prompts." in done.stdout
    worker.until(
        "/api/search?query=deadlocks&format=json",
        lambda _, body: [item["ref"] for item in body["items"]][:1] == ["#1"],
    )


def test_doing_it_again_adds_nothing(worker: Worker, tmp_path: Path) -> None:
    pool_talk().write(tmp_path)
    imported(worker, str(tmp_path))

    again = imported(worker, str(tmp_path))

    assert (again["added"], again["known"]) == ({}, 4)


def test_a_session_that_grew_adds_what_is_new(worker: Worker, tmp_path: Path) -> None:
    talk = pool_talk()
    talk.write(tmp_path)
    imported(worker, str(tmp_path))
    summaries = "SELECT id, created_at_epoch FROM session_summaries"
    [(summary, before)] = stored(worker, summaries)
    talk.asks("Which size is right?").says(SIZE).write(tmp_path)

    again = imported(worker, str(tmp_path))

    assert again["added"] == {"observations": 1, "user_prompts": 1, "session_summaries": 1}
    [(same, after)] = stored(worker, summaries)
    assert (same, after > before) == (summary, True)


def test_a_session_that_repeats_another_adds_only_its_own(worker: Worker, tmp_path: Path) -> None:
    old(pool_talk().write(tmp_path))
    fork = (
        pool_talk()
        .asks("Try twenty")
        .says("Twenty connections make no difference: the disk is what everything waits for.")
    )
    fork.records = [record | {"sessionId": OTHER} for record in fork.records]
    fork.session = OTHER
    fork.write(tmp_path)

    done = imported(worker, str(tmp_path))

    assert done["added"]["observations"] == 3
    assert stored(worker, "SELECT count(*) FROM user_prompts") == [(3,)]


def test_sessions_that_claude_mem_has_recorded_are_left_out(worker: Worker, tmp_path: Path) -> None:
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection, connection:
        connection.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, "
            "started_at, started_at_epoch, status) VALUES (?, 'theirs', 'shop', '', 0, 'active')",
            (Talk().session,),
        )
    pool_talk().write(tmp_path)

    done = imported(worker, str(tmp_path), "--yes")

    assert (done["added"], done["recorded"]) == ({}, 1)


def test_claude_mem_s_database_is_asked_for_first(worker: Worker, tmp_path: Path) -> None:
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection, connection:
        connection.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, "
            "started_at, started_at_epoch, status) VALUES ('x', 'theirs', 'shop', '', 0, 'active')"
        )
    pool_talk().write(tmp_path)

    refused = run(worker, str(tmp_path))
    allowed = run(worker, str(tmp_path), "--yes")

    assert refused.returncode == 1
    assert "--yes" in refused.stderr
    assert "2 observations" in allowed.stdout


def test_lines_that_cannot_be_read_are_named(worker: Worker, tmp_path: Path) -> None:
    path = pool_talk().write(tmp_path)
    path.write_text('{"torn\n' + path.read_text(encoding="utf-8"), encoding="utf-8")

    done = run(worker, str(tmp_path))

    assert done.returncode == 0
    assert f"{path}, line 1: no JSON" in done.stdout
    assert "2 observations" in done.stdout


def test_a_file_that_none_can_read_is_named_also_where_no_command_line_looked(
    worker: Worker, tmp_path: Path
) -> None:
    other = tmp_path / "package.json"
    other.write_text('{"name": "shop"}')

    done = until_is(worker, begun(worker, other), "done")

    (failed,) = done["failed"]
    assert (failed["file"], failed["why"]) == (str(other), "this is none of what import reads")


def test_secrets_in_a_transcript_are_left_out(worker: Worker, tmp_path: Path) -> None:
    Talk().asks("Set DB_PASSWORD=hunter2222 in the env").says(
        "The password is set now; the server starts and answers on port 5433."
    ).write(tmp_path)

    done = run(worker, str(tmp_path))

    assert "Secrets left out: " in done.stdout
    assert not stored(worker, "SELECT 1 FROM user_prompts WHERE prompt_text LIKE '%hunter%'")
    assert not stored(worker, "SELECT 1 FROM sdk_sessions WHERE user_prompt LIKE '%hunter%'")


@pytest.mark.parametrize("path", ["/nowhere/at/all", "relative"])
def test_a_path_that_leads_nowhere_is_named(worker: Worker, path: str) -> None:
    done = run(worker, path)

    assert done.returncode == 1
    assert path in done.stderr


def many(folder: Path, count: int) -> None:
    for number in range(count):
        talk = Talk(session=f"{number:08}-2222-4333-8444-555555555555")
        for turn in range(20):
            talk.asks(f"Question {turn} of session {number}?").says(
                f"Because server {number} answers request {turn} before its pool is open, it fails."
            )
        old(talk.write(folder))


def begun(worker: Worker, *paths: Path) -> str:
    """Begin an import, and return its id."""
    body = {"paths": [str(path) for path in paths]}
    return str(WorkerClient(Paths(worker.data_dir), "test").post("/api/import", body)["id"])


def until_read(worker: Worker, job: str, files: int) -> None:
    worker.until(f"/api/jobs/{job}", lambda _, body: body["files_done"] >= files, seconds=60)


def until_is(worker: Worker, job: str, state: str) -> Any:  # noqa: ANN401 - JSON
    """Wait until a job is in a state, and return it."""

    def is_so(_: int, body: Any) -> bool:  # noqa: ANN401 - JSON
        return bool(body.get("state") == state)

    worker.until(f"/api/jobs/{job}", is_so, seconds=120)
    return worker.get(f"/api/jobs/{job}")[1]


def kill(worker: Worker) -> None:
    worker.process.send_signal(signal.SIGKILL)
    worker.process.wait(10)


def test_killed_again_and_again_it_goes_on_by_itself_to_its_end(tmp_path: Path) -> None:
    many(tmp_path / "projects", 60)
    data_dir = tmp_path / "data"
    with running(data_dir) as first:
        job = begun(first, tmp_path / "projects")
        until_read(first, job, 4)
        kill(first)
    for files in (15, 30):
        with running(data_dir) as next_one:
            until_read(next_one, job, files)
            kill(next_one)
    with running(data_dir) as last:
        done = until_is(last, job, "done")

        assert (done["files_done"], done["bytes_done"]) == (60, done["bytes"])
        assert stored(last, "SELECT count(*) FROM observations") == [(1200,)]
        assert stored(last, "SELECT count(*) FROM user_prompts") == [(1200,)]
        assert stored(last, "SELECT count(*) FROM session_summaries") == [(60,)]
        assert stored(last, "PRAGMA integrity_check") == [("ok",)]
        assert imported(last, str(tmp_path / "projects"))["added"] == {}


def test_a_worker_that_is_stopped_midway_loses_and_doubles_nothing(tmp_path: Path) -> None:
    many(tmp_path / "projects", 60)
    data_dir = tmp_path / "data"
    with running(data_dir) as first:
        job = begun(first, tmp_path / "projects")
        until_read(first, job, 4)
        assert first.stop() == 0
    with running(data_dir) as second:
        done = until_is(second, job, "done")

        assert done["added"]["observations"] == 1200
        assert stored(second, "SELECT count(*) FROM observations") == [(1200,)]


def test_a_paused_job_rests_also_in_another_worker_until_it_is_resumed(tmp_path: Path) -> None:
    many(tmp_path / "projects", 60)
    data_dir = tmp_path / "data"
    client = WorkerClient(Paths(data_dir), "test")
    with running(data_dir) as first:
        job = begun(first, tmp_path / "projects")
        until_read(first, job, 4)
        client.post(f"/api/jobs/{job}/pause", {})
        paused = until_is(first, job, "paused")
        assert paused["files_done"] < 60
        assert first.stop() == 0
    with running(data_dir) as second:
        second.until(f"/api/jobs/{job}", lambda status, _: status == 200)
        assert until_is(second, job, "paused")["added"] == paused["added"]

        client.post(f"/api/jobs/{job}/resume", {})

        assert until_is(second, job, "done")["added"]["observations"] == 1200
        assert stored(second, "SELECT count(*) FROM observations") == [(1200,)]


def test_the_last_import_can_be_undone_by_another_worker(tmp_path: Path) -> None:
    many(tmp_path / "projects", 2)
    data_dir = tmp_path / "data"
    with running(data_dir) as first:
        job = imported(first, str(tmp_path / "projects"))
    with running(data_dir) as second:
        second.until(f"/api/jobs/{job['id']}", lambda status, _: status == 200)
        assert second.get("/api/jobs")[1]["jobs"][0]["added"] == job["added"]

        assert run(second, "--undo", job["id"]).returncode == 0

        assert second.get("/api/jobs")[1]["jobs"][0]["state"] == "undone"
        assert stored(second, "SELECT count(*) FROM observations") == [(0,)]
        assert imported(second, str(tmp_path / "projects"))["added"] == job["added"]


def test_without_state_db_nothing_is_doubled(tmp_path: Path) -> None:
    many(tmp_path / "projects", 2)
    data_dir = tmp_path / "data"
    with running(data_dir) as first:
        imported(first, str(tmp_path / "projects"))
    for file in Paths(data_dir).state.parent.glob("state.db*"):
        file.unlink()
    with running(data_dir) as second:
        again = imported(second, str(tmp_path / "projects"))

        assert (again["added"], again["known"]) == ({}, 80)


def test_files_that_are_known_are_read_again_where_their_rows_are_gone(
    worker: Worker, tmp_path: Path
) -> None:
    many(tmp_path / "projects", 2)
    first = imported(worker, str(tmp_path / "projects"))
    with closing(sqlite3.connect(Paths(worker.data_dir).database)) as connection, connection:
        for table in first["added"]:  # as after the return of a backup that is older
            connection.execute(f"DELETE FROM {table}")

    assert imported(worker, str(tmp_path / "projects"))["added"] == first["added"]


def test_a_job_is_cancelled_and_what_it_added_stays(worker: Worker, tmp_path: Path) -> None:
    many(tmp_path / "projects", 100)
    client = WorkerClient(Paths(worker.data_dir), "test")
    job = client.post("/api/import", {"paths": [str(tmp_path / "projects")]})

    cancelled = client.delete(f"/api/jobs/{job['id']}")

    assert cancelled["state"] == "cancelled"
    assert cancelled["files_done"] < 100
    assert client.get("/api/jobs")["jobs"][0]["id"] == job["id"]


def test_the_collection_is_read_and_a_second_time_adds_nothing(
    worker: Worker, tmp_path: Path
) -> None:
    collected, folder = SHARED / "data" / "transcripts", tmp_path / "projects"
    if not collected.exists():
        pytest.skip(f"{collected} is absent")
    shutil.copytree(collected, folder, copy_function=shutil.copyfile)
    for file in folder.rglob("*.jsonl"):
        old(file)  # of a file that rests, no last turn ends between the first time and the second

    first = imported(worker, str(folder))
    again = imported(worker, str(folder))

    assert first["added"]["observations"] > 40
    assert again["added"] == {}
    assert [line for line in first["failed"] if line["line"] is None] == []


def test_an_export_of_claude_ai_comes_in_once_and_leaves_again(
    worker: Worker, tmp_path: Path
) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    zipped(folder / "data-batch-0000.zip", {"conversations.json": [pool(), talk("silent")]})
    (folder / "other.json").write_text('{"name": "not ours"}', encoding="utf-8")

    first = imported(worker, str(folder))
    asked = "/api/search?query=pool+exhausted+retry&project=claude.ai&format=json"
    worker.until(asked, lambda _, body: ANSWER[:30] in str(body.get("items")))

    assert (first["files"], first["failures"], first["empty"]) == (1, 0, 1)
    assert first["added"]["observations"] == 1
    assert imported(worker, str(folder / "data-batch-0000.zip"))["added"] == {}
    assert run(worker, "--undo", first["id"]).returncode == 0
    assert stored(worker, "SELECT COUNT(*) FROM observations") == [(0,)]


def test_what_claude_remembers_comes_in_once_whether_its_project_is_named_or_not(
    worker: Worker, tmp_path: Path
) -> None:
    memories = [{"account_uuid": "a1", "project_memories": {"p1": "The shop sells tea."}}]
    projects = [{"uuid": "p1", "name": "Shop", "prompt_template": "Be brief.", "docs": []}]
    whole = {"projects.json": projects, "memories.json": memories}
    unpacked = tmp_path / "memories.json"
    unpacked.write_text(json.dumps(memories), encoding="utf-8")

    first = imported(worker, str(zipped(tmp_path / "data-batch-0000.zip", whole)))

    assert first["added"]["observations"] == 2
    assert imported(worker, str(unpacked))["added"] == {}
