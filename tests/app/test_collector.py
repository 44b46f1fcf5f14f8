"""Widgets that wait in a cycle are deleted in the thread of the windows, or Qt ends the process."""

import gc
import subprocess
import sys

from pytestqt.qtbot import QtBot

from app.background import Background
from tests.bench.material import ROOT

# A thread makes so much garbage that Python would collect in it, over and over.
_PROGRAM = """
import sys
from PySide6.QtCore import QCoreApplication, QObject, QTimer
from app.background import Background

application = QCoreApplication(sys.argv)
background = Background(application)

class Cycle(QObject):
    def __init__(self):
        super().__init__()
        self.me = self
        self.timer = QTimer(self, interval=1)
        self.timer.timeout.connect(self.tick)
        self.timer.start()

    def tick(self):
        pass

def litter():
    for _ in range(20_000):
        cycle = []
        cycle.append(cycle)

for number in range(40):
    QTimer.singleShot(20 * number, Cycle)
    QTimer.singleShot(20 * number, lambda: background.run("litter", litter))
QTimer.singleShot(2_500, application.quit)
application.exec()
background.stop()
print("still there")
"""


def test_garbage_of_windows_and_of_threads_end_no_process() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "still there\n"), done.stderr
    assert "thread" not in done.stderr


def test_what_is_garbage_goes_after_a_while(qtbot: QtBot) -> None:
    background = Background()
    assert not gc.isenabled()
    for _ in range(gc.get_threshold()[0] + 1):
        cycle: list[object] = []
        cycle.append(cycle)

    qtbot.waitUntil(lambda: gc.get_count()[0] < gc.get_threshold()[0])
    background.stop()
