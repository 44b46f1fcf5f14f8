"""What is not to be remembered: excludes, and pauses."""

from collections.abc import Callable
from typing import Protocol

from flask import Blueprint, Response

from worker.shared.capture import (
    CaptureReply,
    ExcludesReply,
    PatternRequest,
    PauseRequest,
    TestReply,
)
from worker.shared.contract import Request
from worker.web.replies import from_body, from_query, json_reply


class Capture(Protocol):
    """What the routes need."""

    def excludes(self) -> ExcludesReply: ...
    def exclude(self, request: PatternRequest) -> ExcludesReply: ...
    def allow(self, request: PatternRequest) -> ExcludesReply: ...
    def test(self, request: PatternRequest) -> TestReply: ...
    def state(self) -> CaptureReply: ...
    def pause(self, request: PauseRequest) -> CaptureReply: ...
    def resume(self) -> CaptureReply: ...


Reply = ExcludesReply | TestReply | CaptureReply


def capture_routes(capture: Callable[[], Capture]) -> Blueprint:
    """Return the routes; all answer with the whole state, so that nobody has to ask again."""
    routes = Blueprint("capture", __name__)

    @routes.get("/api/excludes")
    def excludes() -> Response:
        _, notes = from_query(Request)
        return _noted(capture().excludes(), notes)

    @routes.post("/api/excludes")
    def exclude() -> Response:
        request, notes = from_body(PatternRequest)
        return _noted(capture().exclude(request), notes)

    @routes.post("/api/excludes/remove")
    def allow() -> Response:
        request, notes = from_body(PatternRequest)
        return _noted(capture().allow(request), notes)

    @routes.get("/api/excludes/test")
    def test() -> Response:
        request, notes = from_query(PatternRequest)
        return _noted(capture().test(request), notes)

    @routes.get("/api/capture")
    def state() -> Response:
        _, notes = from_query(Request)
        return _noted(capture().state(), notes)

    @routes.post("/api/capture/pause")
    def pause() -> Response:
        request, notes = from_body(PauseRequest)
        return _noted(capture().pause(request), notes)

    @routes.post("/api/capture/resume")
    def resume() -> Response:
        _, notes = from_body(Request)
        return _noted(capture().resume(), notes)

    return routes


def _noted(reply: Reply, notes: list[str]) -> Response:
    return json_reply(reply.model_copy(update={"notes": [*reply.notes, *notes]}))
