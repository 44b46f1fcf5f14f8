"""What holds for all tests: what libraries read, no time limits, and how reports travel."""

import os
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["ANONYMIZED_TELEMETRY"] = "False"
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# others may use the machine as well
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let what a test printed and logged travel between processes, which lone surrogates cannot."""
    report = yield
    report.sections = [(name, _sendable(text)) for name, text in report.sections]
    return report


def _sendable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
