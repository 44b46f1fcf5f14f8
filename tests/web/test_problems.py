"""Whatever is wrong with a request, the answer has one shape."""

import json
import logging
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from worker.shared.contract import Problem
from worker.shared.errors import StoreUnavailableError

BATCH = "/api/observations/batch"

BAD_ADDRESSES = [
    ("/api/search?limit=many", "limit"),
    ("/api/search?limit=0", "limit"),
    ("/api/search?limit=-1", "limit"),
    ("/api/search?limit=1.5", "limit"),
    ("/api/search?limit=true", "limit"),
    ("/api/search?limit=NaN", "limit"),
    ("/api/search?limit=1e999", "limit"),
    ("/api/search?limit=" + "9" * 5_000, "limit"),
    ("/api/search?offset=-1", "offset"),
    ("/api/search?offset=99999999999", "offset"),
    ("/api/search?dateStart=yesterday", "dateStart"),
    ("/api/search?dateEnd=2026-02-30", "dateEnd"),
    ("/api/search?date_end=2026-13", "dateEnd"),
    ("/api/search?dateEnd=99999-01-01T00:00:00", "dateEnd"),
    ("/api/search?orderBy=best", "orderBy"),
    ("/api/search?format=html", "format"),
    ("/api/search?limit=%00", "limit"),
    ("/api/search?limit=%ED%A0%80", "limit"),
    ("/api/timeline", "anchor"),
    ("/api/timeline?anchor=X9", "anchor"),
    ("/api/timeline?anchor=-1", "anchor"),
    ("/api/timeline?anchor=1&depth_before=-1", "depth_before"),
    ("/api/timeline?anchor=1&depth_after=x", "depth_after"),
    ("/api/timeline?anchor=1&format=xml", "format"),
    ("/api/observation/x", "id"),
    ("/api/observation/S1", "id"),
    ("/api/observation/" + "9" * 30, "id"),
    ("/api/observation/1?format=xml", "format"),
    ("/api/session/P1", "id"),
    ("/api/prompt/%00", "id"),
    ("/api/prompt/%FF%FE", "id"),
    ("/api/projects?format=csv", "format"),
    ("/api/stats?format=", "format"),
]
BAD_BODIES: list[tuple[object, str]] = [
    ({}, "ids"),
    ({"ids": None}, "ids"),
    ({"ids": "x"}, "ids"),
    ({"ids": [[1]]}, "ids"),
    ({"ids": {"a": 1}}, "ids"),
    ({"ids": [True]}, "ids"),
    ({"ids": [1.5]}, "ids"),
    ({"ids": [-1]}, "ids"),
    ({"ids": [1], "limit": 0}, "limit"),
    ({"ids": [1], "limit": []}, "limit"),
    ({"ids": [1], "limit": float("nan")}, "limit"),
    ({"ids": [1], "orderBy": "best"}, "orderBy"),
    ({"ids": [1], "orderBy": 5}, "orderBy"),
    ({"ids": [1], "project": [1]}, "project"),
    ({"ids": [1], "format": "html"}, "format"),
    ([1, 2], "body"),
    ("1", "body"),
    (5, "body"),
]


def problem(response: TestResponse, status: int) -> Problem:
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
    assert "<html" not in response.text.lower()
    assert "Traceback" not in response.text
    found = Problem.model_validate_json(response.data)
    assert found.status == status
    assert found.title
    assert found.detail
    assert found.code
    return found


@pytest.mark.parametrize(("path", "field"), BAD_ADDRESSES)
def test_a_bad_value_in_an_address_is_400_and_names_the_field(
    client: FlaskClient, path: str, field: str
) -> None:
    found = problem(client.get(path), 400)

    assert found.field == field
    assert found.detail.startswith(field)
    assert found.code == "bad_request"


@pytest.mark.parametrize(("body", "field"), BAD_BODIES)
def test_a_bad_value_in_a_body_is_400_and_names_the_field(
    client: FlaskClient, body: object, field: str
) -> None:
    found = problem(client.post(BATCH, json=body), 400)

    assert found.field == field
    assert found.detail.startswith(field)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe\xfd",
        b'{"ids": [1],}',
        b"ids=1",
        b"\0",
        b"null",
        b'{"ids": ' + b"9" * 5_000 + b"}",
        b'{"ids": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"ids": ' + b'{"a":' * 700 + b"1" + b"}" * 701,
    ],
)
def test_a_body_that_is_not_a_sound_json_object_is_400(client: FlaskClient, body: bytes) -> None:
    response = client.post(BATCH, data=body, content_type="application/json")

    assert problem(response, 400).field in ("body", "ids")


def test_says_what_a_field_takes(client: FlaskClient) -> None:
    order = problem(client.get("/api/search?orderBy=best"), 400)
    date = problem(client.get("/api/search?dateStart=soon"), 400)
    ids = problem(client.post(BATCH, json={"ids": "x"}), 400)

    assert "'relevance', 'date_desc' or 'date_asc'" in order.detail
    assert "2026-03-14" in date.detail
    assert "12, #12, S3 or P7" in ids.detail


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api",
        "/api/",
        "/api/search/",
        "/health/",
        "//health",
        "/api/observation/",
        "/api/observation/1/2",
        "/api/../health",
        "/%2e%2e/etc/passwd",
        "/x/%00",
        "/static/x.css",
        "/favicon.ico",
        "/" + quote("<script>alert(1)</script>"),
    ],
)
def test_an_unknown_address_is_404(client: FlaskClient, path: str) -> None:
    found = problem(client.get(path), 404)

    assert "openapi.json" in found.detail
    assert "script" not in found.detail


def test_a_memory_that_is_not_there_is_404_and_the_ids_are_named(client: FlaskClient) -> None:
    found = problem(client.get("/api/session/S9"), 404)

    assert "#S9" in found.detail
    assert found.code == "not_found"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_a_method_that_a_reading_address_does_not_take_changes_nothing(
    client: FlaskClient, method: str
) -> None:
    response = client.open("/api/search", method=method, json={})

    found = problem(response, 405)
    assert "GET" in found.detail
    assert "GET" in response.headers["Allow"]


def test_a_read_by_post_is_not_served_by_get(client: FlaskClient) -> None:
    assert "POST" in problem(client.get(BATCH), 405).detail


def test_an_error_of_our_own_is_500_without_its_text(
    app: Flask, client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    @app.get("/boom")
    def boom() -> str:
        raise RuntimeError("the memory of a secret project")

    with caplog.at_level(logging.INFO):
        found = problem(client.get("/boom"), 500)

    assert "secret" not in found.detail
    assert "secret" not in caplog.text
    assert "RuntimeError in boom" in caplog.text


def test_a_broken_store_is_503_with_the_remedy(app: Flask, client: FlaskClient) -> None:
    @app.get("/down")
    def down() -> str:
        raise StoreUnavailableError("x.db is no database; move it away")

    found = problem(client.get("/down"), 503)

    assert found.code == "store_unavailable"
    assert "move it away" in found.detail


def test_a_problem_names_no_field_where_none_is_at_fault(client: FlaskClient) -> None:
    body: dict[str, Any] = json.loads(client.get("/nowhere").data)

    assert "field" not in body
    assert body["type"] == "about:blank"
