"""Every error leaves as RFC 9457 problem+json: never HTML, never a traceback."""

import logging
import traceback

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from worker.shared.contract import Problem
from worker.shared.errors import MemtrayError

PROBLEM_TYPE = "application/problem+json"

log = logging.getLogger(__name__)


def install(app: Flask) -> None:
    """Answer our errors, HTTP's and all others in one shape."""
    app.register_error_handler(MemtrayError, _ours)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def problem_body(status: int, title: str, detail: str, code: str, field: str | None = None) -> str:
    """Return the JSON text of one problem."""
    problem = Problem(title=title, status=status, detail=detail, code=code, field=field)
    return problem.model_dump_json(exclude_none=True)


def _ours(exc: MemtrayError) -> Response:
    body = problem_body(exc.status, exc.title, exc.detail, exc.code, exc.field)
    return Response(body, exc.status, content_type=PROBLEM_TYPE)


def _http(exc: HTTPException) -> Response:
    status = exc.code or 500
    code = exc.name.lower().replace(" ", "_")
    response = Response(
        problem_body(status, exc.name, _detail(exc), code), status, content_type=PROBLEM_TYPE
    )
    if isinstance(exc, MethodNotAllowed):
        response.headers["Allow"] = ", ".join(sorted(exc.valid_methods or ()))
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _detail(exc: HTTPException) -> str:
    if isinstance(exc, NotFound):
        return "there is no such address; GET /api/openapi.json lists them all"
    if isinstance(exc, MethodNotAllowed):
        return f"this address takes {', '.join(sorted(exc.valid_methods or ()))} only"
    return exc.description or exc.name


def _unexpected(exc: Exception) -> Response:
    """Say nothing of the exception's text, to the client or the log: it may quote a memory."""
    place = traceback.extract_tb(exc.__traceback__)[-1]
    log.error(
        "%s in %s (%s:%s)", type(exc).__name__, request.endpoint, place.filename, place.lineno
    )
    log.debug("the whole of it", exc_info=exc)
    detail = "the worker met an error of its own; its log says where"
    body = problem_body(500, "Internal Server Error", detail, "internal_error")
    return Response(body, 500, content_type=PROBLEM_TYPE)
