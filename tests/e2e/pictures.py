"""`python -m tests.e2e.pictures`: the pictures of the documents, from the running app."""

import datetime as dt
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.e2e.running_app import RunningApp, environ_of, prepare, rest, running_app
from tests.e2e.screen import Screen, missing, screen, until
from tests.integration.processes import ROOT


@dataclass(frozen=True, slots=True)
class Language:
    """One that the app speaks: where its pictures go, what is typed, and the lines of the menu."""

    code: str
    folder: Path
    query: str
    told: str  # by the best hit
    search: str
    logs: str
    health: str
    settings: str


_MARGIN = 12
_CLIPBOARD = """import sys
from PySide6.QtGui import QGuiApplication
owner = QGuiApplication([])
owner.clipboard().setText(sys.argv[1])
print(flush=True)
owner.exec()
"""
SCREENS = ROOT / "docs" / "screens"
LANGUAGES = (
    Language(
        "en",
        SCREENS,
        "connection pool",
        "pg_stat_activity",
        "Search memory",
        "Logs",
        "Health",
        "Settings",
    ),
    Language(
        "zh_CN",
        SCREENS / "zh-CN",
        "死锁",
        "loan_tx_retries",
        "搜索记忆",
        "日志",
        "运行状况",
        "设置",
    ),
)


def main() -> int:
    """Take all pictures anew; return 1 where no screen can be had."""
    if absent := missing():
        sys.stderr.write(f"a virtual screen needs {', '.join(absent)}: see .ci/install\n")
        return 1
    for language in LANGUAGES:
        language.folder.mkdir(exist_ok=True)
        _take(language)
    return 0


def _take(language: Language) -> None:
    """Take all pictures of a language."""
    keep = partial(_keep, language.folder)
    with _app(language, "light") as app:
        _search(app, language, "search-light")
        app.open_menu()
        keep(app.screen, "menu", crop=_around_menu(app))
        app.screen.press("Escape")
        for line, name in (
            (language.logs, "logs"),
            (language.health, "health"),
            (language.settings, "settings"),
        ):
            _window(app, language.folder, line, name)
    with _app(language, "dark") as app:
        _search(app, language, "search-dark")
    with _app(language, "light", welcomed=False) as app:
        until(lambda: app.shows("welcome"), seconds=20, what="the welcome")
        rest(2)
        keep(app.screen, "welcome")


@contextmanager
def _app(language: Language, theme: str, *, welcomed: bool = True) -> Iterator[RunningApp]:
    """Run the app on the sample memories, all indexed."""
    samples = runpy.run_path(str(ROOT / "assets" / "demo" / "samples.py"))
    with tempfile.TemporaryDirectory(prefix="demo-") as scratch:
        home = Path(scratch) / "home"
        spoken = {"theme": theme, "language": language.code}
        paths = prepare(home, **spoken, welcomed=welcomed, semantic=True)
        samples["write_samples"](paths.database, dt.datetime.now().astimezone())
        with (
            screen(Path(scratch) / "shots", environ_of(home)) as shown,
            running_app(shown, paths) as app,
        ):
            app.until_state("running", seconds=120)
            app.until(lambda status: status["tray"]["geometry"][2] > 0, seconds=20, what="icon")
            yield app


def _search(app: RunningApp, language: Language, name: str) -> None:
    app.open_menu()
    app.choose(language.search)
    until(partial(app.is_active, "search"), seconds=20, what="the search window")
    for _ in range(2):  # the model is loaded meanwhile
        app.screen.press("ctrl+l")
        _paste(app.screen, language.query)
        app.screen.press("Return")
        rest(2)
        app.screen.press("Down")
        until(lambda: app.shows("search", language.told), seconds=20, what="the best hit")
        rest(2)
    _keep(language.folder, app.screen, name)
    app.screen.press("Escape", "Escape")
    app.until(lambda status: not status["windows"], seconds=20, what="the window closed")


def _paste(shown: Screen, text: str) -> None:
    """Put a text into a field instead of what is there; not each is on a keyboard."""
    owner = subprocess.Popen(
        [sys.executable, "-c", _CLIPBOARD, text], env=shown.environ, stdout=subprocess.PIPE
    )
    with owner:
        assert owner.stdout
        owner.stdout.readline()
        shown.press("ctrl+a", "ctrl+v")
        rest(1)
        owner.kill()


def _window(app: RunningApp, folder: Path, line: str, name: str) -> None:
    app.open_menu()
    app.choose(line)
    until(lambda: app.status()["windows"], seconds=20, what=line)
    rest(3)
    _keep(folder, app.screen, name)
    app.screen.press("Escape")
    app.until(lambda status: not status["windows"], seconds=20, what=f"{line} closed")


def _around_menu(app: RunningApp) -> str:
    """Return the part of the screen with the open menu and the icon above it."""
    boxes = [line["geometry"] for line in app.status()["menu"]["lines"]]
    left = min(x for x, *_ in boxes) - _MARGIN
    bottom = max(y + height for _, y, _, height in boxes) + _MARGIN
    return f"x{bottom}+{left}+0"


def _keep(folder: Path, shown: Screen, name: str, *, crop: str = "") -> None:
    """Keep a picture of the active window or, with `crop`, of a part of the screen."""
    window = "root" if crop else _run(shown, "xdotool", "getactivewindow").strip()
    cut = ["-crop", crop, "+repage"] if crop else []
    lean = ["+dither", "-colors", "128", "-strip"]
    _run(shown, "import", "-window", window, *cut, *lean, f"png8:{folder / name}.png")


def _run(shown: Screen, *command: str) -> str:
    done = subprocess.run(
        command, env=shown.environ, check=True, timeout=60, capture_output=True, encoding="utf-8"
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
