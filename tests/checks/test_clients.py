"""Whether Claude's entries lead to us."""

import json
from pathlib import Path

import pytest

from worker.checks.clients import check_clients
from worker.shared.clients.entry import System, entry_for
from worker.shared.paths import Paths
from worker.shared.readiness import PartState


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def system(home: Path) -> System:
    return System("linux", {"PATH": ""}, home)


def name(home: Path, entry: object) -> None:
    text = json.dumps({"mcpServers": {"memtray": entry}})
    (home / ".claude.json").write_text(text, encoding="utf-8")


def test_without_clients_nothing_is_wrong(home: Path) -> None:
    assert check_clients(Paths(home / ".claude-mem"), system(home)).state is PartState.OFF


def test_an_entry_that_leads_to_us_is_well(home: Path) -> None:
    paths = Paths(home / ".claude-mem")
    name(home, entry_for(paths, system(home)).as_json())

    report = check_clients(paths, system(home))

    assert report.state is PartState.OK, report
    assert "claude-code" in report.cause


@pytest.mark.parametrize(
    "entry", [{"command": "/gone/memtray-mcp"}, {"command": "another"}, "no entry"]
)
def test_an_entry_that_leads_elsewhere_is_named(home: Path, entry: object) -> None:
    name(home, entry)

    report = check_clients(Paths(home / ".claude-mem"), system(home))

    assert report.state is PartState.DEGRADED
    assert "claude-code" in report.cause
    assert report.remedy


def test_a_config_that_is_broken_is_named(home: Path) -> None:
    (home / ".claude.json").write_text("{", encoding="utf-8")

    report = check_clients(Paths(home / ".claude-mem"), system(home))

    assert report.state is PartState.DEGRADED
    assert ".claude.json" in report.cause
