"""Each part offers the button that does what its report recommends."""

import pytest

from app.health.remedies import Remedy, remedies
from worker.shared.readiness import PartReport, PartState

R = Remedy


def report(part: str, remedy: str, state: PartState = PartState.DEGRADED) -> PartReport:
    return PartReport(part=part, state=state, cause="It is broken.", remedy=remedy)


@pytest.mark.parametrize(
    ("part", "remedy", "first"),
    [
        ("keyword", "Build it anew from the memories: memtray-worker reindex keyword", R.KEYWORD),
        ("chroma", "Fill it anew from the kept vectors: memtray-worker reindex chroma", R.CHROMA),
        ("canary", "Build the keyword index anew: memtray-worker reindex keyword", R.KEYWORD),
        ("paths", "Make all of it yours alone: memtray-worker doctor --repair", R.REPAIR),
        ("settings", "Correct it, then: memtray-worker restart", R.RESTART),
        ("clients", "Enter it: memtray-worker connect claude-desktop", R.CLIENTS),
        ("store", "Check who owns it and its rights.", R.FOLDER),
        ("vectors", "Check that the disk is not full.", R.REPAIR),
        ("model", "Words are searched; meaning is not.", R.LOGS),
    ],
)
def test_a_faulty_part_offers_what_its_report_names_then_the_logs(
    part: str, remedy: str, first: Remedy
) -> None:
    offered = remedies(report(part, remedy), answers=True)

    assert offered[0] is first
    assert offered[-1] is R.LOGS
    assert len(set(offered)) == len(offered) <= 2


def test_without_a_worker_what_needs_one_begins_with_its_start() -> None:
    broken = report("keyword", "memtray-worker reindex keyword")

    assert remedies(broken, answers=False) == (R.START, R.LOGS)


def test_with_a_worker_none_is_started() -> None:
    absent = PartReport(
        part="worker", state=PartState.OFF, cause="To start it: memtray-worker start"
    )

    assert remedies(absent, answers=False) == (R.START,)
    assert remedies(absent, answers=True) == ()


def test_a_part_that_is_well_offers_nothing() -> None:
    well = PartReport(part="store", state=PartState.OK, done=3, total=3)

    assert remedies(well, answers=True) == ()


def test_clients_that_are_not_connected_can_be() -> None:
    cause = "None is connected. To connect one: memtray-worker connect CLIENT"
    unconnected = PartReport(part="clients", state=PartState.OFF, cause=cause)

    assert remedies(unconnected, answers=True) == (R.CLIENTS,)
