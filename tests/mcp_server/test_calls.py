"""A call goes to the worker as it came, and its answer or its refusal comes back as text."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_server.server import fit
from tests.mcp_server.conftest import Pair
from tests.shared.stub import TOKEN, Answer, problem, said
from worker.shared.contract import BatchRequest, SearchRequest

MAX_REPLY = 40_000  # bytes


def test_search_and_timeline_are_asked_by_parameters(pair: Pair) -> None:
    assert pair.program.call("search", {"query": "悬空 🎉", "limit": "5", "type": "bugfix"}) == (
        "hello",
        False,
    )
    assert pair.program.call("timeline", {"anchor": 12, "depth_before": None}) == ("hello", False)
    search, timeline = (a for a in pair.worker.asked if a.path != "/health")
    assert (search.method, search.path) == ("GET", "/api/search")
    assert search.params == {"query": "悬空 🎉", "limit": "5", "type": "bugfix"}
    assert (timeline.method, timeline.path) == ("GET", "/api/timeline")
    assert timeline.params == {"anchor": "12"}


def test_details_are_asked_by_a_body(pair: Pair) -> None:
    assert pair.program.call("get_observations", {"ids": [1, "S2"], "x": {"y": 1}})[1] is False
    batch = pair.worker.asked[-1]
    assert (batch.method, batch.path) == ("POST", "/api/observations/batch")
    assert json.loads(batch.body) == {"ids": [1, "S2"], "x": {"y": 1}}


def test_the_worker_is_told_who_asks_and_proved_that_it_is_allowed(pair: Pair) -> None:
    pair.program.call("search")
    headers = pair.worker.asked[-1].headers
    assert headers["x-memtray-client"] == "mcp-a-test"
    assert headers["authorization"] == f"Bearer {TOKEN}"


def test_the_form_of_the_answer_is_not_for_the_model_to_choose(pair: Pair) -> None:
    pair.program.call("search", {"format": "json"})
    assert pair.worker.asked[-1].params == {}


@pytest.mark.parametrize(
    ("sent", "understood"),
    [
        ({"ids": "[1,2]"}, ["#1", "#2"]),
        ({"ids": ["1", "2"]}, ["#1", "#2"]),
        ({"ids": "1,2"}, ["#1", "#2"]),
        ({"ids": 5}, ["#5"]),
        ({"ids": ["S3", "#P7"], "limit": None}, ["#S3", "#P7"]),
    ],
)
def test_ids_arrive_as_the_contract_reads_them(
    pair: Pair, sent: dict[str, object], understood: list[str]
) -> None:
    pair.program.call("get_observations", sent)
    request = BatchRequest.model_validate_json(pair.worker.asked[-1].body)
    assert [str(ref) for ref in request.ids] == understood


def test_lists_arrive_as_the_contract_reads_them(pair: Pair) -> None:
    pair.program.call("search", {"concepts": ["a,b", "c"], "files": "x.py, y.py", "limit": "7"})
    request = SearchRequest.model_validate(pair.worker.asked[-1].params)
    assert request.concepts == ("a,b", "c")
    assert request.files == ("x.py", "y.py")
    assert request.limit == 7


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from(["query", "limit", "type", "anchor", "ids", "project", "orderBy"])


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.sampled_from(["search", "timeline", "get_observations"]),
    st.dictionaries(NAMES | st.text(max_size=8), JSON, max_size=4),
)
def test_any_arguments_reach_the_worker(
    pair: Pair, tool: str, arguments: dict[str, object]
) -> None:
    assert pair.program.call(tool, arguments) == ("hello", False)
    given_keys = {key for key, value in arguments.items() if value is not None}
    asked = pair.worker.asked[-1]
    sent: dict[str, Any] = json.loads(asked.body) if asked.body else asked.params
    assert {k for k, v in sent.items() if v is not None} == given_keys - {"format"}


@pytest.mark.parametrize(
    ("status", "code", "detail"),
    [
        (400, "bad_request", "limit: must be a whole number, not 'many'"),
        (404, "not_found", "There is no #999; ids range 1..150"),
        (503, "store_unavailable", "/x/claude-mem.db is no database"),
        (401, "unauthorized", "the token is missing"),
        (500, "internal", "an unexpected error"),
    ],
)
def test_a_refusal_of_the_worker_is_an_error_with_its_words(
    pair: Pair, status: int, code: str, detail: str
) -> None:
    pair.answering(lambda _: problem(status, code, detail))
    text, failed = pair.program.call("timeline", {"anchor": 999})
    assert failed
    assert text == f"Title: {detail}"


@pytest.mark.parametrize("body", [b"{}", b"[]", b"null", b'{"content": "text"}', b'{"items": []}'])
def test_an_answer_of_another_shape_is_an_error_that_names_the_log(pair: Pair, body: bytes) -> None:
    pair.answering(lambda _: Answer(body))
    text, failed = pair.program.call("search")
    assert failed
    assert str(pair.worker.paths.logs) in text


def test_an_unknown_tool_is_an_error_that_names_those_there_are(pair: Pair) -> None:
    text, failed = pair.program.call("save_memory", {"text": "x"})
    assert failed
    assert "get_observations" in text


def test_a_long_answer_is_cut_at_a_line_with_the_way_to_the_rest(pair: Pair) -> None:
    rows = "\n".join(f'| #{n} | 悬空 "quoted" | {"x" * 100} |' for n in range(2000))
    pair.answering(lambda _: said(rows))
    response = pair.program.ask("tools/call", {"name": "search", "arguments": {"limit": 100}})
    text = response["result"]["content"][0]["text"]
    assert len(text.encode()) < MAX_REPLY
    kept, note = text.split("\n\n")
    assert rows.startswith(kept + "\n")
    assert "offset" in note


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=200), st.integers(1, 2000))
def test_whatever_the_text_it_fits(part: str, times: int) -> None:
    text = part * times
    fitted = fit(text, "ask for less")
    assert len(fitted.encode()) < MAX_REPLY
    assert fitted == text.encode("utf-8", "replace").decode() or "ask for less" in fitted


def test_a_single_endless_line_is_cut_inside() -> None:
    fitted = fit("title\n" + "猫" * 100_000, "ask for less")
    assert len(fitted.encode()) > MAX_REPLY * 0.9


def test_of_another_api_level_the_worker_still_serves_with_a_note(pair: Pair) -> None:
    pair.worker.version = "9.9.9"
    assert pair.program.call("search") == ("hello", False)
    pair.worker.api_level = 2
    text, failed = pair.program.call("search")
    assert not failed
    assert text.startswith("hello\n\n[")
    assert "9.9.9" in text
