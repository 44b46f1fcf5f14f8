"""Backups, and the way back from one."""

from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import Request
from worker.shared.upkeep import BackupReply, BackupsReply, RestoreReply, RestoreRequest
from worker.web.replies import from_body, from_query, json_reply


class Backups(Protocol):
    """What the routes need in order to copy the memories and put a copy back."""

    def list(self) -> BackupsReply: ...
    def make(self) -> BackupReply: ...
    def restore_named(self, name: str) -> RestoreReply: ...


def backup_routes(service: Backups) -> Blueprint:
    """Return the routes; what they do is checked and whole when they answer."""
    routes = Blueprint("backups", __name__)

    @routes.get("/api/backup")
    def listed() -> Response:
        _, notes = from_query(Request)
        return json_reply(service.list().model_copy(update={"notes": notes}))

    @routes.post("/api/backup")
    def made() -> Response:
        _, notes = from_body(Request)
        return json_reply(service.make().model_copy(update={"notes": notes}))

    @routes.post("/api/restore")
    def restored() -> Response:
        request, notes = from_body(RestoreRequest)
        return json_reply(service.restore_named(request.name).model_copy(update={"notes": notes}))

    return routes
