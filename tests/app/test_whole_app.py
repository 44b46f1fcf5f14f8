"""The whole app in a process of its own, on no screen, with a worker that answers no search."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from app.single_instance import NoAnswerError, ask
from tests.integration.processes import ROOT, environment
from tests.shared.stub import Answer, Asked, Stub, said
from worker.shared.paths import Paths
from worker.shared.processes import is_locked
from worker.shared.settings import save_settings

QUIT_SECONDS = 15.0

OPENS_AND_CLOSES = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app.application import Application
from app.process import new_application
from worker.shared.paths import Paths

qt = new_application(["memtray"])
app = Application(qt, Paths(Path(sys.argv[1])))
app.begin(openly=False)
w = app.windows
makers = ["search"] * 100 + 3 * [
    "logs", "health", "diagnostics", "recalls", "settings", "welcome", "notices", "importing"
]

def turn():
    if not makers:
        print("still here", flush=True)
        app.quit()
        return
    window = getattr(w, makers.pop(0))
    window.open()
    QTimer.singleShot(5, window.close)
    QTimer.singleShot(10, turn)

QTimer.singleShot(0, turn)
sys.exit(qt.exec())
"""


SYSTEM_ENDS_IT = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app.application import Application
from app.process import new_application
from worker.shared.paths import Paths

qt = new_application(["memtray"])
app = Application(qt, Paths(Path(sys.argv[1])))
app.begin(openly=True)
QTimer.singleShot(0, qt.quit)  # what Cmd+Q of macOS and the end of a session come to
QTimer.singleShot(0, qt.quit)
sys.exit(qt.exec())
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths(tmp_path / ".claude-mem")
    paths.create()
    save_settings(paths.settings, {"start_worker": False, "welcomed": True})
    return paths


@pytest.fixture
def silent_worker(paths: Paths) -> Iterator[Stub]:
    """A worker that is there, and never answers a search."""

    def answer(asked: Asked) -> Answer | None:
        return said("") if asked.path == "/api/ready" else None

    stub = Stub(paths, answer)
    with stub.serving():
        stub.announce()
        yield stub


def started(paths: Paths, *command: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment(paths.data_dir.parent) | {"QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def answering(paths: Paths, app: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + 30
    while app.poll() is None and time.monotonic() < deadline:
        try:
            ask(paths, "status", milliseconds=500)
        except NoAnswerError:
            time.sleep(0.05)
        else:
            return
    app.kill()
    raise AssertionError(f"the app does not answer: {app.communicate()}")


@pytest.mark.usefixtures("silent_worker")
def test_windows_come_and_go_a_hundred_times_amid_a_search_and_nothing_ends(paths: Paths) -> None:
    with started(paths, "-c", OPENS_AND_CLOSES, str(paths.data_dir)) as app:
        out, err = app.communicate(timeout=60)

    assert (app.returncode, out) == (0, "still here\n")
    assert "Destroyed" not in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("silent_worker")
def test_quit_ends_it_within_five_seconds_amid_a_search(paths: Paths) -> None:
    with started(paths, "-m", "app", "--background") as app:
        answering(paths, app)
        ask(paths, "show")  # opens the search window, which searches

        asked = time.monotonic()
        ask(paths, "quit")
        _, err = app.communicate(timeout=QUIT_SECONDS)

        assert time.monotonic() - asked < QUIT_SECONDS
    assert (app.returncode, err) == (0, "")
    assert not is_locked(paths.own / "app.lock")


@pytest.mark.usefixtures("silent_worker")
def test_the_system_ends_it_in_order_like_its_own_menu(paths: Paths) -> None:
    with started(paths, "-c", SYSTEM_ENDS_IT, str(paths.data_dir)) as app:
        _, err = app.communicate(timeout=60)
    (log,) = paths.logs.glob("app-*.jsonl")

    assert (app.returncode, err) == (0, "")
    assert log.read_text(encoding="utf-8").count("the app is leaving") == 1


@pytest.mark.usefixtures("silent_worker")
def test_five_starts_make_one_app_and_after_kill_9_the_next_start_works(paths: Paths) -> None:
    with started(paths, "-m", "app", "--background") as first:
        answering(paths, first)
        others = [started(paths, "-m", "app") for _ in range(4)]
        ends = [(other.communicate(timeout=30), other.returncode) for other in others]
        assert ends == [(("", ""), 0)] * 4
        assert not psutil.Process(first.pid).children(recursive=True)
        first.send_signal(signal.SIGKILL)
        first.communicate(timeout=QUIT_SECONDS)

    with started(paths, "-m", "app", "--background") as next_one:
        answering(paths, next_one)
        assert ask(paths, "status")["pid"] == next_one.pid
        ask(paths, "quit")
        next_one.communicate(timeout=QUIT_SECONDS)
    assert next_one.returncode == 0


def test_all_that_it_writes_is_for_the_user_alone(paths: Paths) -> None:
    with started(paths, "-m", "app", "--background") as app:
        answering(paths, app)
        ask(paths, "show")
        ask(paths, "quit")
        app.communicate(timeout=QUIT_SECONDS)

    files = [path for path in paths.own.rglob("*") if path.is_file()]

    assert files
    assert [path for path in files if path.stat().st_mode & 0o077] == []


def test_it_says_its_version_and_helps_without_a_screen(paths: Paths) -> None:
    environ = environment(paths.data_dir.parent) | {"QT_QPA_PLATFORM": "none-of-that-name"}
    for argument, told in (("--version", "memtray "), ("--help", "--data-dir")):
        shown = subprocess.check_output(
            [sys.executable, "-m", "app", argument], cwd=ROOT, env=environ, encoding="utf-8"
        )
        assert told in shown


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="they always have a screen")
def test_without_a_screen_it_says_so(paths: Paths) -> None:
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE")
    environ = environment(paths.data_dir.parent)
    for name in screens:
        environ.pop(name, None)

    done = subprocess.run(
        [sys.executable, "-m", "app"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert "Neither DISPLAY nor WAYLAND_DISPLAY is set" in done.stderr
    assert "cursor" not in done.stderr  # which Qt would say


def test_asked_while_nothing_runs_it_says_what_to_do(paths: Paths) -> None:
    with started(paths, "-m", "app", "--status") as asking:
        out, err = asking.communicate(timeout=30)

    assert (asking.returncode, out) == (1, "")
    assert "start it: memtray" in err


def test_quit_is_no_error_where_nothing_runs(paths: Paths) -> None:
    with started(paths, "-m", "app", "--quit") as asking:
        assert asking.communicate(timeout=30) == ("", "")

    assert asking.returncode == 0


def test_a_folder_that_cannot_be_used_is_named(paths: Paths, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with started(paths, "-m", "app", "--data-dir", str(tmp_path / "file")) as app:
        _, err = app.communicate(timeout=30)

    assert app.returncode == 1
    assert str(tmp_path / "file") in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("silent_worker")
def test_broken_settings_bring_no_first_run_and_stay_as_they_are(paths: Paths) -> None:
    broken = b'{"welcomed": true, "theme": '
    paths.settings.write_bytes(broken)

    with started(paths, "-m", "app") as app:
        answering(paths, app)
        status = ask(paths, "status")
        ask(paths, "quit")
        app.communicate(timeout=QUIT_SECONDS)

    assert [window["name"] for window in status["windows"]] == ["search"]  # type: ignore[attr-defined]
    assert status["notices"] == ["The settings cannot be read"]
    assert paths.settings.read_bytes() == broken
