"""The four tools as a table: what Claude reads of each, and which route of the worker does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worker.shared.contract import BatchRequest, Request, SearchRequest, TimelineRequest
from worker.shared.settings import Settings

WORKFLOW = """3-LAYER WORKFLOW (ALWAYS FOLLOW):
1. search(query) → Get index with IDs (~50-100 tokens/result)
2. timeline(anchor=ID) → Get context around interesting results
3. get_observations([IDs]) → Fetch full details ONLY for filtered IDs
NEVER fetch full details without filtering first. 10x token savings."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    description: str
    request: type[Request] = Request
    route: str = ""  # none: the description is all there is to say
    rest: str = ""  # how to get what a reply had no room for
    explained: tuple[str, ...] = ()  # the parameters whose names do not say enough

    @property
    def input_schema(self) -> dict[str, Any]:
        """Return the arguments as JSON schema, without all that a model can do without."""
        full = self.request.model_json_schema()
        parameters = {
            name: _compact(schema, full.get("$defs", {}), explained=name in self.explained)
            for name, schema in full["properties"].items()
            if name not in self.request.for_windows
        }
        kept: dict[str, Any] = {k: full[k] for k in ("type", "required") if k in full}
        return {**kept, "properties": parameters, "additionalProperties": True}


def tools(settings: Settings) -> dict[str, Tool]:
    """Return the tools by name; a setting renames the first for clients that refuse its name."""
    table = (
        Tool(settings.important_tool_name, WORKFLOW),
        Tool(
            "search",
            "Step 1: Search memory. Returns index with IDs. Params: query, limit, project, type, "
            "obs_type, dateStart, dateEnd, offset, orderBy",
            SearchRequest,
            "GET /api/search",
            "ask again with a smaller limit, and offset for the next rows",
            ("query", "type", "files", "dateStart"),
        ),
        Tool(
            "timeline",
            "Step 2: Get context around results. Params: anchor (observation ID) OR query (finds "
            "anchor automatically), depth_before, depth_after, project",
            TimelineRequest,
            "GET /api/timeline",
            "ask again with a smaller depth_before and depth_after",
        ),
        Tool(
            "get_observations",
            "Step 3: Fetch full details for filtered IDs. Params: ids (array of observation IDs, "
            "required), orderBy, limit, project",
            BatchRequest,
            "POST /api/observations/batch",
            "ask again with fewer ids, or with those that are missing here",
        ),
    )
    return {tool.name: tool for tool in table}


def _compact(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], *, explained: bool
) -> dict[str, Any]:
    """Return one parameter's type, values and default, each only where it tells something."""
    merged = dict(schema)
    for choice in reversed(schema.get("anyOf", ())):  # the last one is null
        merged |= choice
    if "$ref" in merged:
        merged |= definitions[merged["$ref"].rpartition("/")[2]]
    if merged["type"] == "array" and merged["items"] == {"type": "string"}:
        merged |= {"type": "string", "items": None}  # one name, or several with commas between
    kept = ["type", "enum", "items", "default"] + ["description"] * explained
    return {key: merged[key] for key in kept if merged.get(key) not in (None, "", [], 0)}
