"""Folders, rights and the port, on each system."""

import json
import os
import re
from pathlib import Path

import pytest

from worker.checks.place import check_port, check_worker
from worker.checks.surroundings import check_paths, check_settings, mend_folder
from worker.shared.paths import Paths
from worker.shared.readiness import Health, PartState
from worker.shared.state import State, WorkerState

POSIX = pytest.mark.skipif(os.name != "posix", reason="POSIX rights")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths(tmp_path)
    paths.create()
    return paths


def open_to_all(path: Path) -> Path:
    path.write_text("{}", encoding="utf-8")
    path.chmod(0o644)
    return path


@POSIX
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_what_others_may_read_is_named_and_closed(paths: Paths, platform: str) -> None:
    path = open_to_all(paths.logs / "worker.jsonl")

    before = check_paths(paths, platform=platform)
    done = list(mend_folder(paths, platform=platform))

    assert before.state is PartState.DEGRADED
    assert str(path) in before.cause
    assert "doctor --repair" in before.remedy
    assert done == ["1 files and folders are now yours alone."]
    assert path.stat().st_mode & 0o777 == 0o600
    assert check_paths(paths, platform=platform).state is PartState.OK


def test_the_room_on_the_disk_is_told(paths: Paths) -> None:
    assert re.fullmatch(r"[\d,]+\.\d GB are free on the disk of .+\.", check_paths(paths).cause)


@POSIX
def test_settings_hold_no_secret(paths: Paths) -> None:
    open_to_all(paths.settings)

    assert check_paths(paths).state is PartState.OK


def test_on_windows_the_profile_keeps_others_out(paths: Paths) -> None:
    open_to_all(paths.logs / "worker.jsonl")

    assert check_paths(paths, platform="win32").state is PartState.OK
    assert list(mend_folder(paths, platform="win32")) == []


def test_missing_folders_are_made(paths: Paths) -> None:
    paths.index.rmdir()

    assert list(mend_folder(paths)) == []
    assert paths.index.is_dir()


@pytest.mark.parametrize(
    ("text", "named"),
    [('{"port": 0}', "port"), ("[]", "one JSON object"), ("{", "cannot read"), ("\xff", "cannot")],
)
def test_settings_that_cannot_be_used_are_named(paths: Paths, text: str, named: str) -> None:
    paths.settings.write_text(text, encoding="latin-1")

    report = check_settings(paths.settings)

    assert report.state is PartState.DEGRADED
    assert named in report.cause
    assert str(paths.settings) in report.cause


def test_claude_mems_claim_on_the_port_matters_to_a_worker_that_has_it(paths: Paths) -> None:
    claim = {"CLAUDE_MEM_WORKER_PORT": 40_000}
    (paths.data_dir / "settings.json").write_text(json.dumps(claim), encoding="utf-8")

    assert check_port(paths, 40_000, {}).state is PartState.DEGRADED
    assert check_port(paths, 40_000, {}, runs=False).state is PartState.OK
    assert check_port(paths, 40_001, {}).state is PartState.OK


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (State.HANGING, PartState.DOWN),
        (State.STARTING, PartState.BUILDING),
        (State.STOPPED, PartState.OFF),
        (State.NOT_RUNNING, PartState.OFF),
        (State.PORT_TAKEN, PartState.OFF),
    ],
)
def test_a_worker_that_does_not_answer(state: State, expected: PartState) -> None:
    found = WorkerState(state=state, data_dir="/data", port=1)

    assert check_worker(found).state is expected


def test_a_worker_of_another_version_is_told(tmp_path: Path) -> None:
    health = Health(
        version="0.0.9",
        instance="i",
        pid=1,
        port=2,
        uptime_seconds=3,
        observations=4,
        data_dir=str(tmp_path),
    )
    found = WorkerState(state=State.RUNNING, data_dir="/data", port=2, pid=1, health=health)

    report = check_worker(found)

    assert report.state is PartState.DEGRADED
    assert "0.0.9" in report.cause
    assert report.remedy == "memtray-worker restart"
