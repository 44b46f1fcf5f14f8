"""One list of checks: how each part of the worker is, why, and what helps."""

from collections.abc import Iterable

from worker.shared.contract import PartReport, PartState, Ready
from worker.shared.errors import MemtrayError
from worker.store.store import Store


def readiness(store: Store, reports: Iterable[PartReport]) -> Ready:
    """Return the state of each part, and the worst that a user would notice as the whole's."""
    parts = [check_store(store), *reports]
    return Ready(state=_whole(parts), parts=parts)


def check_store(store: Store) -> PartReport:
    """Read from the database; say what is wrong where that fails."""
    try:
        total = sum(store.counts().values())
    except MemtrayError as exc:
        return PartReport(
            part="store",
            state=PartState.DOWN,
            cause=exc.detail,
            remedy="The worker tries again every few seconds.",
        )
    return PartReport(part="store", state=PartState.OK, done=total, total=total)


def _whole(parts: Iterable[PartReport]) -> PartState:
    """The store down is down; any other part that is not whole makes the whole degraded."""
    states = {part.part: part.state for part in parts}
    if states.get("store") is PartState.DOWN:
        return PartState.DOWN
    there = set(states.values())
    if there & {PartState.DOWN, PartState.DEGRADED}:
        return PartState.DEGRADED
    return PartState.BUILDING if PartState.BUILDING in there else PartState.OK
