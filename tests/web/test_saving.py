"""Saving over HTTP: what is kept, what is refused, and what the answer says."""

import datetime as dt
import json
from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.web.conftest import TOKEN
from tests.web.test_problems import problem
from worker.ingest.service import Ingest
from worker.shared.contract import MAX_TEXT, SaveReply, SaveRequest
from worker.shared.refs import Kind, Ref
from worker.shared.upkeep import ExportReply, ImportReply
from worker.store.store import Store

SAVE = "/api/memory/save"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


def post(client: FlaskClient, body: object) -> TestResponse:
    return client.post(SAVE, json=body, headers=AUTHORIZED)


def save(client: FlaskClient, **body: object) -> SaveReply:
    response = post(client, body)
    assert response.status_code == 200, response.text
    return SaveReply.model_validate_json(response.data)


def fields(store: Store, id_: int) -> Mapping[str, Any]:
    return dict(store.records([Ref(Kind.OBSERVATION, id_)])[Ref(Kind.OBSERVATION, id_)].fields)


def test_what_is_saved_can_be_read_with_all_that_was_given(
    client: FlaskClient, store: Store
) -> None:
    saved = save(
        client,
        text="The pool 连接池 deadlocks\nwhen max_size is 1 🎉",
        title="Pool deadlock",
        project="shop",
        type="bugfix",
        concepts=["gotcha", "trade-off"],
        files="src/db/pool.py,src/app.py",
    )

    assert (saved.saved, saved.success, saved.ref) == (True, True, f"#{saved.id}")
    assert (saved.title, saved.project, saved.type) == ("Pool deadlock", "shop", "bugfix")
    assert f"observation {saved.ref}" in saved.message
    ref = Ref(Kind.OBSERVATION, saved.id)
    record = store.records([ref])[ref]
    assert (record.project, record.type) == ("shop", "bugfix")
    assert record.created_at_epoch == saved.created_at_epoch
    assert fields(store, saved.id) == {
        "title": "Pool deadlock",
        "subtitle": "Manual memory",
        "narrative": "The pool 连接池 deadlocks\nwhen max_size is 1 🎉",
        "concepts": ("gotcha", "trade-off"),
        "files_read": ("src/db/pool.py", "src/app.py"),
    }


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("short", "short"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 60 + "..."),
        ("word " * 12 + "end", ("word " * 12).strip() + "..."),
    ],
)
def test_without_a_title_it_is_how_the_text_begins(
    client: FlaskClient, text: str, title: str
) -> None:
    saved = save(client, text=text)

    assert saved.title == title
    assert (saved.project, saved.type) == ("claude-mem", "discovery")  # claude-mem's own defaults


def test_the_same_text_is_kept_once_in_a_project_and_the_answer_says_so(
    client: FlaskClient, store: Store
) -> None:
    first = save(client, text="Once only", project="shop")
    again = save(client, text="  Once only\n", project="shop", type="decision")
    elsewhere = save(client, text="Once only", project="other")

    assert not again.saved
    assert again.id == first.id
    assert again.created_at_epoch == first.created_at_epoch
    assert f"there already, as observation {first.ref}" in again.message
    assert elsewhere.saved
    assert store.counts()[Kind.OBSERVATION] == 2


def test_an_unknown_parameter_is_ignored_and_named(client: FlaskClient) -> None:
    assert save(client, text="a", tags=["b"]).notes == ["Ignored, not a parameter: tags."]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": None}, "text"),
        ({"text": ""}, "text"),
        ({"text": " \n\t"}, "text"),
        ({"text": 5}, "text"),
        ({"text": ["a"]}, "text"),
        ({"text": {"a": 1}}, "text"),
        ({"text": True}, "text"),
        ({"text": "a\0b"}, "text"),
        ({"text": "a\x1b[31mb"}, "text"),
        ({"text": "a\x7f"}, "text"),
        ({"text": "a\x85"}, "text"),
        ({"text": "a\ud800b"}, "text"),
        ({"text": "x" * (MAX_TEXT + 1)}, "text"),
        ({"text": "a", "title": 1}, "title"),
        ({"text": "a", "title": "\0"}, "title"),
        ({"text": "a", "title": "x" * 501}, "title"),
        ({"text": "a", "project": ""}, "project"),
        ({"text": "a", "project": "  "}, "project"),
        ({"text": "a", "project": ["p"]}, "project"),
        ({"text": "a", "project": "\udfff"}, "project"),
        ({"text": "a", "project": "x" * 201}, "project"),
        ({"text": "a", "type": ""}, "type"),
        ({"text": "a", "type": 3.5}, "type"),
        ({"text": "a", "type": "x" * 51}, "type"),
        ({"text": "a", "concepts": 5}, "concepts"),
        ({"text": "a", "concepts": [["b"]]}, "concepts"),
        ({"text": "a", "concepts": ["b\0"]}, "concepts"),
        ({"text": "a", "concepts": ["b"] * 51}, "concepts"),
        ({"text": "a", "files": {"a": 1}}, "files"),
        ({"text": "a", "files": "\ud800"}, "files"),
        ([], "body"),
        ("text", "body"),
    ],
)
def test_what_cannot_be_kept_is_400_and_names_the_field(
    client: FlaskClient, store: Store, body: object, field: str
) -> None:
    found = problem(post(client, body), 400)

    assert found.field == field
    assert found.detail.startswith(field)
    assert store.counts()[Kind.OBSERVATION] == 0


