"""Few searches at once: more of them would only take the interpreter from each other."""

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

AT_ONCE = 2  # one computes in Python while the other is in SQLite or Chroma
PATIENCE = 0.2  # seconds: waiting for a locked database, say, keeps nobody else from an answer
_THREE_STEPS = frozenset({"/api/search", "/api/timeline", "/api/observations/batch"})


def take_turns(app: Flask) -> None:
    """Let the app work on two requests of the three steps at once; others go ahead as ever."""
    app.wsgi_app = _Turns(app.wsgi_app)  # type: ignore[method-assign]


class _Turns:
    """The WSGI application inside, for which a request waits until it is its turn, or too long."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app
        self._places = threading.Semaphore(AT_ONCE)

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if environ["PATH_INFO"] not in _THREE_STEPS:
            return self._app(environ, start_response)
        in_turn = self._places.acquire(timeout=PATIENCE)
        try:
            return self._app(environ, start_response)
        finally:
            if in_turn:
                self._places.release()
