"""What all parts together mean; green is what was seen to work."""

import pytest

from app.health.findings import Verdict, findings, worker_report
from app.health.wording import age, figures, headline, repaired
from app.status import AppStatus, Look
from tests.app.health.samples import BROKEN, BUILDING, PARTS, absent, running, with_parts
from worker.shared.readiness import PartReport, PartState
from worker.shared.state import State
from worker.shared.upkeep import Mended, RepairReply

UNASKED = PartReport(part="canary", state=PartState.OFF, cause="It has not been looked at yet.")


@pytest.mark.parametrize(
    ("status", "parts", "verdict", "said"),
    [
        (running(), PARTS, Verdict.WORKS, "Everything was seen to work"),
        (running(), with_parts(UNASKED), Verdict.UNPROVED, "No fault is known; not tried yet"),
        (running(), PARTS[:2], Verdict.UNPROVED, "No fault is known; not tried yet"),
        (running(), with_parts(BROKEN), Verdict.FAULTY, "One part needs attention"),
        (running(), with_parts(BROKEN, BUILDING), Verdict.FAULTY, "One part needs attention"),
        (running(), with_parts(BUILDING), Verdict.BUILDING, "Indexes are being built"),
        (running(version="0.0.1"), PARTS, Verdict.FAULTY, "One part needs attention"),
        (absent(), PARTS, Verdict.ABSENT, "The worker does not run"),
        (absent(State.HANGING, "silent"), PARTS, Verdict.FAULTY, "One part needs attention"),
        (AppStatus(Look.STOPPED, ""), (), Verdict.UNKNOWN, "Looking…"),
    ],
)
def test_the_worst_that_is_known_is_said_first(
    status: AppStatus, parts: tuple[PartReport, ...], verdict: Verdict, said: str
) -> None:
    found = findings(status, parts, 0.0)

    assert found.verdict is verdict
    assert headline(found)[0].startswith(said)


def test_parts_come_in_one_order_and_unknown_ones_last() -> None:
    new = PartReport(part="a new part", state=PartState.OK)

    found = findings(running(), (new, *reversed(PARTS)), 0.0)

    assert [part.part for part in found.parts] == [
        "worker",
        "store",
        "keyword",
        "canary",
        "a new part",
    ]


def test_a_worker_of_another_version_names_both() -> None:
    status = running(version="0.0.1")
    assert status.worker
    told = worker_report(status.worker)

    assert told.state is PartState.DEGRADED
    assert "version 0.0.1. This app has version" in told.cause
    assert told.remedy == "memtray-worker restart"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, "just now"),
        (1.5, "just now"),
        (12.0, "12 s ago"),
        (119.0, "119 s ago"),
        (125.0, "2 min ago"),
        (3 * 3600.0, "3 h ago"),
    ],
)
def test_the_age_is_told_in_seconds_minutes_or_hours(seconds: float | None, said: str) -> None:
    part = PartReport(part="canary", state=PartState.OK, age_seconds=seconds)

    assert age(part, 0.0) == f"looked at {said}"


def test_what_is_shown_grows_older() -> None:
    assert figures(BUILDING, 30.0) == "30 of 120 · looked at 30 s ago"
    assert figures(PARTS[1], 0.0) == "812 · looked at just now"


def test_a_repair_tells_what_it_did() -> None:
    assert repaired(RepairReply(mended=[])).endswith("Nothing had to be mended.")
    mended = [Mended(part="keyword", did="It is built anew."), Mended(part="x", did="y")]
    assert repaired(RepairReply(mended=mended)) == "Keyword index: It is built anew.\nx: y"