def test_the_error_says_what_is_wrong_where(client: FlaskClient) -> None:
    assert f"{MAX_TEXT}" in problem(post(client, {"text": "x" * (MAX_TEXT + 1)}), 400).detail
    assert "U+001B at position 2" in problem(post(client, {"text": "ab\x1bc"}), 400).detail
    assert "U+DC00 at position 0" in problem(post(client, {"text": "\udc00"}), 400).detail


def test_the_longest_text_is_kept_whole(client: FlaskClient, store: Store) -> None:
    text = "连" * MAX_TEXT

    assert fields(store, save(client, text=text).id)["narrative"] == text


def test_reading_the_address_changes_nothing(client: FlaskClient) -> None:
    assert "POST" in problem(client.get(SAVE, headers=AUTHORIZED), 405).detail


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=st.fixed_dictionaries({"text": st.text()}, optional={"title": st.text()}))
def test_any_text_is_kept_as_it_is_or_refused_by_name(
    client: FlaskClient, store: Store, body: dict[str, str]
) -> None:
    response = post(client, body)

    if response.status_code == 200:
        saved = SaveReply.model_validate_json(response.data)
        assert fields(store, saved.id)["narrative"] == body["text"].strip()
    else:
        assert problem(response, 400).field in body
        assert json.loads(response.data)["detail"]


# ---------------------------------------------------------------------- carrying
ROWS = "/api/import/rows"
OBSERVATION = {"table": "observations", "id": 7, "memory_session_id": "m", "project": "shop"}


def test_rows_come_in_once_and_leave_as_they_came(client: FlaskClient) -> None:
    for added in ({"observations": 1}, {}):
        response = client.post(ROWS, json={"rows": [OBSERVATION]}, headers=AUTHORIZED)
        reply = ImportReply.model_validate_json(response.data)
        assert (reply.added, reply.known) == (added, 1 - len(added))

    page = ExportReply.model_validate_json(client.get("/api/export").data)
    assert page.rows[0]["memory_session_id"] == "m"
    page = ExportReply.model_validate_json(client.get(f"/api/export?after={page.next}").data)
    assert page.rows[0].items() >= OBSERVATION.items()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "rows: is required"),
        ({"rows": None}, "rows: is required"),
        ({"rows": {}}, "rows: must be a list"),
        ({"rows": "[]"}, "rows: must be a list"),
        ({"rows": [OBSERVATION, 5]}, "rows: number 2: a row must be an object"),
        ({"rows": [{"table": "sqlite_master"}]}, "rows: number 1: "),
        ({"rows": [{**OBSERVATION, "id": -1}]}, "rows: number 1: id must be"),
        ({"rows": [{**OBSERVATION, "title": ["a"]}]}, "rows: number 1: title must be"),
        ({"rows": [{**OBSERVATION, "title": "\ud800"}]}, "rows: number 1: title holds half"),
    ],
)
def test_rows_that_cannot_be_stored_are_400_and_named(
    client: FlaskClient, store: Store, body: object, said: str
) -> None:
    found = problem(client.post(ROWS, json=body, headers=AUTHORIZED), 400)

    assert found.field == "rows"
    assert found.detail.startswith(said)
    assert store.counts()[Kind.OBSERVATION] == 0


@pytest.mark.parametrize("after", ["x", "0", "-1.0.0.0.0.0", "0.0.0.0.0.0.0", "%FF"])
def test_a_place_that_no_page_gave_is_400(client: FlaskClient, after: str) -> None:
    assert problem(client.get(f"/api/export?after={after}"), 400).field == "after"


# ---------------------------------------------------------------------- the clock
@pytest.mark.parametrize(
    ("clock", "year"), [(0.0, "2025-01-01"), (-5.0, "2025-01-01"), (1_790_000_000.9, "2026-09-21")]
)
def test_whatever_the_clock_shows_times_are_milliseconds_of_our_days(
    store: Store, clock: float, year: str
) -> None:
    ingest = Ingest(store, store.path.with_name("state.db"), clock=lambda: clock)

    saved = ingest.save(SaveRequest(text="When"))

    ref = Ref(Kind.OBSERVATION, saved.id)
    assert store.records([ref])[ref].created_at_epoch == saved.created_at_epoch
    sql = "SELECT created_at, created_at_epoch FROM observations"
    text, epoch = store.read().execute(sql).fetchone()
    assert text.startswith(year)
    assert dt.datetime.fromisoformat(text).timestamp() * 1000 == epoch


def test_a_clock_that_is_set_back_changes_no_time_that_was_saved(store: Store) -> None:
    times = iter([1_790_000_000.0, 1_789_000_000.0, 1_790_000_001.0])
    ingest = Ingest(store, store.path.with_name("state.db"), clock=lambda: next(times))

    saved = [ingest.save(SaveRequest(text=f"Text {n}")) for n in range(3)]

    assert [reply.id for reply in saved] == [1, 2, 3]
    assert [reply.created_at_epoch for reply in saved] == [
        1_790_000_000_000,
        1_789_000_000_000,
        1_790_000_001_000,
    ]
