"""What the reading routes answer."""

import json
import logging
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.fakes import TITLE, OneMemory
from worker.shared.contract import (
    BatchReply,
    BatchRequest,
    ProjectsReply,
    SearchReply,
    SearchRequest,
    SingleReply,
    StatsReply,
    TextReply,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.refs import Kind, Ref
from worker.web.records import projects_page, stats_page

BATCH = "/api/observations/batch"
READING = [
    "/api/search?query=pool",
    "/api/timeline?anchor=1",
    "/api/observation/1",
    "/api/session/1",
    "/api/prompt/1",
    "/api/projects",
    "/api/stats",
]


def page(client: FlaskClient, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return TextReply.model_validate_json(response.data).content[0].text


@pytest.mark.parametrize("path", READING)
def test_an_answer_is_shaped_as_that_of_an_mcp_tool(client: FlaskClient, path: str) -> None:
    response = client.get(path)

    body: dict[str, Any] = json.loads(response.data)
    assert response.status_code == 200
    assert response.content_type == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Cache-Control"] == "no-store"
    assert not any(name.startswith("Access-Control") for name in dict(response.headers))
    assert list(body) == ["content"]
    assert [part["type"] for part in body["content"]] == ["text"]
    assert body["content"][0]["text"]


def test_characters_leave_as_they_are(client: FlaskClient) -> None:
    response = client.get("/api/search")

    assert "连接池" in response.data.decode()
    assert "🎉" in response.data.decode()


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("/api/search?format=json", SearchReply),
        ("/api/timeline?anchor=1&format=json", TimelineReply),
        ("/api/observation/1?format=json", SingleReply),
        ("/api/projects?format=json", ProjectsReply),
        ("/api/stats?format=json", StatsReply),
    ],
)
def test_format_json_gives_the_reply_itself(client: FlaskClient, path: str, model: Any) -> None:  # noqa: ANN401
    body = client.get(path).data

    assert model.model_validate_json(body).model_dump_json(by_alias=True) == body.decode()


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("pools", {"title": [["Pool"]]}),
        ("连接 RETRIES", {"title": [["连接", "retry"]]}),
        ("two exhaust", {"title": [["exhausted"]], "facts": [[], ["two"]]}),
        ("zebra", {}),
        ("", {}),
        ("\ud800 -pool", {"title": [["Pool"]]}),
    ],
)
@pytest.mark.parametrize("kind", ["observation", "session", "prompt"])
def test_a_memory_tells_where_the_words_of_a_query_stand(
    client: FlaskClient, kind: str, query: str, marked: dict[str, list[list[str]]]
) -> None:
    path = f"/api/{kind}/1?{urlencode({'format': 'json', 'query': query}, errors='replace')}"
    found = SingleReply.model_validate_json(client.get(path).data)

    texts = {k: [v] if isinstance(v, str) else v for k, v in found.fields.items()}
    assert {
        name: [
            [text[slice(*mark)] for mark in marks]
            for text, marks in zip(texts[name], all_marks, strict=True)
        ]
        for name, all_marks in found.marks.items()
    } == marked


def test_details_are_read_by_post(client: FlaskClient, search: OneMemory) -> None:
    text = client.post(BATCH, json={"ids": "[1, 2]"})
    data = client.post(BATCH, json={"ids": ["#1", "S3"], "format": "json", "orderBy": "date_asc"})

    assert TITLE in TextReply.model_validate_json(text.data).content[0].text.replace("\\|", "|")
    assert BatchReply.model_validate_json(data.data).not_found == ["#S3"]
    assert isinstance(search.asked, BatchRequest)
    assert search.asked.ids == (Ref(Kind.OBSERVATION, 1), Ref(Kind.SESSION, 3))


@pytest.mark.parametrize("path", READING)
def test_an_unknown_parameter_is_ignored_and_named(client: FlaskClient, path: str) -> None:
    joint = "&" if "?" in path else "?"

    text = page(client, f"{path}{joint}colour=red&x%00y=1")
    data = json.loads(client.get(f"{path}{joint}colour=red&format=json").data)

    assert "colour, x y" in text.splitlines()[-1]
    assert "colour" in data["notes"][-1]


def test_an_unknown_key_in_a_body_is_named_too(client: FlaskClient) -> None:
    response = client.post(BATCH, json={"ids": 1, "colour\ud800": "red"})

    assert "colour" in json.loads(response.data)["content"][0]["text"].splitlines()[-1]


def test_many_unknown_parameters_make_a_short_note(client: FlaskClient) -> None:
    query = "&".join(f"{'x' * 500}{n}=1" for n in range(200))

    assert len(page(client, f"/api/projects?{query}")) < 1_000


def test_the_notes_of_the_search_are_kept(client: FlaskClient) -> None:
    reply = SearchReply.model_validate_json(client.get("/api/search?format=json&x=1").data)

    assert reply.notes[0] == "A note of the search itself."
    assert len(reply.notes) == 2


