"""Single records, and what is there at all."""

from collections.abc import Mapping

from flask import Blueprint, Response

from worker.search.render import details_page
from worker.shared.contract import (
    BatchReply,
    PlainRequest,
    ProjectCount,
    ProjectsReply,
    RecordRequest,
    StatsReply,
)
from worker.shared.errors import BadRequestError
from worker.shared.refs import Kind, Ref, parse_ref
from worker.store.store import Store
from worker.web.replies import from_query, json_reply, reply, text_reply, with_notes
from worker.web.searching import Search


def record_routes(service: Search, store: Store) -> Blueprint:
    """Return the routes of one record each, of the projects and of the statistics."""
    routes = Blueprint("records", __name__)

    @routes.get("/api/observation/<record_id>", defaults={"kind": Kind.OBSERVATION})
    @routes.get("/api/session/<record_id>", defaults={"kind": Kind.SESSION})
    @routes.get("/api/prompt/<record_id>", defaults={"kind": Kind.PROMPT})
    def record(record_id: str, kind: Kind) -> Response:
        request, notes = from_query(RecordRequest)
        ref = _ref(record_id, kind)
        if request.format == "json":
            found = service.record(ref, request.query)
            return json_reply(found.model_copy(update={"notes": [*found.notes, *notes]}))
        return text_reply(details_page(BatchReply(items=[service.record(ref)], notes=notes)))

    @routes.get("/api/projects")
    def projects() -> Response:
        request, notes = from_query(PlainRequest)
        counted = [ProjectCount(name=name, records=n) for name, n in store.projects()]
        found = ProjectsReply(projects=counted, notes=notes)
        return reply(found, request.format, lambda: projects_page(found))

    @routes.get("/api/stats")
    def stats() -> Response:
        request, notes = from_query(PlainRequest)
        found = StatsReply.model_validate({**store.stats(), "notes": notes})
        return reply(found, request.format, lambda: stats_page(found))

    return routes


def projects_page(found: ProjectsReply) -> str:
    """Return the projects as a table, or say that there are none."""
    rows = {project.name: project.records for project in found.projects}
    page = _table("project", rows) if rows else "No memories yet."
    return with_notes(page, found.notes)


def stats_page(found: StatsReply) -> str:
    """Return the counts by kind, and a table for each other way of counting."""
    kinds = {
        "observations": found.observations,
        "sessions": found.sessions,
        "prompts": found.prompts,
    }
    tables = [_table("kind", kinds)]
    for name, counts in (
        ("project", found.projects),
        ("type", found.types),
        ("month", found.months),
    ):
        if counts:
            tables.append(_table(name, counts))
    if found.oldest and found.newest:
        tables.append(f"From {found.oldest} to {found.newest}.")
    return with_notes("\n\n".join(tables), found.notes)


def _table(name: str, counts: Mapping[str, int]) -> str:
    rows = (
        f"| {' '.join(key.split()).replace('|', chr(92) + '|')} | {n} |"
        for key, n in counts.items()
    )
    return "\n".join((f"| {name} | records |", "|---|---|", *rows))


def _ref(text: str, kind: Kind) -> Ref:
    """Read the id in an address; it may carry the letter of its kind."""
    try:
        ref = parse_ref(text)
    except ValueError as exc:
        raise BadRequestError(f"id: {exc}", field="id") from exc
    if ref.kind not in (kind, Kind.OBSERVATION):
        raise BadRequestError(f"id: {ref} is a {ref.kind}, not a {kind}", field="id")
    return Ref(kind, ref.id)
