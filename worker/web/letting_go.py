"""Memories let go, and put back."""

from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import Request
from worker.shared.trash_contract import (
    DeleteReply,
    DeleteRequest,
    TrashReply,
    UndoReply,
    UndoRequest,
)
from worker.web.replies import from_body, from_query, json_reply


class Trash(Protocol):
    """What the routes need."""

    def delete(self, request: DeleteRequest) -> DeleteReply: ...
    def undo(self, request: UndoRequest) -> UndoReply: ...
    def trash(self) -> TrashReply: ...


def trash_routes(trash: Callable[[], Trash]) -> Blueprint:
    """Return the routes; `trash` raises where there is no store."""
    routes = Blueprint("trash", __name__)

    @routes.post("/api/memory/delete")
    def delete() -> Response:
        request, notes = from_body(DeleteRequest)
        reply = trash().delete(request)
        return json_reply(reply.model_copy(update={"notes": [*reply.notes, *notes]}))

    @routes.post("/api/memory/undo")
    def undo() -> Response:
        request, notes = from_body(UndoRequest)
        return json_reply(trash().undo(request).model_copy(update={"notes": notes}))

    @routes.get("/api/trash")
    def listed() -> Response:
        _, notes = from_query(Request)
        return json_reply(trash().trash().model_copy(update={"notes": notes}))

    return routes
