"""Whatever was answered outlives kill -9, at whatever moment, however often."""

import random
from pathlib import Path

import pytest

from tests.integration.answers import search, until_whole
from tests.integration.killing import BATCH, Killing, processes_of
from tests.integration.processes import Worker, running
from worker.index.keys import to_key
from worker.index.sync import LANES
from worker.shared.refs import Kind, Ref

# From the last start until all parts are whole again: what many clients saved in each life waits
# for the model, which other work may hold up. How long a start takes is a figure of tests/bench.
WHOLE_SECONDS = 600.0
ASKED_BY_MEANING = 100  # memories, taken by chance


@pytest.mark.parametrize("rounds", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_what_was_answered_outlives_every_kill_9(tmp_path: Path, rounds: int) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")  # noqa: T201 - shown where the test fails
    killing = Killing(tmp_path, seed)
    for _ in range(rounds):
        killing.round()

    print(killing.report())  # noqa: T201
    assert len(killing.saves.acknowledged) > rounds
    assert all(each.saves_in_flight for each in killing.rounds)
    assert all(each.waiting for each in killing.rounds)
    with running(killing.paths.data_dir, environ=killing.environ) as worker:
        until_whole(worker, seconds=WHOLE_SECONDS)
        assert processes_of(killing.paths.data_dir) == [worker.process.pid]
        assert_found(worker, killing)
        assert worker.stop() == 0
    assert processes_of(killing.paths.data_dir) == []
    killing.check_store()
    texts = killing.embedded()
    in_flight = (LANES + 1) * BATCH  # those that are made, and one that is stored
    assert len(texts) - len(set(texts)) <= rounds * in_flight


def assert_found(worker: Worker, killing: Killing) -> None:
    """Assert that each acknowledged memory is read back, and found by its word and by meaning."""
    acknowledged = killing.saves.acknowledged
    kept = killing.kept()
    for id_, saved in acknowledged.items():
        status, body = worker.get(f"/api/observation/{id_}")
        assert status == 200
        assert saved.word in str(body)
        assert [item.id for item in search(worker, query=saved.word).items[:1]] == [id_]
        assert to_key(Ref(Kind.OBSERVATION, id_)) in kept
    for id_ in random.sample(sorted(acknowledged), min(ASKED_BY_MEANING, len(acknowledged))):
        found = search(worker, query=acknowledged[id_].text, limit="100").items
        assert id_ in [item.id for item in found if item.leg in ("meaning", "both")]
