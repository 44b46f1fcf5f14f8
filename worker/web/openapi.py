"""The description of the API, made from the models that validate its requests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from worker.shared.contract import (
    BackupReply,
    BackupsReply,
    BatchReply,
    BatchRequest,
    ExportReply,
    ExportRequest,
    Health,
    ImportReply,
    ImportRequest,
    PlainRequest,
    Problem,
    ProjectsReply,
    Ready,
    ReindexReply,
    ReindexRequest,
    RepairReply,
    Request,
    RestoreReply,
    RestoreRequest,
    SaveReply,
    SaveRequest,
    SearchReply,
    SearchRequest,
    ShutdownReply,
    SingleReply,
    StatsReply,
    TextReply,
    TimelineReply,
    TimelineRequest,
)

Schema = dict[str, Any]

_REF = "#/components/schemas/{model}"


@dataclass(frozen=True, slots=True)
class Operation:
    """One address and method: what it takes and what it answers."""

    method: str
    path: str  # with {id} where an id stands
    summary: str
    request: type[Request] | None
    reply: type[BaseModel] | None  # None: the document itself
    status: str = "200"  # of a success


OPERATIONS: Sequence[Operation] = (
    Operation("get", "/api/search", "Search the memories.", SearchRequest, SearchReply),
    Operation("get", "/api/timeline", "What lies around one.", TimelineRequest, TimelineReply),
    Operation("post", "/api/observations/batch", "Full details.", BatchRequest, BatchReply),
    Operation("get", "/api/observation/{id}", "One observation.", PlainRequest, SingleReply),
    Operation("get", "/api/session/{id}", "One session summary.", PlainRequest, SingleReply),
    Operation("get", "/api/prompt/{id}", "One prompt.", PlainRequest, SingleReply),
    Operation("post", "/api/memory/save", "Save a memory.", SaveRequest, SaveReply),
    Operation("get", "/api/export", "Rows to keep elsewhere.", ExportRequest, ExportReply),
    Operation("post", "/api/import/rows", "Rows from elsewhere.", ImportRequest, ImportReply),
    Operation("get", "/api/projects", "The projects.", PlainRequest, ProjectsReply),
    Operation("get", "/api/stats", "How much there is.", PlainRequest, StatsReply),
    Operation("get", "/health", "Alive, and who.", None, Health),
    Operation("get", "/api/health", "The same.", None, Health),
    Operation("get", "/api/ready", "How each part is.", None, Ready),
    Operation("post", "/api/admin/shutdown", "End well.", Request, ShutdownReply, "202"),
    Operation("post", "/api/reindex", "Make indexes anew.", ReindexRequest, ReindexReply, "202"),
    Operation("post", "/api/repair", "Mend what is broken.", Request, RepairReply),
    Operation("get", "/api/backup", "The backups.", Request, BackupsReply),
    Operation("post", "/api/backup", "Make a backup.", Request, BackupReply),
    Operation("post", "/api/restore", "Put a backup back.", RestoreRequest, RestoreReply),
    Operation("get", "/api/openapi.json", "This document.", None, None),
)


def openapi_routes(version: str) -> Blueprint:
    """Return the route of the document."""
    routes = Blueprint("openapi", __name__)

    @routes.get("/api/openapi.json")
    def openapi() -> Response:
        text = json.dumps(document(version), ensure_ascii=False, separators=(",", ":"))
        return Response(text, mimetype="application/json")

    return routes


def document(version: str) -> Schema:
    """Return the whole OpenAPI 3.1 document."""
    models: set[type[BaseModel]] = {TextReply, Problem}
    models |= {model for o in OPERATIONS for model in (o.request, o.reply) if model}
    ordered = sorted(models, key=lambda model: model.__name__)
    _, definitions = models_json_schema(
        [(model, "validation") for model in ordered], ref_template=_REF
    )
    schemas: Schema = _without_null_defaults(definitions["$defs"])
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _describe(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Memtray", "version": version},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _describe(operation: Operation, schemas: Schema) -> Schema:
    described: Schema = {
        "summary": operation.summary,
        "parameters": _parameters(operation, schemas),
        "responses": {
            operation.status: {"description": "Done", "content": _content(_answer(operation))},
            "default": {
                "description": "A problem",
                "content": {"application/problem+json": {"schema": _ref(Problem)}},
            },
        },
    }
    if operation.method == "post" and operation.request:
        described["requestBody"] = {"required": True, "content": _content(_ref(operation.request))}
    return described


def _parameters(operation: Operation, schemas: Schema) -> list[Schema]:
    parameters: list[Schema] = []
    if "{id}" in operation.path:
        schema = {"type": ["integer", "string"]}
        parameters.append({"name": "id", "in": "path", "required": True, "schema": schema})
    if operation.method == "get" and operation.request:
        fields = schemas[operation.request.__name__]["properties"]
        parameters += [
            {"name": name, "in": "query", "schema": schema} for name, schema in fields.items()
        ]
    return parameters


def _answer(operation: Operation) -> Schema:
    """Return what a route answers: a text or, with format=json, the reply model."""
    if operation.reply is None:
        return {"type": "object"}
    if operation.request is None or "format" not in operation.request.model_fields:
        return _ref(operation.reply)
    return {"oneOf": [_ref(TextReply), _ref(operation.reply)]}


def _without_null_defaults(node: Any) -> Any:  # noqa: ANN401 - any JSON
    """Leave out `default: null`, which says no more than that a field may be left out."""
    if isinstance(node, list):
        return [_without_null_defaults(value) for value in node]
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if (key, value) != ("default", None)}
    return {key: _without_null_defaults(value) for key, value in kept.items()}


def _content(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _ref(model: type[BaseModel]) -> Schema:
    return {"$ref": _REF.format(model=model.__name__)}
