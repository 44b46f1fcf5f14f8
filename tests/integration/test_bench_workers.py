"""The benchmark's own worker: waited for until it is ready, and never waited for in vain."""

from pathlib import Path

import pytest

from tests.bench.api import Api
from tests.bench.workers import WorkerFailedError, running
from worker.shared.readiness import Health


def test_a_worker_is_ready_when_it_is_handed_over_and_gone_afterwards(tmp_path: Path) -> None:
    with running(tmp_path) as worker, Api(worker.port) as api:
        ready = api.get("/api/ready").json()
        assert {part["state"] for part in ready["parts"]} <= {"ok", "off"}
        assert Health.model_validate_json(api.get("/health").body).pid == worker.pid
    with pytest.raises(ConnectionRefusedError), Api(worker.port) as api:
        api.get("/health")


def test_a_worker_that_cannot_start_is_quoted(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.touch()
    with pytest.raises(WorkerFailedError, match="before it was ready") as caught, running(blocked):
        pytest.fail("it started")
    assert str(blocked) in str(caught.value)


def test_a_worker_that_makes_no_progress_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "claude-mem.db").write_text("this is no database " * 100, encoding="utf-8")
    with (
        pytest.raises(WorkerFailedError, match="no progress for 3 s"),
        running(tmp_path, within=3),
    ):
        pytest.fail("it was ready")
