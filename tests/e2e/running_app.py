"""The app as a real process on a screen, and what it says of itself."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from app.single_instance import NoAnswerError, ask
from tests.e2e.screen import Screen, until
from tests.integration.processes import ROOT, environment
from worker.shared.identity import read_record
from worker.shared.paths import Paths
from worker.shared.processes import is_locked, lives
from worker.shared.settings import save_settings

COMMAND = [sys.executable, "-m", "app"]


@dataclass
class RunningApp:
    """One running app; `status` asks it, as `memtray --status` does."""

    process: "subprocess.Popen[bytes]"
    paths: Paths
    screen: Screen
    longest_stall_ms: float = 0.0  # of the GUI thread, seen by all looks until now

    def status(self) -> dict[str, Any]:
        """Return what it shows now."""
        status: dict[str, Any] = ask(self.paths, "status", milliseconds=10_000)
        self.longest_stall_ms = max(self.longest_stall_ms, status["longest_stall_ms"] or 0)
        return status

    def until(
        self, holds: Callable[[dict[str, Any]], object], *, seconds: float, what: str
    ) -> float:
        """Wait until its status is as wanted; return how many seconds that took."""
        try:
            return until(lambda: holds(self.status()), seconds=seconds, what=what)
        except AssertionError as exc:
            shown = {k: v for k, v in self.status().items() if k not in ("menu", "windows")}
            menu = [line["text"] for line in self.status()["menu"]["lines"]]
            raise AssertionError(f"{exc}, but {shown} with {menu}") from None

    def until_state(self, *states: str, seconds: float = 30) -> float:
        """Wait for the icon to show one of these states."""
        wanted = " or ".join(states)
        return self.until(lambda status: status["state"] in states, seconds=seconds, what=wanted)

    def is_active(self, name: str) -> bool:
        """Say whether a window can be seen and has the keyboard."""
        windows = self.status()["windows"]
        return any(window["name"] == name and window["active"] for window in windows)

    def shows(self, name: str, *texts: str) -> bool:
        """Say whether a window can be seen, and these texts in it."""
        for window in self.status()["windows"]:
            if window["name"] == name:
                shown = "\n".join(window["texts"])
                return all(text in shown for text in texts)
        return False

    def open_menu(self) -> float:
        """Open the menu by the mouse; return how many milliseconds it took to be painted."""
        left, top, width, height = self.status()["tray"]["geometry"]
        for _ in range(8):  # an icon that has just come may not take a click yet
            self.screen.click(left + width // 2, top + height // 2, button=3)
            with suppress(AssertionError):
                self.until(lambda status: status["menu"]["open"], seconds=2, what="the menu")
                break
        self.until(lambda status: status["menu"]["opened_ms"], seconds=20, what="the menu painted")
        return float(self.status()["menu"]["opened_ms"])

    def choose(self, text: str) -> None:
        """Choose a line of the open menu by the mouse."""
        lines = self.status()["menu"]["lines"]
        (line,) = (line for line in lines if line["text"].startswith(text))
        assert line["enabled"], line
        left, top, width, height = line["geometry"]
        self.screen.click(left + width // 2, top + height // 2)

    def worker(self) -> psutil.Process:
        """Return the process of the worker."""
        record = read_record(self.paths.worker_json)
        assert record
        return psutil.Process(record.pid)

    def is_gone(self) -> bool:
        """Say whether neither app nor worker runs, nor a lock of theirs is held."""
        mine = is_locked(self.paths.own / "app.lock")
        return self.process.poll() is not None and not mine and not lives(self.paths)


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def prepare(home: Path, **settings: object) -> Paths:
    """Make a home with settings by which a test disturbs nobody.

    Without notices: where no other program shows them, they point to the icon and take its clicks.
    """
    paths = Paths(home / ".claude-mem")
    paths.create()
    chosen = {"port": free_port(), "semantic": False, "welcomed": True, "notify_errors": False}
    save_settings(paths.settings, chosen | settings)
    return paths


def environ_of(home: Path) -> dict[str, str]:
    """Return an environment in which all that a desktop keeps is below `home`."""
    xdg = {
        f"XDG_{name}_HOME": str(home / f".{name.lower()}") for name in ("CONFIG", "CACHE", "DATA")
    }
    return {**environment(home), **xdg}


@contextmanager
def running_app(
    screen: Screen, paths: Paths, *arguments: str, environ: Mapping[str, str] | None = None
) -> Iterator[RunningApp]:
    """Start the app, give it once it answers; it and its worker are gone afterwards."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=ROOT, env={**screen.environ, **(environ or {})}
    )
    app = RunningApp(process, paths, screen)
    try:
        until(lambda: process.poll() is not None or _answers(paths), seconds=30, what="the app")
        assert process.poll() is None, f"the app ended with {process.returncode}"
        yield app
    finally:
        process.kill()
        process.wait(10)
        if record := read_record(paths.worker_json):
            with suppress(ProcessLookupError):
                os.kill(record.pid, signal.SIGKILL)


def start_again(screen: Screen, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Start the app once more, to its end."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=screen.environ,
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def rest(seconds: float) -> None:
    """Let the app be for a while, where that is what is measured."""
    time.sleep(seconds)


def _answers(paths: Paths) -> bool:
    try:
        ask(paths, "status", milliseconds=500)
    except NoAnswerError:
        return False
    return True
