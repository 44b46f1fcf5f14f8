"""Adding memories."""

from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import SaveReply, SaveRequest
from worker.web.replies import from_body, json_reply


class Saving(Protocol):
    """What the routes need in order to add memories."""

    def save(self, request: SaveRequest) -> SaveReply: ...


def saving_routes(service: Saving) -> Blueprint:
    """Return the routes that add memories."""
    routes = Blueprint("saving", __name__)

    @routes.post("/api/memory/save")
    def save() -> Response:
        request, notes = from_body(SaveRequest)
        return json_reply(service.save(request).model_copy(update={"notes": notes}))

    return routes
