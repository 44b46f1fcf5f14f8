"""What the app and its worker need while nobody uses them, and how quickly they react."""

import os
import signal
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from tests.bench.table import Group, Row
from tests.bench.targets import row
from tests.e2e.running_app import RunningApp, environ_of, prepare, rest, running_app
from tests.e2e.screen import missing, screen
from tests.integration.memories import new_database, some

_OPENED = 5
_SETTLE_SECONDS = 20.0  # until what a start leaves to do is done


def measure(*, seconds: float) -> Group | None:
    """Return the figures of an app on a virtual screen; None where there is no such screen."""
    if missing():
        return None
    with tempfile.TemporaryDirectory(prefix="memtray-bench-") as scratch:
        home = Path(scratch)
        paths = prepare(home, semantic=True)
        new_database(paths.database, some(180))
        with (
            screen(home / "shots", environ_of(home)) as shown,
            running_app(shown, paths, "--heartbeat", "--background") as measured,
        ):
            measured.until_state("running", seconds=60)
            reacting = [_menu(measured), _back(measured)]
        with (
            screen(home / "shots", environ_of(home)) as shown,
            running_app(shown, paths) as idle,
        ):
            idle.until_state("running", seconds=60)
            return Group("The app on a desktop", (*_needs(idle, seconds), *reacting))


def _needs(app: RunningApp, seconds: float) -> tuple[Row, ...]:
    """Memory with the search window open, and processor time of app and worker together."""
    rest(_SETTLE_SECONDS)
    both = [psutil.Process(app.process.pid), app.worker()]
    before, begun = _busy(both), time.monotonic()
    rest(seconds)
    share = (_busy(both) - before) / (time.monotonic() - begun) * 100
    own, workers = (process.memory_info().rss / 1e6 for process in both)
    return (
        row("app memory", "memory of the app", own, unit="MB"),
        Row("memory of its worker", workers, "MB"),
        row("app cpu", f"processor, app and worker idle for {seconds:g} s", share, unit="%"),
    )


def _menu(app: RunningApp) -> Row:
    """How long the menu takes with a frozen worker."""
    app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=10, what="the icon")
    app.worker().suspend()
    opened = []
    for _ in range(_OPENED):
        opened.append(app.open_menu())
        app.screen.press("Escape")
        app.until(lambda status: not status["menu"]["open"], seconds=5, what="the menu closed")
    app.worker().resume()
    worst = max(opened)
    return row("app menu", "menu opens, worker frozen", worst, unit="ms",
               note=f"median {statistics.median(opened):.1f}")  # fmt: skip


def _back(app: RunningApp) -> Row:
    """How long a killed worker is away."""
    app.until_state("running")
    killed = app.worker().pid
    os.kill(killed, signal.SIGKILL)
    seconds = app.until(
        lambda status: status["state"] == "running" and status["worker_pid"] not in (None, killed),
        seconds=30,
        what="another worker",
    )
    return row("app back", "worker is back after kill -9", seconds, unit="s")


def _busy(processes: list[psutil.Process]) -> float:
    """Return the processor seconds that they have used."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)
