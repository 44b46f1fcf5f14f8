"""Making indexes anew, and mending what is broken."""

from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import Request
from worker.shared.upkeep import Index, ReindexReply, ReindexRequest, RepairReply
from worker.web.replies import from_body, json_reply


class Upkeep(Protocol):
    """What the routes need; neither may take long."""

    def reindex(self, what: Index | None) -> ReindexReply: ...
    def repair(self) -> RepairReply: ...


def maintenance_routes(service: Upkeep) -> Blueprint:
    """Return the routes; what they begin goes on in the background."""
    routes = Blueprint("maintenance", __name__)

    @routes.post("/api/reindex")
    def reindex() -> Response:
        request, notes = from_body(ReindexRequest)
        return json_reply(_noted(service.reindex(request.what), notes), 202)

    @routes.post("/api/repair")
    def repair() -> Response:
        _, notes = from_body(Request)
        return json_reply(_noted(service.repair(), notes))

    return routes


def _noted(reply: ReindexReply | RepairReply, notes: list[str]) -> ReindexReply | RepairReply:
    return reply.model_copy(update={"notes": [*notes, *reply.notes]})
