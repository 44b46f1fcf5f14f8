"""From the filters of a request to the conditions that the indexes know."""

from collections.abc import Callable

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


def scope_of(
    request: SearchRequest, types: Callable[[], list[str]]
) -> tuple[Filters | None, list[str]]:
    """Return the filters, or None when a type is asked for that no memory has; and notes."""
    kinds = {KIND_NAMES[name.lower()] for name in request.type if name.lower() in KIND_NAMES}
    named = [name for name in request.type if name.lower() not in KIND_NAMES]
    wanted = [*named, *request.obs_type]
    if wanted:
        there = types()
        by_folded = {name.casefold(): name for name in there}
        unknown = [name for name in wanted if name.casefold() not in by_folded]
        wanted = [by_folded[name.casefold()] for name in wanted if name not in unknown]
        if unknown:
            note = f"There is no type {', '.join(unknown)}; there are {', '.join(there) or 'none'}"
            note += ", and the kinds observations, sessions and prompts."
            if not wanted and not kinds:
                return None, [note]
            return _filters(request, kinds, wanted), [note]
    return _filters(request, kinds, wanted), []


def _filters(request: SearchRequest, kinds: set[Kind], types: list[str]) -> Filters:
    observations_only = bool(types or request.concepts)
    if observations_only:
        kinds = {Kind.OBSERVATION}
    return Filters(
        project=request.project,
        kinds=frozenset(kinds or Kind),
        types=frozenset(types),
        concepts=request.concepts,
        files=request.files,
        start_ms=request.start_ms,
        end_ms=request.end_ms,
    )
