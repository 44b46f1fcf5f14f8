"""The three steps: search, timeline, details."""

from typing import Protocol

from flask import Blueprint, Response

from worker.search.render import details_page, search_page, timeline_page
from worker.shared.contract import (
    BatchReply,
    BatchRequest,
    SearchReply,
    SearchRequest,
    SingleReply,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.refs import Ref
from worker.web.recalls import was_asked, was_found
from worker.web.replies import from_body, from_query, reply


class Search(Protocol):
    """What the routes need of the search service."""

    def search(self, request: SearchRequest) -> SearchReply: ...
    def timeline(self, request: TimelineRequest) -> TimelineReply: ...
    def details(self, request: BatchRequest) -> BatchReply: ...
    def record(self, ref: Ref, query: str = "") -> SingleReply: ...


def search_routes(service: Search) -> Blueprint:
    """Return the routes that the MCP tools forward to."""
    routes = Blueprint("searching", __name__)

    @routes.get("/api/search")
    def search() -> Response:
        request, notes = from_query(SearchRequest)
        was_asked(request)
        found = service.search(request)
        was_found(item.ref for item in found.items)
        found = found.model_copy(update={"notes": found.notes + notes})
        return reply(found, request.format, lambda: search_page(found, request))

    @routes.get("/api/timeline")
    def timeline() -> Response:
        request, notes = from_query(TimelineRequest)
        was_asked(request)
        found = service.timeline(request)
        was_found(item.ref for item in found.items)
        found = found.model_copy(update={"notes": found.notes + notes})
        return reply(found, request.format, lambda: timeline_page(found))

    @routes.post("/api/observations/batch")
    def batch() -> Response:
        request, notes = from_body(BatchRequest)
        was_asked(request)
        found = service.details(request)
        was_found(item.ref for item in found.items)
        found = found.model_copy(update={"notes": found.notes + notes})
        return reply(found, request.format, lambda: details_page(found))

    return routes
