"""Clients that others wrote understand the server."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from mcp_server.tools import WORKFLOW
from tests.mcp_server.program import COMMAND, ROOT, environment
from tests.shared.stub import Answer, Asked, Stub, problem, said
from worker.shared.paths import Paths

VALIDATOR = ROOT.parent / "shared" / "data" / "mcp" / "validate_stdio.py"


def answer(asked: Asked) -> Answer:
    if asked.path == "/api/timeline":
        return problem(404, "not_found", "There is no #999")
    return said("悬空 🎉")


def text_of(result: CallToolResult) -> str:
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_client_of_the_sdk_lists_and_calls(data_dir: Path, mode: str) -> None:
    async def session() -> None:
        server = StdioServerParameters(
            command=COMMAND[0],
            args=[*COMMAND[1:], "--data-dir", str(data_dir)],
            cwd=ROOT,
            env=environment(data_dir.parent),
        )
        async with Client(stdio_client(server), mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert [t.name for t in tools][1:] == ["search", "timeline", "get_observations"]
            assert text_of(await client.call_tool("__IMPORTANT", {})) == WORKFLOW
            assert text_of(await client.call_tool("search", {"query": "悬空"})) == "悬空 🎉"
            refused = await client.call_tool("timeline", {"anchor": 999})
            assert refused.is_error
            assert text_of(refused) == "Title: There is no #999"

    with Stub(Paths(data_dir), answer).serving() as stub:
        stub.announce()
        anyio.run(session)


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_each_line_conforms_to_the_specification(data_dir: Path, version: str) -> None:
    if not VALIDATOR.exists():
        pytest.skip("the validator and the schemas are not beside the project")
    with Stub(Paths(data_dir), answer).serving() as stub:
        stub.announce()
        done = subprocess.run(
            [
                *(sys.executable, str(VALIDATOR), "--version", version),
                *("--", *COMMAND, "--data-dir", str(data_dir)),
            ],
            cwd=ROOT,
            env=environment(data_dir.parent),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stdout
    assert "bad 0" in done.stdout


@pytest.mark.slow
def test_the_inspector_lists_and_calls(data_dir: Path) -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("there is no npx")
    base = [npx, "--yes", "@modelcontextprotocol/inspector", "--cli", *COMMAND]
    base += ["--data-dir", str(data_dir)]

    def inspect(*arguments: str) -> dict[str, object]:
        done = subprocess.run(
            [*base, "--method", *arguments],
            cwd=ROOT,
            env=environment(data_dir.parent),
            capture_output=True,
            encoding="utf-8",
            timeout=240,
            check=False,
        )
        if "npm error" in done.stderr:
            pytest.skip(f"the inspector cannot be had: {done.stderr[:200]}")
        assert done.returncode == 0, done.stderr
        reply: dict[str, object] = json.loads(done.stdout)
        return reply

    with Stub(Paths(data_dir), answer).serving() as stub:
        stub.announce()
        tools = inspect("tools/list")["tools"]
        assert isinstance(tools, list)
        assert len(tools) == 4
        call = ("tools/call", "--tool-name", "search", "--tool-arg", "query=a b", "limit=5")
        assert inspect(*call)["content"] == [{"type": "text", "text": "悬空 🎉"}]
        assert stub.asked[-1].params == {"query": "a b", "limit": "5"}
