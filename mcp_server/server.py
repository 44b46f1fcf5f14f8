"""The MCP server: says which tools there are, and hands each call on to the worker."""

import logging
import os
import signal
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import Any, BinaryIO, NoReturn

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from mcp_server.tools import WORKFLOW, Tool, tools
from mcp_server.wire import serve
from worker import __version__
from worker.shared.client import WorkerClient
from worker.shared.contract import TextReply
from worker.shared.errors import MemtrayError
from worker.shared.identity import API_LEVEL
from worker.shared.launch import ensure_running
from worker.shared.logs import setup_logging
from worker.shared.paths import Paths, default_paths
from worker.shared.settings import Settings, load_settings

_CALL_SECONDS = 9.5  # for a whole call
_START_SECONDS = 5.0  # of these, for a worker that has to be started
_MAX_BYTES = 38_000  # of text; clients refuse or set aside what is much longer

log = logging.getLogger(__name__)


def run(data_dir: str | None, stdin: BinaryIO, stdout: BinaryIO) -> NoReturn:
    """Serve one client, then end the process, whatever call may still hang."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    paths = default_paths(data_dir)
    settings = load_settings(paths.settings)
    setup_logging(paths.logs, "mcp", settings.log_level, stderr=True)
    threading.Thread(target=_leave_with_parent, args=(os.getppid(),), daemon=True).start()
    code = 0
    try:
        anyio.run(serve, make_server(paths, settings), stdin, stdout)
    except* BrokenPipeError:
        log.info("the client is gone")
    except* Exception:  # the top of the process
        log.exception("memtray-mcp ends")
        code = 1
    finally:
        logging.shutdown()
        os._exit(code)


def make_server(paths: Paths, settings: Settings) -> Server[dict[str, Any]]:
    """Return the server over the worker of one data folder."""
    table = tools(settings)

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        listed = [
            types.Tool(name=t.name, description=t.description, input_schema=t.input_schema)
            for t in table.values()
        ]
        return types.ListToolsResult(tools=listed)

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = table.get(params.name)
        if tool is None:
            return _result(f"No such tool; there are {', '.join(table)}", failed=True)
        if not tool.route:
            return _result(tool.description)
        asker = context.session.client_params
        name = f"mcp-{asker.client_info.name}" if asker else "mcp"
        client = WorkerClient(paths, name, timeout=_CALL_SECONDS)
        work = partial(_forward, paths, client, tool, params.arguments or {})
        with anyio.move_on_after(_CALL_SECONDS):
            return await to_thread.run_sync(work, abandon_on_cancel=True)
        return _result("It took too long. Try again, or: memtray-worker restart", failed=True)

    return Server(
        "memtray",
        version=__version__,
        instructions=WORKFLOW,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def fit(text: str, rest: str) -> str:
    """Return what fits into one reply, whole lines where possible; `rest` says how to go on."""
    encoded = text.encode("utf-8", "replace")
    if len(encoded) <= _MAX_BYTES:
        return encoded.decode("utf-8")
    kept = encoded[:_MAX_BYTES].decode("utf-8", "ignore")
    line_end = kept.rfind("\n")
    if line_end > len(kept) // 2:  # else one line is most of the text
        kept = kept[:line_end]
    return f"{kept}\n\n[Cut to {_MAX_BYTES} of {len(encoded)} bytes. For the rest {rest}.]"


def _forward(
    paths: Paths, client: WorkerClient, tool: Tool, arguments: Mapping[str, Any]
) -> types.CallToolResult:
    """Let the worker do one call; all that goes wrong becomes a text that says what helps."""
    wanted = {key: value for key, value in arguments.items() if key != "format"}
    try:
        health = ensure_running(paths, wait_seconds=_START_SECONDS)
        method, path = tool.route.split()
        answer = client.get(path, wanted) if method == "GET" else client.post(path, wanted)
        reply = TextReply.model_validate(answer)
        text = fit("\n".join(part.text for part in reply.content), tool.rest)
        if health.api_level != API_LEVEL:
            text += f"\n\n[Worker {health.version}, MCP server {__version__}: restart both.]"
        return _result(text)
    except MemtrayError as exc:
        return _result(f"{exc.title}: {exc.detail}", failed=True)
    except Exception:  # the top of a request
        log.exception("%s failed", tool.name)
        return _result(f"That failed; the newest mcp-*.jsonl in {paths.logs} says why", failed=True)


def _result(text: str, *, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=failed)


def _leave_with_parent(parent: int) -> None:
    """End this process soon after its parent; on Windows only the end of stdin tells."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
