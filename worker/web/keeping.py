"""What is stored already: secrets in it, and the room it takes."""

from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import Request
from worker.shared.keeping import RedactReply, RedactRequest, SizeReply
from worker.web.replies import from_body, from_query, json_reply


class Redacting(Protocol):
    """What the routes need to look for secrets."""

    def report(self) -> RedactReply: ...
    def begin(self, request: RedactRequest) -> RedactReply: ...


class Compacting(Protocol):
    """What the routes need to give room back."""

    def size(self) -> SizeReply: ...
    def compact(self) -> SizeReply: ...


def keeping_routes(
    redacting: Callable[[], Redacting], compacting: Callable[[], Compacting]
) -> Blueprint:
    """Return the routes; what they begin goes on in the background, and GET tells how far."""
    routes = Blueprint("keeping", __name__)

    @routes.get("/api/redact")
    def report() -> Response:
        _, notes = from_query(Request)
        return _noted(redacting().report(), notes)

    @routes.post("/api/redact")
    def redact() -> Response:
        request, notes = from_body(RedactRequest)
        return _noted(redacting().begin(request), notes, 202)

    @routes.get("/api/compact")
    def size() -> Response:
        _, notes = from_query(Request)
        return _noted(compacting().size(), notes)

    @routes.post("/api/compact")
    def compact() -> Response:
        _, notes = from_body(Request)
        return _noted(compacting().compact(), notes, 202)

    return routes


def _noted(reply: RedactReply | SizeReply, notes: list[str], status: int = 200) -> Response:
    return json_reply(reply.model_copy(update={"notes": [*reply.notes, *notes]}), status)
