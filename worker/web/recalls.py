"""What Claude asked for and got: noted as each answer leaves, and shown."""

import json
import time
from collections.abc import Callable, Iterable
from typing import Protocol

from flask import Blueprint, Flask, Response, request

from worker.recalls.page import recalls_page
from worker.recalls.recorder import Call
from worker.shared.contract import Request
from worker.shared.recalls_contract import ClearedReply, RecallsReply, RecallsRequest
from worker.shared.refs import Ref
from worker.web.replies import from_body, from_query, json_reply, reply, with_notes

MCP = "mcp"  # how the name of an MCP client begins; then a dash and its own name
TOOLS = {
    "searching.search": "search",
    "searching.timeline": "timeline",
    "searching.batch": "get_observations",
}

_MAIN = ("query", "anchor", "ids")  # what is asked for; all else only narrows it
_MAX_ASKED = 1_000  # characters
_MAX_TEXT = 38_000  # of an answer; the MCP server passes on no more
_ASKED, _FOUND = "memtray.asked", "memtray.found"  # in the environment of a request


class Recalls(Protocol):
    """What the routes need of the recalls."""

    def listed(self, request: RecallsRequest) -> RecallsReply: ...
    def clear(self) -> int: ...


def recall_routes(service: Recalls) -> Blueprint:
    """Return the routes that show what was asked, and forget it."""
    routes = Blueprint("recalls", __name__)

    @routes.get("/api/recalls")
    def shown() -> Response:
        asked, notes = from_query(RecallsRequest)
        found = service.listed(asked)
        found = found.model_copy(update={"notes": found.notes + notes})
        return reply(found, asked.format, lambda: with_notes(recalls_page(found), found.notes))

    @routes.post("/api/recalls/clear")
    def clear() -> Response:
        _, notes = from_body(Request)
        return json_reply(ClearedReply(cleared=service.clear(), notes=notes))

    return routes


def was_asked(asked: Request) -> None:
    """Remember what this request asks for, for whoever notes it."""
    request.environ[_ASKED] = asked


def was_found(refs: Iterable[str]) -> None:
    """Remember what the answer to this request holds."""
    request.environ[_FOUND] = tuple(refs)


def note_calls(app: Flask, note: Callable[[Call], None]) -> None:
    """Have each call of an MCP tool noted; `note` must return at once."""

    @app.after_request
    def after(response: Response) -> Response:
        tool = TOOLS.get(request.endpoint or "")
        client = request.headers.get("X-Memtray-Client", "")
        if tool and client.startswith(MCP):
            note(_call(tool, client.removeprefix(MCP).removeprefix("-")[:80], response))
        return response


def asked_for(asked: Request | None) -> tuple[str, str]:
    """Return what was asked in one line, and what narrows it as name=value."""
    if asked is None:  # it could not be read
        return "", ""
    given = asked.model_dump(exclude_defaults=True, exclude={"format"}, by_alias=True)
    main = [_words(given[name]) for name in _MAIN if name in given]
    rest = [f"{name}={_words(value)}" for name, value in given.items() if name not in _MAIN]
    return " ".join(main)[:_MAX_ASKED], ", ".join(rest)[:_MAX_ASKED]


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_words, value))
    if isinstance(value, dict):  # a Ref
        value = Ref(**value)
    return " ".join(str(value).split())


def _call(tool: str, client: str, response: Response) -> Call:
    refs = request.environ.get(_FOUND, ())
    asked, filters = asked_for(request.environ.get(_ASKED))
    text = response.get_data(as_text=True)
    body = json.loads(text)
    problem = body["detail"] if response.status_code >= 400 else ""
    if "content" in body:
        text = "\n".join(part["text"] for part in body["content"])
    return Call(
        at=int(time.time() * 1000),
        client=client,
        tool=tool,
        asked=asked,
        filters=filters,
        refs=refs,
        text=(problem or text)[:_MAX_TEXT],
        ms=round((time.perf_counter() - request.environ["memtray.began"]) * 1000),
        outcome=_outcome(response.status_code, found=bool(refs)),
        problem=problem,
    )


def _outcome(status: int, *, found: bool) -> str:
    if status >= 400 and status != 404:
        return "failed"
    return "hits" if found else "none"
