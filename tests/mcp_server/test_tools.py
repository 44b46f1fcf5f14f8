"""What a client reads of the tools: complete, true, and short."""

import json
import warnings
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcp_server.tools import WORKFLOW, tools
from tests.mcp_server.conftest import Pair
from tests.mcp_server.program import ROOT, running
from worker import __version__
from worker.shared.contract import BatchRequest, Request, SearchRequest, TimelineRequest
from worker.shared.settings import Settings

MAX_TOKENS = 520
MAX_LINES = 350
REQUESTS: dict[str, type[Request]] = {
    "search": SearchRequest,
    "timeline": TimelineRequest,
    "get_observations": BatchRequest,
}


def listed() -> list[dict[str, Any]]:
    return [
        {"name": t.name, "description": t.description, "inputSchema": t.input_schema}
        for t in tools(Settings()).values()
    ]


def test_the_server_lists_four_tools_and_says_the_workflow_three_ways(pair: Pair) -> None:
    result = pair.program.ask("tools/list")["result"]
    assert result["tools"] == listed()
    names = [tool["name"] for tool in result["tools"]]
    assert names == ["__IMPORTANT", "search", "timeline", "get_observations"]
    assert result["tools"][0]["description"] == WORKFLOW
    assert pair.program.call("__IMPORTANT") == (WORKFLOW, False)
    assert pair.worker.asked == []


def test_the_server_says_who_it_is_and_how_to_use_it(tmp_path: Path) -> None:
    with running(tmp_path / "data") as program:
        opened = program.open()
    assert opened["serverInfo"] == {"name": "memtray", "version": __version__}
    assert opened["instructions"] == WORKFLOW
    assert opened["capabilities"] == {"tools": {"listChanged": False}}


def test_the_list_costs_few_tokens() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import bpe_openai

        encoding = bpe_openai.get_encoding("cl100k_base")
    for escaped in (False, True):
        text = json.dumps({"tools": listed()}, ensure_ascii=escaped, separators=(",", ":"))
        assert len(encoding.encode(text)) <= MAX_TOKENS


@pytest.mark.parametrize(("name", "request_type"), REQUESTS.items())
def test_each_parameter_of_the_request_is_declared_with_its_type(
    name: str, request_type: type[Request]
) -> None:
    schema = tools(Settings())[name].input_schema
    accepted = {
        f.alias or n for n, f in request_type.model_fields.items()
    } - request_type.for_windows
    assert schema["properties"].keys() == accepted
    assert all("type" in parameter for parameter in schema["properties"].values())
    assert schema["additionalProperties"] is True
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("search", {"query": "authentication bug", "type": "bugfix", "limit": 10}),
        ("search", {"files": "src/a.py,src/b.py", "orderBy": "date_desc", "unknown": [1]}),
        ("timeline", {"anchor": 123, "depth_before": 3, "depth_after": 3}),
        ("timeline", {"anchor": "#S3", "project": "*"}),
        ("get_observations", {"ids": [123, "456", "#P7"], "orderBy": "date_desc"}),
    ],
)
def test_what_the_schema_allows_the_request_accepts(
    name: str, arguments: dict[str, object]
) -> None:
    jsonschema.validate(arguments, tools(Settings())[name].input_schema)
    assert REQUESTS[name].model_validate(arguments)


def test_only_the_ids_are_required() -> None:
    required = {name: t.input_schema.get("required") for name, t in tools(Settings()).items()}
    assert required == {
        "__IMPORTANT": None,
        "search": None,
        "timeline": None,
        "get_observations": ["ids"],
    }


def test_defaults_and_choices_are_told() -> None:
    search = tools(Settings())["search"].input_schema["properties"]
    assert search["limit"] == {"type": "integer", "default": 20}
    assert search["orderBy"]["enum"] == ["relevance", "date_desc", "date_asc"]
    assert search["project"] == {"type": "string"}


def test_a_setting_renames_the_first_tool() -> None:
    table = tools(Settings(important_tool_name="important"))
    assert list(table) == ["important", "search", "timeline", "get_observations"]
    assert table["important"].description == WORKFLOW


def test_the_server_stays_small() -> None:
    sources = (ROOT / "mcp_server").glob("*.py")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in sources)
    assert lines <= MAX_LINES
