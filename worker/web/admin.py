"""Maintenance by HTTP; each of these routes needs the token."""

from collections.abc import Callable

from flask import Blueprint, Response

from worker.shared.contract import Request
from worker.shared.readiness import ShutdownReply
from worker.web.replies import from_body, json_reply


def admin_routes(stop: Callable[[], None]) -> Blueprint:
    """Return the route that ends the worker; `stop` must return at once."""
    routes = Blueprint("admin", __name__)

    @routes.post("/api/admin/shutdown")
    def shutdown() -> Response:
        _, notes = from_body(Request)
        stop()
        return json_reply(ShutdownReply(notes=notes), 202)

    return routes
