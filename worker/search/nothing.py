"""Why a search found nothing: what is asked for that no memory can fulfil."""

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from worker.shared.contract import SearchRequest

_NAMED = 10  # projects at most


def reasons(request: SearchRequest, projects: Callable[[], Sequence[str]]) -> list[str]:
    """Return what of the filters fits no memory at all, as sentences.

    projects: returns the names there are, that of most memories first.
    """
    found = unknown_projects([request.project or "", *request.projects], projects)
    start, end = request.start_ms, request.end_ms
    if start is not None and end is not None and start > end:
        found.append("dateStart is after dateEnd, so that no memory can be found.")
    return found


def unknown_projects(wanted: Sequence[str], projects: Callable[[], Sequence[str]]) -> list[str]:
    """Return a sentence about the projects that do not exist, if any was asked for."""
    there = projects() if any(wanted) else ()
    unknown = [name for name in wanted if name and name not in there]
    if not unknown:
        return []
    near = [name for one in unknown for name in _like(one, there)]
    which = f" Alike: {_listed(near)}." if near else f" There are: {_listed(there)}."
    return [f"There is no project {', '.join(unknown)}.{which if there else ''}"]


def _like(wanted: str, there: Sequence[str]) -> list[str]:
    """Return the names that hold the wanted one or are held by it, or else close ones."""
    folded = {name.casefold(): name for name in there if name}
    want = wanted.casefold()
    held = [name for each, name in folded.items() if want in each or each in want]
    return held or [folded[each] for each in get_close_matches(want, folded)]


def _listed(names: Sequence[str]) -> str:
    names = list(dict.fromkeys(names))
    return ", ".join([*names[:_NAMED], *(["…"] if len(names) > _NAMED else [])])
