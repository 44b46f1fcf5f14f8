"""An import taken back by the command line: what it added goes, and what stays is told."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def test_an_import_is_undone_and_nothing_else(worker: Worker, tmp_path: Path) -> None:
    pool_talk().write(tmp_path / "first")
    first = imported(worker, str(tmp_path / "first"))
    other = Talk(session=OTHER, cwd="/home/mia/code/web")
    other.asks("Which port?").says(
        "The web server listens on port 8443, because 443 needs rights that it does not have."
    ).write(tmp_path / "second")
    second = imported(worker, str(tmp_path / "second"))

    done = run(worker, "--undo", second["id"], "--json")

    assert json.loads(done.stdout)["removed"] == {
        "observations": 1, "user_prompts": 1, "session_summaries": 1, "sdk_sessions": 1,
    }  # fmt: skip
    assert stored(worker, "SELECT count(*) FROM observations") == [(2,)]
    assert stored(worker, "SELECT count(*) FROM sdk_sessions") == [(1,)]
    assert imported(worker, str(tmp_path / "second"))["added"]["observations"] == 1
    assert run(worker, "--undo", first["id"]).returncode == 0
    assert run(worker, "--undo", first["id"]).returncode == 1


def test_rows_that_were_sent_are_undone_and_nothing_else(worker: Worker, tmp_path: Path) -> None:
    imported(worker, str(pool_talk().write(tmp_path)))
    session = {"memory_session_id": "m", "project": "shop"}
    row = {"table": "observations", "id": 1, "title": "Sent", "created_at_epoch": 1} | session
    client = WorkerClient(Paths(worker.data_dir), "tests")
    sent = client.post("/api/import/rows", {"rows": [row]})

    done = run(worker, "--undo", sent["job"], "--json")

    assert json.loads(done.stdout)["removed"] == sent["added"] | {"sdk_sessions": 1}
    assert stored(worker, "SELECT count(*) FROM observations") == [(2,)]
    again = client.post("/api/import/rows", {"rows": [row]})
    assert (again["added"], again["job"] != sent["job"]) == ({"observations": 1}, True)


def test_an_undo_leaves_no_summary_that_tells_of_what_went(worker: Worker, tmp_path: Path) -> None:
    talk = pool_talk()
    imported(worker, str(old(talk.write(tmp_path))))
    talk.asks("Which size?").says("Twenty quokkas are enough, because the disk is the limit.")
    grown = imported(worker, str(old(talk.write(tmp_path))))

    assert run(worker, "--undo", grown["id"]).returncode == 0

    told = stored(worker, "SELECT coalesce(learned, '') || completed FROM session_summaries")
    assert not [text for (text,) in told if "quokkas" in text]
    assert stored(worker, "SELECT count(*) FROM observations") == [(2,)]
    assert imported(worker, str(tmp_path))["added"] == grown["added"]


def test_a_session_whose_growth_is_undone_has_a_summary_of_what_stays(
    worker: Worker, tmp_path: Path
) -> None:
    talk = pool_talk()
    first = imported(worker, str(old(talk.write(tmp_path))))
    summaries = (
        "SELECT id, memory_session_id, project, request, investigated, learned, completed,"
        " next_steps, files_read, files_edited, prompt_number, created_at, created_at_epoch"
        " FROM session_summaries"
    )
    before = stored(worker, summaries)
    talk.asks("Which size?").says(SIZE)
    grown = imported(worker, str(old(talk.write(tmp_path))))

    assert run(worker, "--undo", grown["id"]).returncode == 0

    assert stored(worker, summaries) == before
    undone = json.loads(run(worker, "--undo", first["id"], "--json").stdout)
    assert undone["removed"] == first["added"]
    assert imported(worker, str(tmp_path))["added"]["observations"] == 3
    assert stored(worker, "SELECT count(*) FROM session_summaries") == [(1,)]


def test_a_summary_of_the_growth_alone_is_replaced_once_the_rest_is_back(
    worker: Worker, tmp_path: Path
) -> None:
    talk = pool_talk()
    first = imported(worker, str(old(talk.write(tmp_path))))
    talk.asks("Which size?").says(SIZE)
    imported(worker, str(old(talk.write(tmp_path))))
    completed = "SELECT completed FROM session_summaries"
    whole = stored(worker, completed)

    assert run(worker, "--undo", first["id"]).returncode == 0

    assert stored(worker, completed) == [(None,)]
    again = imported(worker, str(tmp_path))["added"]
    assert again == {"observations": 2, "user_prompts": 2, "session_summaries": 1}
    assert stored(worker, completed) == whole
