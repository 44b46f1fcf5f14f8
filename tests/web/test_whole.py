"""The routes over the real search: what it answers fits the contract, whatever is asked."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.test_problems import BAD_ADDRESSES, BAD_BODIES, BATCH, problem
from tests.web.whole import serving
from worker.shared.contract import (
    BatchReply,
    SearchReply,
    SingleReply,
    StatsReply,
    TextReply,
    TimelineReply,
)
from worker.shared.paths import Paths

TITLES = ("Pool exhausted", "Retry with backoff", "连接池 timeout", "a|b\nc <b>bold</b>")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    paths = Paths(tmp_path_factory.mktemp("whole"))
    with serving(paths, lambda: insert(paths.database)) as (client, _):
        yield client


def insert(database: Path) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at,"
            " started_at_epoch) VALUES ('c', 'm', 'demo', '', 1)"
        )
        connection.executemany(
            "INSERT INTO observations (memory_session_id, project, type, title, facts, created_at,"
            " created_at_epoch) VALUES ('m', 'demo', 'bugfix', ?, ?, '', ?)",
            (
                (title, json.dumps([title, "x\ud800"]), 1_790_000_000_000 + n)
                for n, title in enumerate(TITLES)
            ),
        )
        connection.execute(
            "INSERT INTO session_summaries (memory_session_id, project, request, created_at,"
            " created_at_epoch) VALUES ('m', 'demo', 'Fix the pool', '', 1790000000100)"
        )
        connection.execute(
            "INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at,"
            " created_at_epoch) VALUES ('c', 1, 'please fix the pool', '', 1790000000000)"
        )


@pytest.mark.parametrize(("path", "field"), BAD_ADDRESSES)
def test_a_bad_value_in_an_address_is_400(client: FlaskClient, path: str, field: str) -> None:
    assert problem(client.get(path), 400).field == field


@pytest.mark.parametrize(("body", "field"), BAD_BODIES)
def test_a_bad_value_in_a_body_is_400(client: FlaskClient, body: object, field: str) -> None:
    assert problem(client.post(BATCH, json=body), 400).field == field


def test_search_finds_filters_and_counts(client: FlaskClient) -> None:
    found = SearchReply.model_validate_json(client.get("/api/search?query=pool&format=json").data)
    other = SearchReply.model_validate_json(
        client.get("/api/search?query=pool&project=other&format=json").data
    )

    assert {item.ref for item in found.items} == {"#1", "#S1", "#P1"}
    assert found.outcome == "hits"
    assert other.items == []
    assert other.outcome == "none"


def test_the_timeline_holds_its_anchor(client: FlaskClient) -> None:
    found = TimelineReply.model_validate_json(
        client.get("/api/timeline?anchor=2&depth_before=1&depth_after=1&format=json").data
    )

    assert found.anchor == "#2"
    assert "#2" in [item.ref for item in found.items]


@pytest.mark.parametrize("path", ["/api/timeline?anchor=99", "/api/observation/99"])
def test_a_missing_id_is_404_and_says_which_there_are(client: FlaskClient, path: str) -> None:
    assert "#4" in problem(client.get(path), 404).detail


@pytest.mark.parametrize(("kind", "title"), [("session", "Fix the pool"), ("prompt", "please fix")])
def test_each_kind_has_its_address(client: FlaskClient, kind: str, title: str) -> None:
    found = SingleReply.model_validate_json(client.get(f"/api/{kind}/1?format=json").data)

    assert found.kind == kind
    assert title in found.title


def test_a_lone_surrogate_in_a_memory_does_not_stop_it(client: FlaskClient) -> None:
    body = {"ids": [1, 2, 3, 4], "format": "json"}
    found = BatchReply.model_validate_json(client.post(BATCH, json=body).data)

    assert [item.ref for item in found.items] == ["#1", "#2", "#3", "#4"]


def test_stats_and_projects_count_all(client: FlaskClient) -> None:
    stats = StatsReply.model_validate_json(client.get("/api/stats?format=json").data)
    page = TextReply.model_validate_json(client.get("/api/projects").data)

    assert (stats.observations, stats.sessions, stats.prompts) == (4, 1, 1)
    assert stats.types == {"bugfix": 4}
    assert "| demo | 6 |" in page.content[0].text


_ASKING = ["query", "limit", "offset", "type", "files", "concepts", "dateStart", "orderBy"]
_PATHS = ["/api/search", "/api/timeline", "/api/projects", "/api/stats", "/api/observation/1"]


@settings(max_examples=150, deadline=None)
@given(
    path=st.sampled_from(_PATHS),
    values=st.dictionaries(st.sampled_from([*_ASKING, "anchor", "format"]), st.text(max_size=30)),
)
def test_no_value_makes_the_worker_fail(
    client: FlaskClient, path: str, values: dict[str, str]
) -> None:
    clean = {name: value.encode("utf-8", "replace").decode() for name, value in values.items()}

    response = client.get(path, query_string=clean)

    assert response.status_code in (200, 400, 404), response.text


@settings(max_examples=150, deadline=None)
@given(query=st.text(alphabet='ab连"*:-()^ ORNADT\0\ud800é', max_size=40))
def test_no_query_makes_the_worker_fail(client: FlaskClient, query: str) -> None:
    text = query.encode("utf-8", "surrogatepass").decode("utf-8", "replace")

    assert client.get("/api/search", query_string={"query": text}).status_code == 200


def notes_of(client: FlaskClient, **asked: str) -> list[str]:
    found = client.get("/api/search", query_string={"format": "json", **asked})
    return SearchReply.model_validate_json(found.data).notes


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ({"query": "pool", "project": "Demo"}, "There is no project Demo. Alike: demo."),
        ({"query": "pool", "project": "dmeo"}, "There is no project dmeo. Alike: demo."),
        ({"query": "pool", "projects": "zzz"}, "There is no project zzz. There are: demo."),
        ({"project": "demo2"}, "There is no project demo2. Alike: demo."),
        (
            {"query": "pool", "dateStart": "2026-02", "dateEnd": "2026-01"},
            "dateStart is after dateEnd, so that no memory can be found.",
        ),
    ],
)
def test_a_filter_that_nothing_can_pass_is_named(
    client: FlaskClient, asked: dict[str, str], note: str
) -> None:
    page = TextReply.model_validate_json(client.get("/api/search", query_string=asked).data)

    assert notes_of(client, **asked) == [note]
    assert page.content[0].text.splitlines()[-1] == f"Note: {note}"


def test_a_timeline_of_a_project_that_does_not_exist_says_so(client: FlaskClient) -> None:
    note = "There is no project Demo. Alike: demo."
    by_anchor = client.get("/api/timeline?anchor=2&project=Demo&format=json")
    by_query = client.get("/api/timeline?query=pool&project=Demo")
    right = client.get(
        "/api/timeline?anchor=2&project=demo&depth_before=0&depth_after=0&format=json"
    )

    assert TimelineReply.model_validate_json(by_anchor.data).notes == [note]
    assert problem(by_query, 404).detail.endswith(f"try other words. {note}")
    assert TimelineReply.model_validate_json(right.data).notes == []


@pytest.mark.parametrize("asked", [{"query": "zxqv", "project": "demo"}, {"query": "zxqv"}])
def test_where_only_the_words_are_missing_nothing_else_is_blamed(
    client: FlaskClient, asked: dict[str, str]
) -> None:
    assert notes_of(client, **asked) == []


def test_where_filters_let_nothing_pass_they_are_named(client: FlaskClient) -> None:
    asked = {"query": "pool", "type": "sessions", "dateEnd": "2020-01", "project": "demo"}
    page = TextReply.model_validate_json(client.get("/api/search", query_string=asked).data)

    assert page.content[0].text == 'No memories for "pool" in demo that pass type, dateEnd'


@pytest.mark.parametrize(
    "query", ["type:bugfix pool", "pool -project:demo", "dateStart:2026", "2026-03", "2026-03-14"]
)
def test_a_filter_typed_into_the_query_is_told_to_be_none(client: FlaskClient, query: str) -> None:
    (note,) = notes_of(client, query=query)

    assert note.startswith("To filter by ")


def test_who_types_a_date_is_told_which_parameters_take_it(client: FlaskClient) -> None:
    (note,) = notes_of(client, query="2026-03-14")

    assert "dateStart and dateEnd" in note


def test_words_with_a_colon_are_no_filters(client: FlaskClient) -> None:
    for query in ("title:pool", "TypeError: pool", "subtype:x", "type: string", "a/type:b", "2026"):
        assert notes_of(client, query=query) == []
