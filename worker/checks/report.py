"""How a check says what it found, and what all of them together mean."""

from collections.abc import Iterable

from worker.shared.readiness import PartReport, PartState, Ready

FAULTY = frozenset({PartState.DEGRADED, PartState.DOWN})


def ok(part: str, cause: str = "") -> PartReport:
    """Report a part that is well; `cause` is what a person might want to know all the same."""
    return PartReport(part=part, state=PartState.OK, cause=cause)


def off(part: str, cause: str) -> PartReport:
    """Report a part that is not there, or not looked at, for a good reason."""
    return PartReport(part=part, state=PartState.OFF, cause=cause)


def degraded(part: str, cause: str, remedy: str) -> PartReport:
    """Report a part that does less than it should."""
    return PartReport(part=part, state=PartState.DEGRADED, cause=cause, remedy=remedy)


def down(part: str, cause: str, remedy: str) -> PartReport:
    """Report a part that does nothing."""
    return PartReport(part=part, state=PartState.DOWN, cause=cause, remedy=remedy)


def as_ready(parts: Iterable[PartReport]) -> Ready:
    """Return the state of each part, and the worst that a user would notice as the whole's."""
    listed = list(parts)
    return Ready(state=_whole(listed), parts=listed)


def _whole(parts: Iterable[PartReport]) -> PartState:
    """The store down is down; any other part that is not whole makes the whole degraded."""
    states = {part.part: part.state for part in parts}
    if states.get("store") is PartState.DOWN:
        return PartState.DOWN
    there = set(states.values())
    if there & FAULTY:
        return PartState.DEGRADED
    return PartState.BUILDING if PartState.BUILDING in there else PartState.OK
