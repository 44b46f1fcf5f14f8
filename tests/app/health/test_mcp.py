"""The MCP server is said to work where a question came through it."""

from collections.abc import Sequence

import pytest

from app.health.mcp import mcp_report
from tests.app.health.samples import recall
from worker.shared.readiness import PartState
from worker.shared.recalls_contract import Recall, RecallsReply, Tally


@pytest.mark.parametrize(
    ("recalls", "recording", "state", "said"),
    [
        ([recall()], True, PartState.OK, "answered in 12 ms."),
        ([recall("the disk is full")], True, PartState.OK, "the disk is full"),
        ([], True, PartState.OFF, "Claude has not asked anything yet."),
        ([], False, PartState.OFF, "What Claude asks is not recorded (Settings, Privacy)."),
    ],
)
def test_only_a_question_that_came_proves_it(
    recalls: Sequence[Recall], recording: bool, state: PartState, said: str
) -> None:
    reply = RecallsReply(
        recalls=list(recalls), next=None, today=Tally(), days=[], clients=[], recording=recording
    )

    report = mcp_report(reply)

    assert (report.part, report.state) == ("mcp", state)
    assert report.cause.endswith(said)
