"""One day with the icon: a real app and a real worker, by mouse and keyboard, on a real tray."""

import os
import signal
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from app.theme import LIGHT
from tests.e2e.running_app import RunningApp, running_app, start_again
from tests.e2e.screen import Screen, until
from worker.shared.paths import Paths
from worker.shared.settings import save_settings

AT_ONCE_MS = 1_000  # far below what a request to a frozen worker would take; the bench is exact
BACK_SECONDS = 20.0


def test_a_person_searches_and_the_worker_dies_and_comes_back(
    desktop: Screen, paths: Paths
) -> None:
    with running_app(desktop, paths, "--heartbeat", "--background") as app:
        app.until_state("running")
        app.until(lambda status: status["tray"]["visible"], seconds=20, what="the icon")
        app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="its place")
        assert app.status()["windows"] == []  # as after a login
        app.until(
            lambda status: "60 memories" in status["tray"]["tooltip"], seconds=15, what="a figure"
        )
        desktop.shot("running")

        search_by_typing(app)
        kill_the_worker(app)
        stop_by_the_menu(app)
        start_by_the_menu(app)
        quit_by_the_menu(app)

        assert app.longest_stall_ms < AT_ONCE_MS


def search_by_typing(app: RunningApp) -> None:
    """Open the window by the menu, type, and read the first hit."""
    assert app.open_menu() < AT_ONCE_MS
    app.screen.shot("menu")
    app.choose("Search memory")
    until(lambda: app.is_active("search"), seconds=20, what="the search window")
    app.screen.type("payment service leaks")
    hit = "The payment service leaks memory"
    until(lambda: app.shows("search", hit), seconds=20, what="a hit")
    app.screen.press("Down")
    until(lambda: app.shows("search", "Every retry kept one more"), seconds=20, what="the preview")
    app.screen.shot("search")
    app.screen.press("Escape", "Escape")
    app.until(lambda status: not status["windows"], seconds=20, what="the window closed")


def kill_the_worker(app: RunningApp) -> None:
    """See the icon change after kill -9, and the worker come back."""
    killed = app.worker().pid
    os.kill(killed, signal.SIGKILL)
    app.until(lambda status: status["state"] != "running", seconds=20, what="another icon")
    app.screen.shot("killed")
    app.until(
        lambda status: status["worker_pid"] not in (None, killed) and status["state"] == "running",
        seconds=BACK_SECONDS,
        what="another worker",
    )


def stop_by_the_menu(app: RunningApp) -> None:
    app.open_menu()
    app.choose("Stop worker")
    app.until_state("stopped")
    app.screen.shot("stopped")


def start_by_the_menu(app: RunningApp) -> None:
    app.open_menu()
    app.choose("Start worker")
    app.until_state("running")


def quit_by_the_menu(app: RunningApp) -> None:
    app.open_menu()
    app.choose("Quit")
    until(app.is_gone, seconds=20, what="nothing left")
    assert app.process.returncode == 0


def test_with_a_frozen_worker_the_menu_opens_at_once_and_the_icon_tells(
    desktop: Screen, paths: Paths
) -> None:
    with running_app(desktop, paths, "--heartbeat", "--background") as app:
        app.until_state("running")
        app.worker().suspend()

        assert app.open_menu() < AT_ONCE_MS
        desktop.press("Escape")
        app.until_state("error", "degraded", seconds=15)
        assert app.status()["notices"] == ["Not answering"]
        assert app.open_menu() < AT_ONCE_MS
        desktop.shot("frozen-menu")
        desktop.press("Escape")

        assert app.longest_stall_ms < AT_ONCE_MS
        assert start_again(desktop, "--quit").returncode == 0
        until(app.is_gone, seconds=20, what="nothing left")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_notice_is_shown_and_its_click_opens_the_cause(
    desktop: Screen, paths: Paths, theme: str
) -> None:
    save_settings(paths.settings, {"notify_errors": True, "theme": theme})
    with running_app(desktop, paths, "--background") as app:
        app.until_state("running")
        app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="the icon")
        app.worker().suspend()
        app.until_state("error", seconds=15)
        left, top, _, height = app.status()["tray"]["geometry"]
        until(lambda: in_dark_ink(desktop.shot("notice")) > 50, seconds=5, what="what it says")

        desktop.click(left, top + height + 40)  # on the message that points to the icon

        until(lambda: app.is_active("health"), seconds=20, what="the cause")
        desktop.shot("cause")


def in_dark_ink(shot: Path) -> int:
    """Count the pixels of a message at the top, which has a light ground with any theme."""
    picture, ink = QImage(str(shot)), QColor(LIGHT.text).rgb()
    return sum(picture.pixel(x, y) == ink for y in range(120) for x in range(picture.width()))


def test_a_second_start_raises_the_window_of_the_first(desktop: Screen, paths: Paths) -> None:
    with running_app(desktop, paths, "--background") as app:
        app.until_state("running")

        second = start_again(desktop)

        assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
        until(lambda: app.is_active("search"), seconds=20, what="the window in front")
        assert start_again(desktop, "--quit").returncode == 0


def test_after_a_crash_the_next_app_takes_over_the_worker(desktop: Screen, paths: Paths) -> None:
    with running_app(desktop, paths, "--background") as first:
        first.until_state("running")
        worker = first.worker().pid
        first.process.kill()
        first.process.wait(10)

        with running_app(desktop, paths, "--background") as second:
            second.until_state("running")
            quits = second.status()["menu"]["lines"][-1]["text"]

            assert second.worker().pid == worker
            assert quits == "Quit Memtray (worker keeps running)"
            assert start_again(desktop, "--quit").returncode == 0
            assert second.worker().is_running()


def test_without_a_tray_a_window_stands_in_and_closing_it_asks(
    bare_desktop: Screen, paths: Paths
) -> None:
    with running_app(bare_desktop, paths) as app:
        app.until_state("running")
        until(lambda: app.shows("home", "no tray"), seconds=15, what="the window")
        bare_desktop.shot("home")

        assert start_again(bare_desktop).returncode == 0
        until(lambda: app.is_active("home"), seconds=20, what="the window in front")
        bare_desktop.press("Escape")
        until(
            lambda: "Quit Memtray?" in str(app.status()["windows"]), seconds=20, what="a question"
        )
        bare_desktop.shot("question")
        bare_desktop.press("alt+q")

        until(app.is_gone, seconds=20, what="nothing left")
        assert app.process.returncode == 0


def test_a_tray_that_goes_away_is_stood_in_for_until_it_is_back(
    desktop: Screen, paths: Paths
) -> None:
    with running_app(desktop, paths) as app:
        app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="the icon")

        desktop.unplug_tray()
        until(lambda: app.shows("home", "no tray"), seconds=40, what="the window")
        desktop.shot("unplugged")
        assert start_again(desktop).returncode == 0
        until(lambda: app.is_active("home"), seconds=20, what="the window in front")

        desktop.plug_tray()
        until(lambda: not app.shows("home"), seconds=20, what="the window gone")
        app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="the icon")
        app.open_menu()
        desktop.shot("plugged")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_an_end_asked_for_by_the_system_is_orderly(
    desktop: Screen, paths: Paths, how: signal.Signals
) -> None:
    with running_app(desktop, paths, "--background") as app:
        app.until_state("running")

        app.process.send_signal(how)

        until(app.is_gone, seconds=20, what="nothing left")
        assert app.process.returncode == 0
