"""The description of the API, made from the models that validate its requests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from worker.shared.capture import (
    CaptureReply,
    ExcludesReply,
    PatternRequest,
    PauseRequest,
    TestReply,
)
from worker.shared.contract import (
    BatchReply,
    BatchRequest,
    PlainRequest,
    Problem,
    ProjectsReply,
    RecordRequest,
    Request,
    SaveReply,
    SaveRequest,
    SearchReply,
    SearchRequest,
    SingleReply,
    StatsReply,
    TextReply,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.jobs import (
    ImportPathsRequest,
    JobReply,
    JobsReply,
    UndoImportReply,
    UndoImportRequest,
)
from worker.shared.keeping import RedactReply, RedactRequest, SizeReply
from worker.shared.readiness import Health, Ready, ShutdownReply
from worker.shared.recalls_contract import ClearedReply, RecallsReply, RecallsRequest
from worker.shared.trash_contract import (
    DeleteReply,
    DeleteRequest,
    TrashReply,
    UndoReply,
    UndoRequest,
)
from worker.shared.upkeep import (
    BackupReply,
    BackupsReply,
    ExportReply,
    ExportRequest,
    ImportReply,
    ImportRequest,
    ReindexReply,
    ReindexRequest,
    RepairReply,
    RestoreReply,
    RestoreRequest,
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
    Operation("get", "/api/observation/{id}", "One observation.", RecordRequest, SingleReply),
    Operation("get", "/api/session/{id}", "One session summary.", RecordRequest, SingleReply),
    Operation("get", "/api/prompt/{id}", "One prompt.", RecordRequest, SingleReply),
    Operation("post", "/api/memory/save", "Save a memory.", SaveRequest, SaveReply),
    Operation("post", "/api/memory/delete", "Let memories go.", DeleteRequest, DeleteReply),
    Operation("post", "/api/memory/undo", "Put them back.", UndoRequest, UndoReply),
    Operation("get", "/api/trash", "What can be put back.", Request, TrashReply),
    Operation("get", "/api/export", "Rows to keep elsewhere.", ExportRequest, ExportReply),
    Operation("post", "/api/import/rows", "Rows from elsewhere.", ImportRequest, ImportReply),
    Operation("post", "/api/import", "Import transcripts.", ImportPathsRequest, JobReply, "202"),
    Operation("post", "/api/import/undo", "Undo one.", UndoImportRequest, UndoImportReply),
    Operation("get", "/api/jobs", "Long work.", Request, JobsReply),
    Operation("get", "/api/jobs/{id}", "How far a job is.", Request, JobReply),
    Operation("delete", "/api/jobs/{id}", "Cancel a job.", None, JobReply),
    Operation("post", "/api/jobs/{id}/pause", "Have a job rest.", Request, JobReply),
    Operation("post", "/api/jobs/{id}/resume", "Have it go on.", Request, JobReply),
    Operation("get", "/api/excludes", "What is kept out.", Request, ExcludesReply),
    Operation("post", "/api/excludes", "Keep more out.", PatternRequest, ExcludesReply),
    Operation("post", "/api/excludes/remove", "Let it in.", PatternRequest, ExcludesReply),
    Operation("get", "/api/excludes/test", "What it means.", PatternRequest, TestReply),
    Operation("get", "/api/capture", "Is it paused?", Request, CaptureReply),
    Operation("post", "/api/capture/pause", "Remember nothing.", PauseRequest, CaptureReply),
    Operation("post", "/api/capture/resume", "Go on.", Request, CaptureReply),
    Operation("get", "/api/redact", "Secrets found.", Request, RedactReply),
    Operation("post", "/api/redact", "Look for secrets.", RedactRequest, RedactReply, "202"),
    Operation("get", "/api/compact", "The room it takes.", Request, SizeReply),
    Operation("post", "/api/compact", "Give room back.", Request, SizeReply, "202"),
    Operation("get", "/api/projects", "The projects.", PlainRequest, ProjectsReply),
    Operation("get", "/api/stats", "How much there is.", PlainRequest, StatsReply),
    Operation("get", "/api/recalls", "What Claude asked.", RecallsRequest, RecallsReply),
    Operation("post", "/api/recalls/clear", "Forget that.", Request, ClearedReply),
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
