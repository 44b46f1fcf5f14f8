"""The HTTP API, put together."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Response, request

from worker.recalls.recorder import Call
from worker.shared.identity import Identity
from worker.shared.readiness import Ready
from worker.store.store import Store
from worker.web import guards, problems
from worker.web.admin import admin_routes
from worker.web.backups import Backups, backup_routes
from worker.web.capture import Capture, capture_routes
from worker.web.health import HEALTH, READY, Observations, health_routes
from worker.web.jobs import Jobs, job_routes
from worker.web.keeping import Compacting, Redacting, keeping_routes
from worker.web.letting_go import Trash, trash_routes
from worker.web.maintenance import Upkeep, maintenance_routes
from worker.web.openapi import openapi_routes
from worker.web.recalls import Recalls, note_calls, recall_routes
from worker.web.records import record_routes
from worker.web.saving import Saving, saving_routes
from worker.web.searching import Search, search_routes
from worker.web.turns import take_turns

APP = "app"  # how the client of the tray app begins its name

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the routes call."""

    search: Search
    store: Store
    ready: Callable[[], Ready]
    identity: Identity
    stop: Callable[[], None]  # begins the orderly end, and returns at once
    used: Callable[[], None]  # told of each request that is more than a look at the worker
    saving: Saving
    imports: Callable[[], Jobs]
    trash: Callable[[], Trash]
    capture: Callable[[], Capture]
    redacting: Callable[[], Redacting]
    compacting: Callable[[], Compacting]
    backups: Backups
    upkeep: Upkeep
    recalls: Recalls
    note: Callable[[Call], None]  # has a call of an MCP tool recorded, and returns at once


def create_app(services: Services) -> Flask:
    """Return the whole API; serve it on 127.0.0.1 and the port that the identity names."""
    app = Flask(__name__, static_folder=None)
    app.config["PROVIDE_AUTOMATIC_OPTIONS"] = False  # its answer would be an empty HTML page
    app.url_map.merge_slashes = False  # so would be its redirect
    _log_requests(app)
    _tell_use(app, services.used)
    note_calls(app, services.note)
    problems.install(app)
    guards.install(app, services.identity)
    identity, store = services.identity, services.store
    app.register_blueprint(search_routes(services.search))
    app.register_blueprint(saving_routes(services.saving))
    app.register_blueprint(trash_routes(services.trash))
    app.register_blueprint(job_routes(services.imports))
    app.register_blueprint(capture_routes(services.capture))
    app.register_blueprint(keeping_routes(services.redacting, services.compacting))
    app.register_blueprint(record_routes(services.search, store))
    app.register_blueprint(recall_routes(services.recalls))
    app.register_blueprint(health_routes(identity, services.ready, Observations(store.counts)))
    app.register_blueprint(maintenance_routes(services.upkeep))
    app.register_blueprint(backup_routes(services.backups))
    app.register_blueprint(admin_routes(services.stop))
    app.register_blueprint(openapi_routes(identity.version))
    take_turns(app)
    return app


def _log_requests(app: Flask) -> None:
    """Log one line a request; never the query, which may say what is in the memories."""

    @app.before_request
    def begin() -> None:
        request.environ["memtray.began"] = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        log.log(
            logging.DEBUG if request.endpoint in (HEALTH, READY) else logging.INFO,  # asked all day
            "%s %s %s %.1f ms %.40r",
            request.method,
            request.url_rule,
            response.status_code,
            (time.perf_counter() - request.environ["memtray.began"]) * 1000,
            request.headers.get("X-Memtray-Client", "-"),
        )
        return response


def _tell_use(app: Flask, used: Callable[[], None]) -> None:
    """Looking whether it is well is no use of a worker, unless the app looks, which shows it."""

    @app.after_request
    def after(response: Response) -> Response:
        name = request.headers.get("X-Memtray-Client", "")
        if request.endpoint not in (HEALTH, READY) or name.startswith(APP):
            used()
        return response
