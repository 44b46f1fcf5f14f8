"""`python -m tests.e2e.pictures`: the pictures of the documents, from the running app."""

import datetime as dt
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.e2e.running_app import RunningApp, environ_of, prepare, rest, running_app
from tests.e2e.screen import Screen, missing, screen, until
from tests.integration.processes import ROOT

FOLDER = ROOT / "docs" / "screens"
QUERY = "connection pool"


def main() -> int:
    """Take all pictures anew; return 1 where no screen can be had."""
    if absent := missing():
        sys.stderr.write(f"a virtual screen needs {', '.join(absent)}: see .ci/install\n")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with _app("light") as app:
        _search(app, "search-light")
        app.open_menu()
        _keep(app.screen, "menu", crop="420x410+860+0")
        app.screen.press("Escape")
        for line in ("Logs", "Health", "Settings"):
            _window(app, line, line.lower())
    with _app("dark") as app:
        _search(app, "search-dark")
        _window(app, "Health", "health-dark")
    with _app("light", welcomed=False) as app:
        until(lambda: app.shows("welcome"), seconds=20, what="the welcome")
        rest(2)
        _keep(app.screen, "welcome")
    return 0


@contextmanager
def _app(theme: str, *, welcomed: bool = True) -> Iterator[RunningApp]:
    """Run the app on the sample memories, all indexed."""
    samples = runpy.run_path(str(ROOT / "assets" / "demo" / "samples.py"))
    with tempfile.TemporaryDirectory(prefix="demo-") as scratch:
        home = Path(scratch) / "home"
        paths = prepare(home, theme=theme, welcomed=welcomed, semantic=True)
        samples["write_samples"](paths.database, dt.datetime.now().astimezone())
        with (
            screen(Path(scratch) / "shots", environ_of(home)) as shown,
            running_app(shown, paths) as app,
        ):
            app.until_state("running", seconds=120)
            app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="icon")
            yield app


def _search(app: RunningApp, name: str) -> None:
    app.open_menu()
    app.choose("Search memory")
    until(partial(app.is_active, "search"), seconds=20, what="the search window")
    app.screen.type(QUERY)
    until(lambda: app.shows("search", "pooled"), seconds=20, what="hits")
    app.screen.press("Down")
    rest(2)
    _keep(app.screen, name)
    app.screen.press("Escape", "Escape")
    app.until(lambda status: not status["windows"], seconds=20, what="the window closed")


def _window(app: RunningApp, line: str, name: str) -> None:
    app.open_menu()
    app.choose(line)
    until(lambda: app.status()["windows"], seconds=20, what=line)
    rest(3)
    _keep(app.screen, name)
    app.screen.press("Escape")
    app.until(lambda status: not status["windows"], seconds=20, what=f"{line} closed")


def _keep(shown: Screen, name: str, *, crop: str = "") -> None:
    """Keep a picture of the active window or, with `crop`, of a part of the screen."""
    window = "root" if crop else _run(shown, "xdotool", "getactivewindow").strip()
    cut = ["-crop", crop, "+repage"] if crop else []
    lean = ["+dither", "-colors", "128", "-strip"]
    _run(shown, "import", "-window", window, *cut, *lean, f"png8:{FOLDER / name}.png")


def _run(shown: Screen, *command: str) -> str:
    done = subprocess.run(
        command, env=shown.environ, check=True, timeout=60, capture_output=True, encoding="utf-8"
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
