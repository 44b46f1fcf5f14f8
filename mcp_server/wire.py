"""JSON-RPC lines on stdin and stdout: each line gets its answer, and none ends the server.

The SDK's own transport drops a line that it cannot read, and the client waits for ever.
"""

import json
import os
import threading
from typing import Any, BinaryIO

import anyio
import mcp_types as types
from anyio import to_thread
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

_ANSWER_SECONDS = 1.0  # for what is in flight when stdin ends
_LEAVE_SECONDS = 2.5  # then the process is gone, whatever hangs


def read_message(line: bytes) -> SessionMessage | types.JSONRPCError:
    """Return the message of a line, lone surrogates replaced, or the refusal to send back."""
    try:
        raw = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return _refusal(None, types.PARSE_ERROR, "The line is not JSON")
    sent = raw.get("id") if isinstance(raw, dict) else None
    number = sent if isinstance(sent, int | str) and not isinstance(sent, bool) else None
    if number is None and isinstance(raw, dict) and raw.keys() >= {"id", "method"}:
        return _refusal(None, types.INVALID_REQUEST, "An id must be a string or a whole number")
    try:
        clean = json.dumps(raw, ensure_ascii=False).encode("utf-8", "replace")
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(clean, by_name=False))
    except (ValidationError, RecursionError):
        return _refusal(number, types.INVALID_REQUEST, "The line is not a message of JSON-RPC 2.0")


async def serve(server: Server[Any], stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve one client until stdin ends; calls in flight then have a second to finish."""
    to_server, requests = anyio.create_memory_object_stream[SessionMessage | Exception]()
    to_client, replies = anyio.create_memory_object_stream[SessionMessage]()
    asked = set[types.RequestId | None]()  # and not answered yet

    async def read(refusals: MemoryObjectSendStream[SessionMessage]) -> None:
        async with to_server, refusals:
            while line := await to_thread.run_sync(stdin.readline, abandon_on_cancel=True):
                message = read_message(line) if line.strip() else None
                if isinstance(message, types.JSONRPCError):
                    await refusals.send(SessionMessage(message))
                elif message:
                    if isinstance(message.message, types.JSONRPCRequest):
                        asked.add(message.message.id)
                    await to_server.send(message)
            threading.Timer(_LEAVE_SECONDS, os._exit, (0,)).start()
            with anyio.move_on_after(_ANSWER_SECONDS):
                while asked:
                    await anyio.sleep(0.02)

    def send(line: bytes) -> None:
        stdout.write(line)
        stdout.flush()

    async def write() -> None:
        async for reply in replies:
            line = reply.message.model_dump_json(by_alias=True, exclude_unset=True)
            await to_thread.run_sync(send, line.encode("utf-8") + b"\n")
            if isinstance(reply.message, types.JSONRPCResponse | types.JSONRPCError):
                asked.discard(reply.message.id)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read, to_client.clone())
        tasks.start_soon(write)
        await server.run(requests, to_client, server.create_initialization_options())


def _refusal(number: types.RequestId | None, code: int, text: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=text)
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=error)
