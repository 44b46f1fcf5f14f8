"""Reindex and repair over HTTP: what is asked is checked, what is done is told."""

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import TOKEN
from tests.web.test_problems import problem
from worker.shared.upkeep import ReindexReply, RepairReply

AS_OURS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize("what", [None, "keyword", "vectors", "chroma", "all"])
def test_a_reindex_is_begun_and_said(client: FlaskClient, what: str | None) -> None:
    answer = client.post("/api/reindex", json={"what": what}, headers=AS_OURS)

    reply = ReindexReply.model_validate_json(answer.data)
    assert answer.status_code == 202
    assert reply.begun == [what or "keyword"]
    assert reply.notes == ["A note of its own."]


@pytest.mark.parametrize("what", ["everything", 5, [], {}])
def test_what_cannot_be_made_anew_is_400(client: FlaskClient, what: object) -> None:
    refused = problem(client.post("/api/reindex", json={"what": what}, headers=AS_OURS), 400)

    assert refused.field == "what"
    assert "keyword" in refused.detail


def test_an_unknown_parameter_is_named(client: FlaskClient) -> None:
    for path in ("/api/reindex", "/api/repair"):
        answer = client.post(path, json={"harder": True}, headers=AS_OURS)
        assert "harder" in answer.text


@pytest.mark.parametrize("path", ["/api/reindex", "/api/repair"])
def test_both_need_the_token_and_a_json_object(client: FlaskClient, path: str) -> None:
    problem(client.post(path, json={}), 401)
    problem(client.post(path, json=[], headers=AS_OURS), 400)


def test_a_repair_tells_what_was_done(client: FlaskClient) -> None:
    answer = client.post("/api/repair", json={}, headers=AS_OURS)

    assert RepairReply.model_validate_json(answer.data).mended == []
