"""The demo as a person runs it: it shows all steps, and leaves nothing behind."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.bench.api import Api
from tests.bench.material import ROOT
from tests.bench.workers import private_environ

SCRIPT = ROOT / "assets" / "demo" / "demo.py"
STEPS = ("built", "STEP 1", "in Chinese", "By meaning", "STEP 2", "STEP 3", "TOKENS", "Next, ")
IMPATIENT = """
import sys
sys.path.insert(0, sys.argv[1])
import demo
demo._READY_SECONDS = 0
sys.exit(demo.main([]))
"""
WITHIN = 240  # seconds

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")


def _hear_ctrl_c() -> None:
    """Undo that a shell lets what it starts in the background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Place:
    """A home and a folder for scratch files that only one demo uses."""

    def __init__(self, folder: Path) -> None:
        self.home, self.scratch = folder / "home", folder / "scratch"
        self.home.mkdir()
        self.scratch.mkdir()

    @contextmanager
    def run(self, *command: str) -> Iterator["subprocess.Popen[str]"]:
        with subprocess.Popen(
            [sys.executable, *command],
            env={
                **private_environ(self.home, TMPDIR=str(self.scratch)),
                "PYTHONUNBUFFERED": "1",
                "DISPLAY": "",
                "WAYLAND_DISPLAY": "",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            preexec_fn=_hear_ctrl_c,
        ) as process:
            yield process

    def workers(self) -> list[psutil.Process]:
        return [
            process
            for process in psutil.process_iter(["cmdline"])
            if any(str(self.scratch) in part for part in process.info["cmdline"] or ())
        ]

    def is_clean(self) -> bool:
        left = [*self.scratch.iterdir(), *self.home.iterdir()]
        return not left and not self.workers()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    for worker in made.workers():
        worker.kill()


def test_the_demo_shows_each_step_and_leaves_nothing_behind(place: Place) -> None:
    with place.run(str(SCRIPT)) as demo:
        output, errors = demo.communicate(timeout=WITHIN)
    assert (demo.returncode, errors) == (0, "")
    found = [output.find(step) for step in STEPS]
    assert -1 not in found, output
    assert found == sorted(found), output
    assert re.search(r"\| #\d+ \|.*webhook", output), output
    assert "死锁" in output
    assert "Photos were uploaded again" in output
    assert "(anchor)" in output
    saved = re.search(r"(\d+)% saved", output)
    assert saved
    assert int(saved[1]) >= 50
    assert place.is_clean()


def test_ctrl_c_ends_the_demo_and_its_worker(place: Place) -> None:
    with place.run(str(SCRIPT)) as demo:
        assert demo.stdout
        demo.stdout.readline()  # the samples are written, the worker starts
        demo.send_signal(signal.SIGINT)
        _, errors = demo.communicate(timeout=WITHIN)
    assert demo.returncode == 1
    assert errors.strip() == "The demo was stopped."
    assert place.is_clean()


def test_a_demo_that_fails_says_why_and_cleans_up(place: Place) -> None:
    with place.run("-c", IMPATIENT, str(SCRIPT.parent)) as demo:
        _, errors = demo.communicate(timeout=WITHIN)
    assert demo.returncode == 1
    assert "The demo failed. The indexes are not ready after" in errors
    assert place.is_clean()


def test_a_demo_that_is_kept_can_be_asked_by_the_line_it_prints(place: Place) -> None:
    with place.run(str(SCRIPT), "--keep") as demo:
        output, _ = demo.communicate(timeout=WITHIN)
    assert demo.returncode == 0
    line = re.search(r"curl 'http://127\.0\.0\.1:(\d+)(/api/search\?query=webhook)'\n", output)
    assert line, output
    with Api(int(line[1])) as api:
        assert b"webhook" in api.get(line[2]).body
    ending = re.search(r"kill (\d+); rm -r (\S+)", output)
    assert ending, output
    worker = psutil.Process(int(ending[1]))
    assert worker in place.workers()
    worker.terminate()
    worker.wait(WITHIN)
    assert Path(ending[2]).parent == place.scratch
