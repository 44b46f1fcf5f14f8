"""Adding memories, and giving them away to another database."""

from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import SaveReply, SaveRequest
from worker.shared.upkeep import ExportReply, ExportRequest
from worker.web.replies import from_body, from_query, json_reply


class Saving(Protocol):
    """What the routes need in order to add memories and to give them away."""

    def save(self, request: SaveRequest) -> SaveReply: ...
    def leave(self, request: ExportRequest) -> ExportReply: ...


def saving_routes(service: Saving) -> Blueprint:
    """Return the routes that add memories and give them away."""
    routes = Blueprint("saving", __name__)

    @routes.post("/api/memory/save")
    def save() -> Response:
        request, notes = from_body(SaveRequest)
        reply = service.save(request)
        return json_reply(reply.model_copy(update={"notes": [*reply.notes, *notes]}))

    @routes.get("/api/export")
    def leave() -> Response:
        request, notes = from_query(ExportRequest)
        return json_reply(service.leave(request).model_copy(update={"notes": notes}))

    return routes
