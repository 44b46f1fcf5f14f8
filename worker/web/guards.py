"""Who may ask what: the worker is for programs of this user on this machine, not for web pages."""

import hmac
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, RequestEntityTooLarge, Unauthorized, UnsupportedMediaType

from worker.shared.identity import Identity
from worker.web.health import HEALTH

MAX_BODY = 4 * 1024 * 1024  # bytes

_NAMES = ("127.0.0.1", "localhost", "[::1]")
_READING = frozenset({"GET", "HEAD"})
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_READING_POSTS = frozenset({"searching.batch"})  # endpoints that change nothing all the same


def install(app: Flask, identity: Identity) -> None:
    """Check each request before its route runs, and harden each answer."""
    hosts = own_hosts(identity.port)
    origins = frozenset(f"http://{host}" for host in hosts)

    @app.before_request
    def check() -> None:
        _check_host(hosts)
        _check_origin(origins)
        _check_token(identity)
        _check_body()

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cache-Control"] = "no-store"
        return response


def own_hosts(port: int) -> frozenset[str]:
    """Return the values of Host that mean this worker; without a port only for port 80."""
    with_port = frozenset(f"{name}:{port}" for name in _NAMES)
    return with_port | frozenset(_NAMES) if port == 80 else with_port


def _check_host(hosts: frozenset[str]) -> None:
    """Refuse names that are not ours: a page whose name was rebound to 127.0.0.1 sends its own."""
    host = request.environ.get("HTTP_HOST", "")
    target = str(request.environ.get("REQUEST_URI", "/"))
    if not target.startswith(("/", "*")):  # absolute form: the authority in it counts as well
        try:
            named = urlsplit(target).netloc
        except ValueError:
            named = ""
    else:
        named = host
    if not {host.lower(), named.lower()} <= hosts:
        raise Forbidden(f"Host must be {', '.join(sorted(hosts))}")


def _check_origin(origins: frozenset[str]) -> None:
    origin = request.headers.get("Origin")
    if origin is not None and origin.lower() not in origins:
        raise Forbidden("requests from web pages are refused")


def _check_token(identity: Identity) -> None:
    endpoint = request.endpoint
    reading = request.method in _READING or endpoint in _READING_POSTS or endpoint is None
    if reading and (endpoint == HEALTH or not identity.require_token):
        return
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    given = token.strip().encode("utf-8", "replace")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given, identity.token.encode()):
        raise Unauthorized(
            "this needs the header `Authorization: Bearer TOKEN` with the token from worker.json"
        )


def _check_body() -> None:
    length = request.content_length or 0
    if length > MAX_BODY:
        raise RequestEntityTooLarge(f"a body may hold {MAX_BODY} bytes, this one has {length}")
    if (length or request.method in _WITH_BODY) and request.mimetype != "application/json":
        raise UnsupportedMediaType("a body must be JSON, with Content-Type: application/json")
