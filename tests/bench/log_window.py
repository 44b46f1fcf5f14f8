"""How quickly the log window opens on a log of 500 MB, and whether it ever stands still."""

import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication, QLineEdit

from app.background import Background
from app.heartbeat import Heartbeat
from app.logs.reader import FIRST
from app.logs.view import LogView
from app.logs.window import LogWindow
from app.theme import Theme
from tests.app.logs.lines import line, write
from tests.bench.table import Group, Row
from tests.bench.targets import row
from worker.shared.paths import Paths

_BYTES = 500 * 2**20
_LINES = 20_000
_SECONDS = 30


def measure() -> Group:
    """Open, select and follow in a window on no screen; the times are in milliseconds."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths(Path(folder))
        log = paths.logs / "worker-20260528-1.jsonl"
        _fill(log)
        background, heart = Background(), Heartbeat(application)
        places = QSettings(str(paths.own / "app.ini"), QSettings.Format.IniFormat)
        window = LogWindow(paths, background, places, Theme(application))
        view, field = window.findChild(LogView), window.findChild(QLineEdit)
        assert view
        assert field
        heart.longest_stall_ms()
        rows = view.model().rowCount
        opened = _until(window.open, lambda: rows() >= FIRST)
        selected = _until(partial(field.setText, "error pool"), lambda: rows() < FIRST)
        unselected = _until(field.clear, lambda: rows() >= FIRST)
        followed = _until(partial(write, log, line("new")), lambda: rows() > FIRST)
        stall = heart.longest_stall_ms()
        window.close()
        background.stop()
    return Group(
        "Log window, 500 MB",
        (
            row("logs open", "opened, with its end shown", opened, unit="ms"),
            Row("lines with two words selected", selected, "ms"),
            Row("all lines again", unselected, "ms"),
            Row("a new line shown", followed, "ms"),
            row("logs stall", "longest stall of the window", stall, unit="ms"),
        ),
    )


def _fill(log: Path) -> None:
    block = b"".join(
        line(
            f"GET /api/search?query=connection+pool 200 in {n} ms, 20 rows",
            n / 100,
            level="INFO" if n % 500 else "ERROR",
        )
        for n in range(_LINES)
    )
    write(log, *[block] * (_BYTES // len(block)))


def _until(act: Callable[[], object], holds: Callable[[], bool]) -> float:
    began = time.perf_counter()
    act()
    while not holds():
        if time.perf_counter() - began > _SECONDS:
            raise RuntimeError("the log window shows nothing")
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return (time.perf_counter() - began) * 1000
