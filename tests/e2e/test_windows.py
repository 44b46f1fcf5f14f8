"""Each window opens from the menu of the real icon."""

from functools import partial
from pathlib import Path

import pytest

from tests.e2e.running_app import prepare, running_app
from tests.e2e.screen import Screen, until
from tests.integration.memories import new_database, some
from worker.shared.paths import Paths

LINES = {
    "Search memory": "search",
    "Running": "health",
    "Logs": "logs",
    "Health": "health",
    "Settings": "settings",
    "About": "diagnostics",
}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_line_opens_its_window(desktop: Screen, paths: Paths, theme: str) -> None:
    paths = prepare(paths.data_dir.parent, theme=theme)
    with running_app(desktop, paths, "--background") as app:
        app.until_state("running")
        app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="the icon")
        for line, name in LINES.items():
            app.open_menu()
            app.choose(line)
            until(partial(app.is_active, name), seconds=20, what=name)
            desktop.shot(name)
            desktop.press("Escape")
            app.until(lambda status: not status["windows"], seconds=20, what=f"{name} closed")


def test_a_first_start_opens_the_welcome(desktop: Screen, tmp_path: Path) -> None:
    paths = prepare(tmp_path / "home", welcomed=False)
    new_database(paths.database, some(60))
    with running_app(desktop, paths) as app:
        until(lambda: app.shows("welcome"), seconds=20, what="the welcome")
        app.until_state("running")
        desktop.shot("welcome")
