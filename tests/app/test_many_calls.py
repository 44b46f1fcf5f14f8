"""A tray runs for weeks, so a fault that comes with the thousandth call is met by everybody."""

import subprocess
import sys

from tests.bench.material import ROOT

_PROGRAM = """
import app
from PySide6.QtCore import QObject, Signal

class Sender(QObject):
    sent = Signal(object)

sender = Sender()
for number in range(100_000):
    sender.sent.emit(number)
    sender.blockSignals(number % 2 == 0)
    sender.setObjectName("sender")
print("still there")
"""


def test_a_program_survives_a_hundred_thousand_signals_and_calls() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "still there\n"), done.stderr
