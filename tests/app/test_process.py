"""What the process as a whole does with what nobody caught, and with what Qt says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.process import stay_behind
from tests.integration.processes import ROOT, environment

GOES_ON = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer, qWarning
from app.process import log_everything, new_application
from worker.shared.logs import setup_logging

def fail():
    raise ValueError("nobody expects this")

setup_logging(Path(sys.argv[1]), "app")
qt = new_application(["memtray"])
log_everything()
QTimer.singleShot(0, fail)
QTimer.singleShot(10, lambda: qWarning("from Qt"))
QTimer.singleShot(100, lambda: qt.exit(7))
sys.exit(qt.exec())
"""


def test_what_nobody_caught_and_what_qt_says_stand_in_the_log_and_end_nothing(
    tmp_path: Path,
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", GOES_ON, str(tmp_path)],
        cwd=ROOT,
        env=environment(tmp_path) | {"QT_QPA_PLATFORM": "offscreen"},
        check=False,
        timeout=30,
    )
    (log,) = tmp_path.glob("app-*.jsonl")
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]

    assert ended.returncode == 7
    assert [line["level"] for line in lines] == ["CRITICAL", "WARNING"]
    assert "nobody expects this" in lines[0]["exception"]
    assert lines[1]["message"] == "from Qt"


@pytest.mark.parametrize(
    ("platform", "frozen", "set_to"),
    [("darwin", True, "1"), ("darwin", False, None), ("linux", True, None), ("win32", True, None)],
)
def test_a_start_at_login_takes_no_keyboard_from_another_app_of_macos(
    platform: str, frozen: bool, set_to: str | None
) -> None:
    environ: dict[str, str] = {}

    stay_behind(platform, environ, frozen=frozen)

    assert environ.get("QT_MAC_DISABLE_FOREGROUND_APPLICATION_TRANSFORM") == set_to