def test_a_window_can_exclude_and_choose_the_leg(client: FlaskClient, search: OneMemory) -> None:
    client.get(
        "/api/search?projects=%5B%22a,b%22%5D&projects=c&excludeProjects=d&excludeProjects=e"
        "&excludeTypes=prompts,bugfix&mode=meaning"
    )

    assert isinstance(search.asked, SearchRequest)
    assert search.asked.projects == ("a,b", "c")
    assert search.asked.exclude_projects == ("d", "e")
    assert search.asked.exclude_types == ("prompts", "bugfix")
    assert search.asked.mode == "meaning"
    assert search.asked.filtered
    assert client.get("/api/search?mode=loud").status_code == 400


def test_the_last_of_a_repeated_parameter_counts_and_lists_are_joined(
    client: FlaskClient, search: OneMemory
) -> None:
    client.get(
        "/api/search?query=a&query=b&type=bugfix,feature&type=decision&files=%5B%22a,b%22%5D"
    )

    assert isinstance(search.asked, SearchRequest)
    assert search.asked.query == "b"
    assert search.asked.type == ("bugfix", "feature", "decision")
    assert search.asked.files == ("a,b",)


@pytest.mark.parametrize(
    ("raw", "query"),
    [
        ("a%00b", "a b"),
        ("%ED%A0%80", "\ufffd" * 3),
        ("%FF", "\ufffd"),
        ("100%", "100%"),
        ("%zz", "%zz"),
        ("a+b%2Bc", "a b+c"),
        ("%E6%82%AC%E7%A9%BA", "悬空"),
    ],
)
def test_any_bytes_in_a_query_are_read_as_text(
    client: FlaskClient, search: OneMemory, raw: str, query: str
) -> None:
    assert client.get(f"/api/search?query={raw}").status_code == 200

    assert isinstance(search.asked, SearchRequest)
    assert search.asked.query == query


def test_a_lone_surrogate_in_a_body_is_read_as_text(client: FlaskClient, search: OneMemory) -> None:
    body = b'{"ids": [1], "project": "a\\ud800b"}'

    assert client.post(BATCH, data=body, content_type="application/json").status_code == 200
    assert isinstance(search.asked, BatchRequest)
    assert search.asked.project == "a?b"


@pytest.mark.parametrize(("path", "ref"), [("session/3", "#S3"), ("session/%23S3", "#S3")])
def test_an_id_in_an_address_may_carry_the_letter_of_its_kind(
    client: FlaskClient, search: OneMemory, path: str, ref: str
) -> None:
    client.get(f"/api/{path}")

    assert str(search.asked) == ref


def test_an_anchor_may_be_written_as_in_a_table(client: FlaskClient, search: OneMemory) -> None:
    client.get("/api/timeline?anchor=%23S3&depth_before=5.0&depth_after=0")

    assert isinstance(search.asked, TimelineRequest)
    assert search.asked.anchor == Ref(Kind.SESSION, 3)
    assert (search.asked.depth_before, search.asked.depth_after) == (5, 0)


def test_head_answers_as_get_without_a_body(client: FlaskClient) -> None:
    response = client.head("/api/search")

    assert response.status_code == 200
    assert response.data == b""


def test_projects_and_counts_are_tables_that_no_name_can_break() -> None:
    projects = ProjectsReply.model_validate({"projects": [{"name": "a|b\nc", "records": 3}]})
    stats = StatsReply(
        observations=3,
        sessions=0,
        prompts=0,
        projects={},
        types={"bug|fix": 3},
        months={},
        oldest=None,
        newest=None,
    )

    assert projects_page(projects).splitlines()[-1] == "| a\\|b c | 3 |"
    assert "| observations | 3 |" in stats_page(stats)
    assert "| bug\\|fix | 3 |" in stats_page(stats)


def test_an_empty_store_says_so(client: FlaskClient) -> None:
    assert page(client, "/api/projects") == "No memories yet."


_NAMES = ["query", "limit", "offset", "type", "files", "dateStart", "orderBy", "anchor", "format"]
_PATHS = ["/api/search", "/api/timeline", "/api/projects", "/api/stats", "/api/observation/1"]


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    path=st.sampled_from(_PATHS),
    pairs=st.lists(st.tuples(st.sampled_from(_NAMES) | st.binary(max_size=9), st.binary())),
)
def test_no_query_string_makes_the_worker_fail(
    client: FlaskClient, path: str, pairs: list[tuple[str | bytes, bytes]]
) -> None:
    raw = b"&".join((k.encode() if isinstance(k, str) else k) + b"=" + v for k, v in pairs)

    response = client.get(path, environ_overrides={"QUERY_STRING": raw.decode("latin-1")})

    assert response.status_code in (200, 400)


@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    body=st.binary() | st.recursive(st.none() | st.text() | st.floats(), st.lists).map(json.dumps)
)
def test_no_body_makes_the_worker_fail(client: FlaskClient, body: bytes | str) -> None:
    for data in (body, f'{{"ids": {body!s}}}'):
        response = client.post(BATCH, data=data, content_type="application/json")
        assert response.status_code in (200, 400)


def test_the_log_has_a_line_a_request_without_what_was_asked(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        client.get("/api/search?query=secret", headers={"X-Memtray-Client": "a\tb" * 50})
        client.get("/health")

    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1
    assert lines[0].startswith("GET /api/search 200 ")
    assert "secret" not in lines[0]
    assert len(lines[0]) < 100
