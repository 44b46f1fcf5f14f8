"""Layer two: what happened before and after one memory."""

from collections.abc import Callable

from worker.search.answer import head_item
from worker.shared.contract import (
    MAX_DEPTH,
    SearchReply,
    SearchRequest,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.errors import BadRequestError, NotFoundError
from worker.shared.refs import Ref
from worker.store.store import Store


def timeline(
    store: Store, request: TimelineRequest, search: Callable[[SearchRequest], SearchReply]
) -> TimelineReply:
    """Return the memories around an anchor in time order, the anchor among them."""
    notes = []
    anchor = request.anchor
    if anchor is None:
        anchor = _find_anchor(request, search)
        notes.append(f"Anchor found by the query: {anchor}.")
    if max(request.depth_before, request.depth_after) > MAX_DEPTH:
        notes.append(f"A depth of more than {MAX_DEPTH} was reduced to {MAX_DEPTH}.")
    head = store.heads([anchor]).get(anchor)
    project = request.project or (head.project if head else None)
    heads = store.window(
        anchor,
        before=min(request.depth_before, MAX_DEPTH),
        after=min(request.depth_after, MAX_DEPTH),
        project=None if project == "*" else project,
    )
    return TimelineReply(
        anchor=str(anchor),
        project=project,
        items=[head_item(head) for head in heads],
        notes=notes,
    )


def _find_anchor(request: TimelineRequest, search: Callable[[SearchRequest], SearchReply]) -> Ref:
    if not request.query:
        raise BadRequestError(
            "Give an anchor (12, S3 or P7) or a query that finds one.", field="anchor"
        )
    project = None if request.project == "*" else request.project
    found = search(SearchRequest(query=request.query, limit=1, project=project))
    if not found.items:
        raise NotFoundError(
            f"No memory matches {request.query[:80]!r}, so there is no anchor; try other words."
        )
    return Ref(found.items[0].kind, found.items[0].id)
