"""Whether a package that lacks the rules for secrets says so."""

import sys

import pytest

from worker.checks.secrets import check_secrets
from worker.shared.readiness import PartState


def test_the_rules_are_proved_by_made_keys() -> None:
    assert check_secrets().state is PartState.OK


def test_rules_that_are_not_there_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("worker.ingest.redact", "worker.ingest.secret_rules"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, "detect_secrets.plugins.twilio", None)

    report = check_secrets()

    assert report.state is PartState.DOWN
    assert "twilio" in report.cause
