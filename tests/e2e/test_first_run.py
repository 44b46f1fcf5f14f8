"""A new user's first minutes, by the keyboard: memories found, Claude connected, Claude asks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.claude import INSPECTOR, by_inspector, by_sdk, has_inspector
from tests.e2e.running_app import prepare, running_app
from tests.e2e.screen import Screen, until
from tests.integration.memories import new_database, some
from worker.shared.autostart import entry_path
from worker.shared.clients.entry import System
from worker.shared.settings import load_settings

NO_INSPECTOR = pytest.mark.skipif(not has_inspector(), reason=f"{INSPECTOR} is not installed")


@pytest.mark.parametrize("ask", [by_sdk, pytest.param(by_inspector, marks=NO_INSPECTOR)])
def test_from_the_first_start_to_the_green_tick(
    desktop: Screen, tmp_path: Path, ask: Callable[[Path, Path], str]
) -> None:
    home = tmp_path / "home"
    paths = prepare(home, welcomed=False)
    new_database(paths.database, some(60))
    config = home / ".config" / "Claude" / "claude_desktop_config.json"
    config.parent.mkdir(parents=True)
    config.write_text('{\n  "globalShortcut": "Ctrl+Space"\n}\n', encoding="utf-8")

    with running_app(desktop, paths) as app:
        until(lambda: app.shows("welcome", "✓ Memories: 60"), seconds=30, what="what was found")
        until(lambda: app.is_active("welcome"), seconds=20, what="the window before all others")
        desktop.shot("1-found")

        desktop.press("alt+n")
        until(lambda: app.shows("welcome", "○ Not connected"), seconds=20, what="the clients")
        desktop.press("Tab", "space")  # on `Connect…`
        until(lambda: app.is_active("plan"), seconds=20, what="the change")
        desktop.shot("2-change")
        desktop.press("Return")
        until(lambda: app.shows("welcome", "✓ Connected"), seconds=30, what="the connection")
        desktop.shot("2-connected")

        desktop.press("alt+n")
        until(lambda: app.shows("welcome", "Step 3 of 3"), seconds=20, what="the last screen")
        desktop.press("alt+l")
        entry = entry_path(System("linux", desktop.environ, home))
        until(entry.exists, seconds=20, what="the entry for the login")
        assert "payment service" in ask(config, home)
        until(lambda: app.shows("welcome", "really asked Memtray"), seconds=15, what="the tick")
        desktop.shot("3-asked")

        desktop.press("alt+s")
        until(lambda: app.is_active("search"), seconds=20, what="the search window")
    assert load_settings(paths.settings).welcomed


def test_at_twice_the_size_the_change_fits_the_screen(desktop: Screen, tmp_path: Path) -> None:
    home = tmp_path / "home"
    paths = prepare(home, welcomed=False)
    config = home / ".config" / "Claude" / "claude_desktop_config.json"
    config.parent.mkdir(parents=True)
    config.write_text("{}", encoding="utf-8")

    with running_app(desktop, paths, environ={"QT_SCALE_FACTOR": "2"}) as app:
        until(lambda: app.is_active("welcome"), seconds=30, what="the first screen")
        desktop.press("alt+n")
        until(lambda: app.shows("welcome", "○ Not connected"), seconds=20, what="the clients")
        desktop.press("Tab", "space")
        until(lambda: app.is_active("plan"), seconds=20, what="the change")
        desktop.shot("change")

        (plan,) = (window for window in app.status()["windows"] if window["name"] == "plan")
        left, top, width, height = plan["geometry"]
        assert min(left, top) >= 0
        assert left + width <= 640
        assert top + height <= 400
