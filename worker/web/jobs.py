"""Imports: rows that come in at once, and long work that is begun, looked at, cancelled."""

from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response

from worker.shared.contract import Request
from worker.shared.jobs import (
    ImportPathsRequest,
    JobReply,
    JobsReply,
    UndoImportReply,
    UndoImportRequest,
)
from worker.shared.upkeep import ImportReply, ImportRequest
from worker.web.replies import from_body, from_query, json_reply


class Jobs(Protocol):
    """What the routes need."""

    def begin(self, request: ImportPathsRequest) -> JobReply: ...
    def enter(self, request: ImportRequest) -> ImportReply: ...
    def jobs(self) -> list[JobReply]: ...
    def job(self, id_: str) -> JobReply: ...
    def undo(self, id_: str) -> UndoImportReply: ...
    def cancel(self, id_: str) -> JobReply: ...
    def pause(self, id_: str) -> JobReply: ...
    def resume(self, id_: str) -> JobReply: ...


def job_routes(imports: Callable[[], Jobs]) -> Blueprint:
    """Return the routes; none of them waits for a job. `imports` raises where there is no store."""
    routes = Blueprint("jobs", __name__)

    @routes.post("/api/import")
    def begin() -> Response:
        request, notes = from_body(ImportPathsRequest)
        return json_reply(imports().begin(request).model_copy(update={"notes": notes}), 202)

    @routes.post("/api/import/undo")
    def undo() -> Response:
        request, notes = from_body(UndoImportRequest)
        return json_reply(imports().undo(request.job).model_copy(update={"notes": notes}))

    @routes.post("/api/import/rows")
    def enter() -> Response:
        request, notes = from_body(ImportRequest)
        reply = imports().enter(request)
        return json_reply(reply.model_copy(update={"notes": [*reply.notes, *notes]}))

    @routes.get("/api/jobs")
    def jobs() -> Response:
        _, notes = from_query(Request)
        return json_reply(JobsReply(jobs=imports().jobs(), notes=notes))

    @routes.get("/api/jobs/<record_id>")
    def job(record_id: str) -> Response:
        _, notes = from_query(Request)
        return json_reply(imports().job(record_id).model_copy(update={"notes": notes}))

    @routes.delete("/api/jobs/<record_id>")
    def cancel(record_id: str) -> Response:
        return json_reply(imports().cancel(record_id))

    @routes.post("/api/jobs/<record_id>/pause")
    def pause(record_id: str) -> Response:
        _, notes = from_body(Request)
        return json_reply(imports().pause(record_id).model_copy(update={"notes": notes}))

    @routes.post("/api/jobs/<record_id>/resume")
    def resume(record_id: str) -> Response:
        _, notes = from_body(Request)
        return json_reply(imports().resume(record_id).model_copy(update={"notes": notes}))

    return routes
