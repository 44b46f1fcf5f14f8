"""Layer two: what happened before and after one memory."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Mask, Snapshot
from worker.index.keys import CODE, to_key, to_ref
from worker.search.answer import head_item
from worker.search.nothing import unknown_projects
from worker.search.scope import allowed_project
from worker.shared.contract import (
    MAX_DEPTH,
    SearchReply,
    SearchRequest,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.errors import BadRequestError, NotFoundError
from worker.shared.refs import Kind, Ref
from worker.store.records import Head
from worker.store.store import Store

_FIRST_LOOK = 256  # lines on each side; most neighbours are among them


def timeline(
    store: Store,
    lines: Snapshot | None,
    request: TimelineRequest,
    search: Callable[[SearchRequest], SearchReply],
) -> TimelineReply:
    """Return the memories around an anchor in time order, the anchor among them.

    Neighbours are looked up in the catalog; in the store where that is None or lacks the anchor.
    """
    notes = []
    anchor = request.anchor
    if anchor is None:
        anchor = _find_anchor(request, search)
        notes.append(f"Anchor found by the query: {anchor}.")
    if max(request.depth_before, request.depth_after) > MAX_DEPTH:
        notes.append(f"A depth of more than {MAX_DEPTH} was reduced to {MAX_DEPTH}.")
    before, after = min(request.depth_before, MAX_DEPTH), min(request.depth_after, MAX_DEPTH)
    head = store.heads([anchor]).get(anchor)
    named = request.project or (head.project if head else None)
    project = None if named == "*" else named
    heads = _known_neighbours(store, lines, anchor, before=before, after=after, project=project)
    if not heads:
        heads = store.window(anchor, before=before, after=after, project=project)
    if len(heads) == 1 and project is not None:
        notes += unknown_projects([project], store.project_names)
    return TimelineReply(
        anchor=str(anchor), project=named, items=[head_item(head) for head in heads], notes=notes
    )


def neighbours(
    lines: Snapshot, anchor: Ref, *, before: int, after: int, project: str | None
) -> list[Ref]:
    """Return what `Store.window` returns, from the catalog; nothing where it lacks the anchor."""
    found = np.flatnonzero(lines.alive & (lines.keys == to_key(anchor)))
    if not len(found):
        return []
    order = lines.by_date
    place = int(np.flatnonzero(order == found[0])[0])
    passing = allowed_project(lines, project)
    earlier = _side(lines, passing, order[:place][::-1], count=before)
    later = _side(lines, passing, order[place + 1 :], count=after)
    return [to_ref(int(lines.keys[line])) for line in [*earlier[::-1], *found, *later]]


def _side(
    lines: Snapshot, passing: Mask, nearest_first: NDArray[np.intp], *, count: int
) -> list[int]:
    """Return one side, nearest first."""
    if not count:
        return []
    width = _FIRST_LOOK
    while True:
        near = nearest_first[:width]
        near = near[passing[near]]
        is_observation = lines.kind[near] == CODE[Kind.OBSERVATION]
        places = np.flatnonzero(is_observation)[:count]
        if len(places) == count or width >= len(nearest_first):
            break
        width *= 4
    if len(places) == count:
        near, is_observation = near[: places[-1] + 1], is_observation[: places[-1] + 1]
    others = np.flatnonzero(~is_observation)[:count]
    chosen: list[int] = near[np.sort(np.concatenate([places, others]))].tolist()
    return chosen


def _known_neighbours(
    store: Store,
    lines: Snapshot | None,
    anchor: Ref,
    *,
    before: int,
    after: int,
    project: str | None,
) -> list[Head]:
    """Return the heads of the neighbours that the catalog names; nothing if it knows none."""
    if lines is None:
        return []
    refs = neighbours(lines, anchor, before=before, after=after, project=project)
    heads = store.heads(refs)
    return [heads[ref] for ref in refs if ref in heads] if anchor in heads else []


def _find_anchor(request: TimelineRequest, search: Callable[[SearchRequest], SearchReply]) -> Ref:
    if not request.query:
        raise BadRequestError(
            "Give an anchor (12, S3 or P7) or a query that finds one.", field="anchor"
        )
    project = None if request.project == "*" else request.project
    found = search(SearchRequest(query=request.query, limit=1, project=project))
    if not found.items:
        why = f"No memory matches {request.query[:80]!r}, so there is no anchor; try other words."
        raise NotFoundError(" ".join([why, *found.notes]))
    return Ref(found.items[0].kind, found.items[0].id)
