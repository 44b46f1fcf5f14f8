"""Calls of MCP tools are noted as they are answered, and shown with what Claude saw."""

import datetime as dt
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from mcp_server.tools import tools
from tests.integration.memories import Memory, add, writing
from tests.web.conftest import PORT, TOKEN, OwnHostClient, identity_for, services_for
from tests.web.test_problems import problem
from worker.recalls.recorder import Recorder
from worker.recalls.service import Recalls
from worker.shared.contract import BatchRequest, SearchRequest, TextReply, TimelineRequest
from worker.shared.recalls_contract import KEPT_DAYS, ClearedReply, RecallsReply
from worker.shared.settings import Settings
from worker.store.store import Store
from worker.web.app import create_app
from worker.web.openapi import OPERATIONS
from worker.web.recalls import TOOLS, asked_for

BATCH = "/api/observations/batch"
CLEAR = "/api/recalls/clear"
CLAUDE = {"X-Memtray-Client": "mcp-claude-ai"}
CODE = {"X-Memtray-Client": "mcp-claude-code"}
OWN = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state.db"


@pytest.fixture
def client(store: Store, path: Path) -> Iterator[FlaskClient]:
    """The API with a recorder at work."""
    recorder = Recorder(path, lambda: True)
    services = services_for(store, identity_for(PORT, path.parent))
    app = create_app(replace(services, recalls=Recalls(recorder, store), note=recorder.note))
    app.test_client_class = OwnHostClient
    recorder.start()
    yield app.test_client()
    recorder.stop()


def shown(client: FlaskClient, /, **params: object) -> RecallsReply:
    response = client.get("/api/recalls", query_string={**params, "format": "json"})
    assert response.status_code == 200, response.text
    return RecallsReply.model_validate_json(response.data)


def until(client: FlaskClient, count: int) -> RecallsReply:
    deadline = time.monotonic() + 20
    while len((found := shown(client)).recalls) < count:
        assert time.monotonic() < deadline
    return found


def page(client: FlaskClient) -> str:
    return TextReply.model_validate_json(client.get("/api/recalls").data).content[0].text


def test_each_tool_that_asks_the_worker_is_noted() -> None:
    routes = {tool.route.split()[1]: tool.name for tool in tools(Settings()).values() if tool.route}
    described = {operation.path for operation in OPERATIONS}

    assert set(TOOLS.values()) == set(routes.values())
    assert set(routes) <= described


def test_a_search_is_shown_with_what_it_asked_and_what_claude_saw(
    client: FlaskClient, store: Store
) -> None:
    with writing(store.path) as connection:
        add(connection, [Memory("The pool deadlocks", type="bugfix")])
    client.get("/api/search?query=pool+连接池&project=shop&limit=5", headers=CLAUDE)

    (recall,) = until(client, 1).recalls

    assert (recall.client, recall.tool, recall.outcome) == ("claude-ai", "search", "hits")
    assert recall.asked == "pool 连接池"
    assert recall.filters == "limit=5, project=shop"
    assert [(seen.ref, seen.type, seen.title) for seen in recall.seen] == [
        ("#1", "bugfix", "The pool deadlocks")
    ]
    assert recall.tokens > 5
    assert recall.ms >= 0
    moment = dt.datetime.fromisoformat(recall.at)
    assert abs(moment.timestamp() - time.time()) < 60
    assert int(moment.timestamp()) == recall.at_epoch // 1000


def test_timeline_and_details_are_shown_by_their_ids(client: FlaskClient) -> None:
    client.get("/api/timeline?anchor=1", headers=CLAUDE)
    client.post(BATCH, json={"ids": [1, "S3"]}, headers=CODE)

    details, timeline = until(client, 2).recalls

    assert (timeline.tool, timeline.asked) == ("timeline", "#1")
    assert (details.tool, details.asked, details.client) == (
        "get_observations",
        "#1 #S3",
        "claude-code",
    )
    assert shown(client).clients == ["claude-ai", "claude-code"]


def test_a_memory_that_is_gone_keeps_its_id_and_no_title(client: FlaskClient) -> None:
    client.get("/api/search?query=pool", headers=CLAUDE)

    (recall,) = until(client, 1).recalls
    assert [seen.model_dump() for seen in recall.seen] == [{"ref": "#1", "type": "", "title": ""}]


def test_a_refusal_is_noted_with_its_words(client: FlaskClient) -> None:
    client.get("/api/search?limit=many", headers=CLAUDE)
    client.post(BATCH, data="{", content_type="application/json", headers=CLAUDE)
    client.get("/api/timeline", headers=CLAUDE)

    for recall in until(client, 3).recalls:
        assert recall.outcome == "failed"
        assert recall.problem
        assert recall.seen == []


