"""What all lines together mean."""

import pytest

from worker.checks.report import as_ready
from worker.shared.readiness import PartReport, PartState


def line(part: str, state: PartState) -> PartReport:
    return PartReport(part=part, state=state)


@pytest.mark.parametrize("state", PartState)
def test_only_the_store_takes_the_whole_down(state: PartState) -> None:
    store = line("store", PartState.OK)
    whole = as_ready([store, line("keyword", state)]).state

    expected = {PartState.OFF: PartState.OK, PartState.DOWN: PartState.DEGRADED}
    assert whole is expected.get(state, state)
    assert as_ready([line("store", PartState.DOWN), line("x", state)]).state is PartState.DOWN
