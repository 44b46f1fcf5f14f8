"""The soak itself, for a minute: no error that was not announced, and nothing lost."""

from pathlib import Path

import pytest

from tests.integration.soak import soak


@pytest.mark.slow
def test_a_minute_among_writers_readers_and_kills_has_no_error_unannounced(tmp_path: Path) -> None:
    outcome = soak(tmp_path, seconds=60, kill_every=15)

    assert outcome.unannounced == []
    assert outcome.lost == []
    assert len(outcome.windows) >= 3
    assert max(sample.processes for sample in outcome.samples) == 1
