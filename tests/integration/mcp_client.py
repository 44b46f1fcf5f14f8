"""The MCP SDK's own client on a real memtray-mcp, usable from tests that are not async."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters

from tests.bench.tokens import index_rows
from tests.integration.processes import ROOT

_SCRIPT = Path(sys.executable).with_name("memtray-mcp" + Path(sys.executable).suffix)


@dataclass(frozen=True, slots=True)
class McpClient:
    """A client that has initialised its server."""

    _portal: BlockingPortal
    _client: Client

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text that a tool answers; an error of the tool fails the test."""
        text, failed = self.ask(tool, **arguments)
        assert not failed, text
        return text

    def ask(self, tool: str, **arguments: object) -> tuple[str, bool]:
        """Return the text, and whether the tool called it an error."""
        result = self._portal.call(self._client.call_tool, tool, arguments)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        return text, bool(result.is_error)

    def refs(self, tool: str, **arguments: object) -> list[str]:
        """Return what a search or a timeline lists, in order: 12, S3 or P7."""
        return list(index_rows(self.call(tool, **arguments)))


@contextmanager
def connected(data_dir: Path, environ: Mapping[str, str]) -> Iterator[McpClient]:
    """Start the MCP server on a data folder and give a client of it."""
    server = StdioServerParameters(
        command=str(_SCRIPT) if _SCRIPT.exists() else sys.executable,
        args=[] if _SCRIPT.exists() else ["-m", "mcp_server"],
        env={**environ, "CLAUDE_MEM_DATA_DIR": str(data_dir)},
        cwd=ROOT,
    )
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server)) as client,
    ):
        yield McpClient(portal, client)
