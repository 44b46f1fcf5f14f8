"""A screen of its own with a window manager and a tray, driven as a hand and an eye would."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = (
    "Xvfb", "openbox", "trayer", "xdotool", "import", "dbus-run-session",
)  # fmt: skip
TRAY = (
    "trayer", "--edge", "top", "--align", "right", "--SetDockType", "true",
    "--widthtype", "request", "--height", "28",
)  # fmt: skip
_SIZE = "1280x800"


def missing() -> list[str]:
    """Return which of the programs are not there."""
    if not sys.platform.startswith("linux"):
        return ["a system with X11"]
    return [program for program in PROGRAMS if shutil.which(program) is None]


@dataclass
class Screen:
    """A virtual screen; `shots` is where its pictures go."""

    display: str
    environ: dict[str, str]
    shots: Path
    _started: "list[subprocess.Popen[bytes]]" = field(default_factory=list)
    _tray: "subprocess.Popen[bytes] | None" = None
    _taken: list[Path] = field(default_factory=list)

    def plug_tray(self) -> None:
        """Have a panel with a tray on the screen."""
        self._tray = _start(self._started, TRAY, self.environ)

    def unplug_tray(self) -> None:
        """End the panel, as when it crashes."""
        assert self._tray
        os.killpg(self._tray.pid, signal.SIGKILL)
        self._tray.wait(10)

    def shot(self, name: str) -> Path:
        """Take a picture of the whole screen."""
        path = self.shots / f"{len(self._taken):02}-{name}.png"
        self._run("import", "-window", "root", str(path))
        self._taken.append(path)
        return path

    def click(self, x: int, y: int, *, button: int = 1) -> None:
        """Move the mouse there and click."""
        self._run("xdotool", "mousemove", str(x), str(y), "click", str(button))

    def type(self, text: str) -> None:
        """Type as a person does, into whatever has the focus."""
        self._run("xdotool", "type", "--delay", "40", text)

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self._run("xdotool", "key", *keys)

    def has_active(self, title: str) -> bool:
        """Say whether the name of the window that has the keyboard begins so; Qt adds the app's."""
        command = ["xdotool", "getactivewindow", "getwindowname"]
        shown = subprocess.run(
            command, env=self.environ, capture_output=True, timeout=30, check=False
        )
        return shown.stdout.decode("utf-8", "replace").startswith(title)

    def _run(self, *command: str) -> None:
        subprocess.run(command, env=self.environ, check=True, timeout=30, capture_output=True)


@contextmanager
def screen(
    shots: Path,
    environ: Mapping[str, str],
    *,
    tray: bool = True,
    size: str = _SIZE,
    number: int | None = None,
) -> Iterator[Screen]:
    """Give a screen, under a free number or that one; all that it needs is gone afterwards."""
    shots.mkdir(parents=True, exist_ok=True)
    started: list[subprocess.Popen[bytes]] = []
    with suppress_left(started):
        display = _display(started, size, number)
        inside = dict(environ) | {"DISPLAY": display, "LC_ALL": "C.UTF-8"}
        inside.pop("QT_QPA_PLATFORM", None)
        inside.pop("WAYLAND_DISPLAY", None)
        inside["DBUS_SESSION_BUS_ADDRESS"] = _bus(started, inside)
        _start(started, ["openbox"], inside)
        shown = Screen(display, inside, shots, started)
        if tray:
            shown.plug_tray()
        yield shown


@contextmanager
def suppress_left(started: "list[subprocess.Popen[bytes]]") -> Iterator[None]:
    """Leave nothing of what was started, whatever happens."""
    try:
        yield
    finally:
        for process in reversed(started):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in started:
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)
            if process.stdout:
                process.stdout.close()


def until(holds: Callable[[], object], *, seconds: float, what: str) -> float:
    """Wait until something holds; return how many seconds that took."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() > begun + seconds:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.02)
    return time.monotonic() - begun


def _display(started: "list[subprocess.Popen[bytes]]", size: str, number: int | None) -> str:
    """Start a screen, under a number that nobody has; it tells which once it serves."""
    reading, writing = os.pipe()
    named = [] if number is None else [f":{number}"]
    # else it begins anew, and refuses whoever comes meanwhile, each time its last program leaves
    kind = ["-noreset", "-screen", "0", f"{size}x24", "-nolisten", "tcp"]
    command = ["Xvfb", *named, "-displayfd", str(writing), *kind]
    _start(started, command, os.environ, pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading) as told:
        return f":{told.readline().strip()}"


def _bus(started: "list[subprocess.Popen[bytes]]", environ: Mapping[str, str]) -> str:
    """Start a session bus and return its address."""
    show = 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec sleep infinity'
    session = _start(started, ["dbus-run-session", "--", "sh", "-c", show], environ)
    assert session.stdout
    return session.stdout.readline().decode().strip()


def _start(
    started: "list[subprocess.Popen[bytes]]",
    command: Sequence[str],
    environ: Mapping[str, str],
    *,
    pass_fds: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        command,
        env=dict(environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if command[0] == "dbus-run-session" else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=pass_fds,
    )
    started.append(process)
    return process
