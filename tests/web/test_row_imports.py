"""Rows that come in over HTTP are an import: it is listed, and undone like any other."""

import json
from typing import Any

from flask.testing import FlaskClient

from tests.web.test_problems import problem
from tests.web.test_saving import AUTHORIZED, OBSERVATION, ROWS
from worker.ingest.importing import KEPT_JOBS
from worker.shared.jobs import JobReply, JobsReply, JobState
from worker.shared.refs import Kind
from worker.shared.upkeep import ImportReply
from worker.store.store import Store

UNDO = "/api/import/undo"
KEY = "sk-ant-api03-" + "Zk3" * 30


def observation(number: int, **values: object) -> dict[str, object]:
    return OBSERVATION | {"id": number, "created_at_epoch": number} | values


def enter(client: FlaskClient, *rows: object, **body: object) -> ImportReply:
    response = client.post(ROWS, json={"rows": rows, **body}, headers=AUTHORIZED)
    assert response.status_code == 200, response.text
    return ImportReply.model_validate_json(response.data)


def jobs(client: FlaskClient) -> list[JobReply]:
    return JobsReply.model_validate_json(client.get("/api/jobs").data).jobs


def undone(client: FlaskClient, job: str | None) -> Any:  # noqa: ANN401 - JSON
    response = client.post(UNDO, json={"job": job}, headers=AUTHORIZED)
    assert response.status_code == 200, response.text
    return json.loads(response.data)["removed"]


def test_rows_are_listed_as_an_import_that_is_done(client: FlaskClient) -> None:
    reply = enter(client, observation(1, title=f"The key is {KEY}"), observation(2))

    (job,) = jobs(client)
    assert (job.id, job.kind, job.state) == (reply.job, "rows", JobState.DONE)
    assert (job.added, job.known) == (reply.added, 0) == ({"observations": 2}, 0)
    assert job.secrets == reply.secrets != {}


def test_rows_are_undone_and_nothing_else(client: FlaskClient, store: Store) -> None:
    enter(client, observation(1))
    second = enter(client, observation(1), observation(2, memory_session_id="other"))

    assert undone(client, second.job) == {"observations": 1, "sdk_sessions": 1}

    assert store.counts()[Kind.OBSERVATION] == 1
    assert [job.state for job in jobs(client)] == [JobState.UNDONE, JobState.DONE]
    assert problem(client.post(UNDO, json={"job": second.job}, headers=AUTHORIZED), 404)


def test_rows_that_follow_others_are_undone_with_them(client: FlaskClient, store: Store) -> None:
    first = enter(client, observation(1))
    second = enter(client, observation(1), observation(2), job=first.job)

    assert (second.job, second.added, second.known) == (first.job, {"observations": 1}, 1)
    assert [(job.added, job.known) for job in jobs(client)] == [({"observations": 2}, 1)]
    assert undone(client, first.job) == {"observations": 2, "sdk_sessions": 1}
    assert store.counts()[Kind.OBSERVATION] == 0


def test_rows_that_are_all_there_make_no_import(client: FlaskClient) -> None:
    first = enter(client, observation(1))

    assert enter(client, observation(1)).job is None
    assert [job.id for job in jobs(client)] == [first.job]


def test_rows_that_follow_what_takes_no_more_are_refused(client: FlaskClient, store: Store) -> None:
    job = enter(client, observation(1)).job
    undone(client, job)
    body = {"rows": [observation(2)], "job": job}

    assert problem(client.post(ROWS, json=body, headers=AUTHORIZED), 400).field == "job"
    problem(client.post(ROWS, json=body | {"job": "none"}, headers=AUTHORIZED), 404)
    assert store.counts()[Kind.OBSERVATION] == 0


def test_many_imports_of_rows_stay_undoable_though_only_the_newest_are_listed(
    client: FlaskClient, store: Store
) -> None:
    oldest, *_ = [enter(client, observation(number)) for number in range(1, KEPT_JOBS + 3)]

    assert len(jobs(client)) == KEPT_JOBS
    assert undone(client, oldest.job) == {"observations": 1}
    assert store.counts()[Kind.OBSERVATION] == KEPT_JOBS + 1
