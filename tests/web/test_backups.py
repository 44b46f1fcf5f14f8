"""Backups by HTTP: what is asked wrongly changes nothing."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from tests.web.conftest import TOKEN
from tests.web.test_problems import problem
from worker.shared.paths import Paths

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def post(client: FlaskClient, path: str, body: object) -> TestResponse:
    return client.post(path, json=body, headers=HEADERS)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "name"),
        ({"name": None}, "name"),
        ({"name": ""}, "name"),
        ({"name": 5}, "name"),
        ({"name": ["newest"]}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": "../../claude-mem.db"}, "name"),
        ({"name": "/etc/passwd"}, "name"),
        ({"name": "\0"}, "name"),
        ({"name": "\ud800"}, "name"),
        ([], "body"),
        ("newest", "body"),
    ],
)
def test_a_bad_name_is_400_and_names_the_field(
    client: FlaskClient, body: object, field: str
) -> None:
    found = problem(post(client, "/api/restore", body), 400)

    assert found.field == field


@pytest.mark.parametrize("body", [[], "x", 5])
def test_a_backup_is_asked_for_by_an_object(client: FlaskClient, body: object) -> None:
    assert problem(post(client, "/api/backup", body), 400).field == "body"


def test_without_a_backup_nothing_is_restored(client: FlaskClient) -> None:
    found = problem(post(client, "/api/restore", {"name": "newest"}), 409)

    assert found.code == "restore_refused"
    assert found.title == "Nothing was restored"


def test_a_damaged_database_is_told_and_gives_no_backup(
    client: FlaskClient, tmp_path: Path
) -> None:
    for path in Paths(tmp_path).data_dir.glob("claude-mem.db*"):
        path.unlink()
    Paths(tmp_path).database.write_bytes(b"no database" * 999)

    found = problem(post(client, "/api/backup", {}), 500)

    assert found.code == "database_damaged"
    assert client.get("/api/backup").get_json()["backups"] == []


def test_what_is_answered_fits_its_description_and_unknown_keys_are_named(
    client: FlaskClient,
) -> None:
    document = client.get("/api/openapi.json").get_json()

    def fits(method: str, path: str, response: TestResponse) -> Mapping[str, object]:
        operation = document["paths"][path][method]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        answer: Mapping[str, object] = json.loads(response.data)
        Draft202012Validator({**schema, "components": document["components"]}).validate(answer)
        return answer

    made = fits("post", "/api/backup", post(client, "/api/backup", {"wait": 1}))
    listed = fits("get", "/api/backup", client.get("/api/backup?nonsense=1"))
    done = fits("post", "/api/restore", post(client, "/api/restore", {"name": made["name"]}))

    for answer, name in ((made, "wait"), (listed, "nonsense")):
        assert answer["notes"] == [f"Ignored, not a parameter: {name}."]
    assert done["restored"] == made["path"]