@pytest.mark.parametrize("name", [None, "app", "cli", "curl-mcp"])
def test_who_is_no_mcp_client_is_not_noted(
    client: FlaskClient, path: Path, name: str | None
) -> None:
    client.get("/api/search", headers={} if name is None else {"X-Memtray-Client": name})
    client.get("/api/projects", headers=CLAUDE)
    client.get("/health", headers=CLAUDE)
    client.get("/api/search?query=last", headers=CLAUDE)

    assert [recall.asked for recall in until(client, 1).recalls] == ["last"]


def test_pages_follow_each_other(client: FlaskClient) -> None:
    for number in range(7):
        client.get(f"/api/search?query=q{number}", headers=CODE if number % 2 else CLAUDE)
    until(client, 7)

    first = shown(client, limit=4)
    second = shown(client, limit=4, before=first.next)

    assert [recall.asked for recall in first.recalls + second.recalls] == [
        f"q{number}" for number in reversed(range(7))
    ]
    assert second.next is None
    assert len(shown(client, client="claude-code").recalls) == 3
    assert len(shown(client, since="2020-01-01").recalls) == 7
    assert shown(client, since="2999-01-01").recalls == []


def test_today_and_thirty_days_are_added_up(client: FlaskClient) -> None:
    for _ in range(3):
        client.get("/api/search?query=pool", headers=CLAUDE)
    found = until(client, 3)

    assert found.today.recalls == 3
    assert found.today.tokens == sum(recall.tokens for recall in found.recalls)
    assert len(found.days) == KEPT_DAYS
    assert found.days[-1].model_dump(exclude={"day"}) == found.today.model_dump()
    assert [day.day for day in found.days] == sorted(day.day for day in found.days)
    assert sum(day.recalls for day in found.days) == 3
    assert shown(client, client="claude-code").today.recalls == 0


def test_without_any_it_says_so(client: FlaskClient) -> None:
    found = shown(client)
    assert (found.recalls, found.clients, found.next) == ([], [], None)
    assert len(found.days) == KEPT_DAYS
    assert "Nothing was asked" in page(client)


def test_as_text_a_call_is_a_row_whatever_it_asked(client: FlaskClient) -> None:
    client.get("/api/search", query_string={"query": "a|b\nc"}, headers=CLAUDE)
    until(client, 1)

    row = page(client).splitlines()[-1]
    assert "a\\|b c" in row
    assert "#1" in row
    assert "Today: 1 recalls" in page(client)


def test_clearing_needs_the_token_and_leaves_nothing(client: FlaskClient) -> None:
    client.get("/api/search?query=pool", headers=CLAUDE)
    until(client, 1)

    problem(client.post(CLEAR, json={}), 401)
    cleared = client.post(CLEAR, json={"x": 1}, headers=OWN)

    reply = ClearedReply.model_validate_json(cleared.data)
    assert reply.cleared == 1
    assert "x" in reply.notes[0]
    assert shown(client).recalls == []
    assert shown(client).today.recalls == 0


def test_a_damaged_file_fails_no_search_and_comes_back(client: FlaskClient, path: Path) -> None:
    path.write_bytes(b"broken")

    assert client.get("/api/search?query=pool", headers=CLAUDE).status_code == 200

    deadline = time.monotonic() + 20
    while client.get("/api/recalls").status_code != 200:
        assert time.monotonic() < deadline
    assert list(path.parent.glob("state.db.damaged-*"))
    assert [recall.asked for recall in until(client, 1).recalls] == ["pool"]


def test_a_file_that_cannot_be_read_is_a_problem_of_this_route_alone(
    client: FlaskClient, path: Path
) -> None:
    path.mkdir()

    assert problem(client.get("/api/recalls"), 503).code == "state_unavailable"
    assert client.get("/api/search?query=pool", headers=CLAUDE).status_code == 200


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1)),
)
def test_any_request_is_one_line(query: str, concepts: list[str]) -> None:
    request = SearchRequest(query=query, concepts=tuple(concepts))

    asked, filters = asked_for(request)

    assert asked == " ".join(request.query.split())[:1000]
    assert len((asked + filters).splitlines()) <= 1
    assert not filters or filters.startswith("concepts=")


def test_a_request_that_was_not_understood_asks_for_nothing() -> None:
    assert asked_for(None) == ("", "")
    assert asked_for(TimelineRequest.model_validate({"anchor": "P7"})) == ("#P7", "")
    batch = BatchRequest.model_validate({"ids": "1,S3", "orderBy": "date_asc"})
    assert asked_for(batch) == ("#1 #S3", "orderBy=date_asc")
