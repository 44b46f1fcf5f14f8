"""From the filters of a request to a mask over the catalog."""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.index.catalog import Mask, Snapshot
from worker.index.keys import CODE
from worker.index.keyword import KeywordIndex
from worker.shared.contract import SearchRequest
from worker.shared.refs import Kind
from worker.store.filters import Filters

KIND_NAMES = {
    "observations": Kind.OBSERVATION,
    "observation": Kind.OBSERVATION,
    "sessions": Kind.SESSION,
    "session": Kind.SESSION,
    "prompts": Kind.PROMPT,
    "prompt": Kind.PROMPT,
}


def filters_of(
    request: SearchRequest, types: Callable[[], Collection[str]]
) -> tuple[Filters | None, list[str]]:
    """Return the filters, or None when only types are asked for that no memory has; and notes.

    `types` returns the observation types there are; it is asked only when a type is given.
    """
    kinds = {KIND_NAMES[name.lower()] for name in request.type if name.lower() in KIND_NAMES}
    named = [name for name in request.type if name.lower() not in KIND_NAMES]
    wanted = {name.casefold(): name for name in [*named, *request.obs_type]}
    there = list(types()) if wanted or request.exclude_types else []
    found = {name for name in there if name.casefold() in wanted}
    known = {name.casefold() for name in found}
    unknown = [name for folded, name in wanted.items() if folded not in known]
    notes = []
    if unknown:
        names = ", ".join(sorted(there)) or "none yet"
        notes.append(
            f"There is no type {', '.join(unknown)}. Observation types: {names}."
            " Kinds: observations, sessions, prompts."
        )
        if not found:
            return None, notes
    if found or request.concepts:
        if kinds and Kind.OBSERVATION not in kinds and not named:
            return None, [*notes, "Only observations have types and concepts."]
        kinds = {Kind.OBSERVATION}
    barred = {name.casefold() for name in request.exclude_types}
    filters = Filters(
        project=request.project,
        kinds=frozenset(kinds or Kind) - {KIND_NAMES[name] for name in barred & set(KIND_NAMES)},
        types=frozenset(found),
        concepts=request.concepts,
        files=request.files,
        start_ms=request.start_ms,
        end_ms=request.end_ms,
        projects=frozenset(request.projects),
        not_projects=frozenset(request.exclude_projects),
        not_types=frozenset(name for name in there if name.casefold() in barred),
        sources=frozenset(request.sources),
        not_sources=frozenset(request.exclude_sources),
    )
    return filters, notes


def allowed(index: KeywordIndex, lines: Snapshot, filters: Filters) -> Mask:
    """Return which lines of the catalog are alive and pass the filters but for their source."""
    mask = allowed_project(lines, filters.project)
    if filters.kinds != frozenset(Kind):
        mask &= _any_of(lines.kind, [CODE[kind] for kind in filters.kinds])
    if filters.types:
        wanted = _any_of(lines.type, _codes(lines, filters.types))
        mask &= wanted & (lines.kind == CODE[Kind.OBSERVATION])
    if filters.not_types:
        barred = _any_of(lines.type, _codes(lines, filters.not_types))
        mask &= ~(barred & (lines.kind == CODE[Kind.OBSERVATION]))
    if filters.projects:
        mask &= _in_projects(lines, filters.projects)
    if filters.not_projects:
        mask &= ~_in_projects(lines, filters.not_projects)
    if filters.start_ms is not None:
        mask &= lines.epoch >= filters.start_ms
    if filters.end_ms is not None:
        mask &= lines.epoch <= filters.end_ms
    if filters.concepts:
        mask &= lines.mask(index.lines_with_concepts(filters.concepts))
    if filters.files:
        mask &= lines.mask(index.lines_with_files(filters.files))
    return mask


def allowed_project(lines: Snapshot, project: str | None) -> Mask:
    """Return which lines are alive and of a project, of all for None; a mask of one's own."""
    if project is None:
        return lines.alive.copy()
    code = lines.codes.get(project, -2)
    mine: Mask = (lines.project == code) | (lines.merged == code)
    return mine & lines.alive


def _in_projects(lines: Snapshot, names: Collection[str]) -> Mask:
    codes = _codes(lines, names)
    return _any_of(lines.project, codes) | _any_of(lines.merged, codes)


def _codes(lines: Snapshot, names: Collection[str]) -> list[int]:
    """Return the codes of names; -2, that no line has, for one that is not there."""
    return [lines.codes.get(name, -2) for name in names]


def _any_of(column: NDArray[np.integer[Any]], codes: Collection[int]) -> Mask:
    """Return where a column has any of a few codes; np.isin would sort it."""
    mask = np.zeros(len(column), dtype=np.bool_)
    for code in codes:
        mask |= column == code
    return mask
