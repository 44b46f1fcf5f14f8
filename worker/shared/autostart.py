"""Start at login by each system's own mechanism, of which the real entry alone is believed."""

import contextlib
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from worker.shared.clients.entry import System
from worker.shared.errors import MemtrayError
from worker.shared.frozen import goes_away
from worker.shared.login_formats import (
    LABEL,
    Found,
    desktop_entry,
    launch_agent,
    read_desktop_entry,
    read_launch_agent,
    run_value,
)
from worker.shared.paths import Paths, find_data_dir, write_private

RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED_KEY = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
RUN_NAME = "Memtray"

_DESKTOP_FILE = "memtray.desktop"


class LoginError(MemtrayError):
    """The system's entry cannot be written or removed."""

    title = "Start at login was not changed"
    code = "login_unchanged"


class Registry(Protocol):
    """The current user's part of Windows's registry."""

    def read(self, key: str, name: str) -> object | None: ...

    def write(self, key: str, name: str, value: str) -> None: ...

    def remove(self, key: str, name: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Login:
    """How the entry is."""

    on: bool
    elsewhere: str = ""  # what it starts, or would, where that is not this Memtray


def login_command(paths: Paths, system: System, *, executable: Path, frozen: bool) -> list[str]:
    """Return what is started at login: the script by its absolute path, in the background.

    Where there is none, the module, isolated from an `app` in the folder where a session starts.
    """
    suffix = ".exe" if executable.suffix.lower() == ".exe" else ""
    script = executable.with_name(f"memtray{suffix}")
    program = [str(script)] if frozen or script.exists() else [str(executable), "-I", "-m", "app"]
    usual = find_data_dir(None, {}, system.home)  # what it finds in a session without our variables
    chosen = [] if paths.data_dir == usual else ["--data-dir", str(paths.data_dir)]
    return [*program, "--background", *chosen]


def entry_path(system: System) -> Path:
    """Return the file that makes Linux or macOS start us: one name, so that there is but one."""
    if system.platform == "darwin":
        return system.home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    base = system.environ.get("XDG_CONFIG_HOME", "")
    config = Path(base) if base.startswith("/") else system.home / ".config"
    return config / "autostart" / _DESKTOP_FILE


class StartAtLogin:
    """The one entry of this Memtray; each question looks at the system, and nothing is kept."""

    def __init__(
        self,
        paths: Paths,
        system: System | None = None,
        *,
        executable: Path | None = None,
        registry: Registry | None = None,
    ) -> None:
        self._system = system or System.here()
        self._command = login_command(
            paths,
            self._system,
            executable=(executable or Path(sys.executable)).absolute(),
            frozen=hasattr(sys, "frozen"),
        )
        self._mechanism: _Mechanism = (
            _RunKey(registry or WindowsRegistry())
            if self._system.platform == "win32"
            else _entry_file(self._system)
        )

    def is_on(self) -> bool:
        """Return whether the system starts a Memtray at login; none, if that is not there."""
        return self.look().on

    def look(self) -> Login:
        """Return how the entry is now; one that cannot be read is off."""
        try:
            found = self._mechanism.found()
        except (OSError, ValueError):
            return Login(on=False)
        if found is None or not found.command:
            return Login(on=False)
        program = Path(found.program)
        there = program.is_file() or not program.is_absolute()  # else the PATH decides
        return Login(on=found.enabled and there, elsewhere=self._elsewhere(found))

    def turn_on(self) -> None:
        """Write the entry, in place of any older one; raise LoginError."""
        program = Path(self._command[0])
        if self._system.platform == "darwin" and goes_away(program):
            raise LoginError(
                f"Memtray runs from {program.parent}, which goes when the disk image is ejected. "
                "Move Memtray into the Applications folder, start it there, and try again"
            )
        try:
            self._mechanism.write(self._command)
        except (OSError, ValueError) as exc:
            raise LoginError(f"{exc}. Check who may write {self._mechanism.place}") from exc

    def turn_off(self) -> None:
        """Remove the entry, if there is one; raise LoginError."""
        try:
            self._mechanism.remove()
        except OSError as exc:
            raise LoginError(f"{exc}. Remove {self._mechanism.place} by hand") from exc

    def leave(self) -> str:
        """Remove the entry, unless it starts another Memtray that is there: that is returned.

        Raises LoginError.
        """
        found = self.look()
        if found.on and found.elsewhere and not self._starts_us():
            return found.elsewhere
        self.turn_off()
        return ""

    def _starts_us(self) -> bool:
        """Say whether the entry starts our program, with whatever arguments."""
        found = self._mechanism.found()
        return found is not None and Path(found.program) == Path(self._command[0])

    def _elsewhere(self, found: Found) -> str:
        """Return what is started instead of us, as the entry has it."""
        mine = found.command in (tuple(self._command), (run_value(self._command),))
        return "" if mine else " ".join(found.command)


class _Mechanism(Protocol):
    place: str

    def found(self) -> Found | None: ...

    def write(self, command: list[str]) -> None: ...

    def remove(self) -> None: ...


def _entry_file(system: System) -> "_EntryFile":
    if system.platform == "darwin":
        return _EntryFile(entry_path(system), launch_agent, read_launch_agent)
    return _EntryFile(
        entry_path(system),
        lambda command: desktop_entry(command).encode("utf-8"),
        lambda content: read_desktop_entry(content.decode("utf-8")),
    )


class _EntryFile:
    """A file in a folder that the session reads at login."""

    def __init__(
        self, path: Path, made: Callable[[list[str]], bytes], read: Callable[[bytes], Found]
    ) -> None:
        self._path, self._made, self._read = path, made, read
        self.place = str(path)

    def found(self) -> Found | None:
        try:
            return self._read(self._path.read_bytes())
        except FileNotFoundError:
            return None

    def write(self, command: list[str]) -> None:
        content = self._made(command)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_private(self._path, content)

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)


class _RunKey:
    """The value of the current user that Windows starts at login."""

    place = rf"HKEY_CURRENT_USER\{RUN_KEY}\{RUN_NAME}"

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def found(self) -> Found | None:
        value = self._registry.read(RUN_KEY, RUN_NAME)
        approved = self._registry.read(APPROVED_KEY, RUN_NAME)
        # an odd first byte: the user switched it off in the Task Manager or in Settings
        switched_off = isinstance(approved, bytes) and bool(approved[:1]) and approved[0] % 2 == 1
        return Found((value,), not switched_off) if isinstance(value, str) else None

    def write(self, command: list[str]) -> None:
        self._registry.write(RUN_KEY, RUN_NAME, run_value(command))
        self._registry.remove(APPROVED_KEY, RUN_NAME)

    def remove(self) -> None:
        self._registry.remove(RUN_KEY, RUN_NAME)
        self._registry.remove(APPROVED_KEY, RUN_NAME)


class WindowsRegistry:
    """HKEY_CURRENT_USER."""

    def __init__(self) -> None:
        self._winreg = importlib.import_module("winreg")  # only Windows has it

    def read(self, key: str, name: str) -> object | None:
        winreg = self._winreg
        try:
            with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                value: object = winreg.QueryValueEx(opened, name)[0]
        except FileNotFoundError:
            return None
        return value

    def write(self, key: str, name: str, value: str) -> None:
        winreg = self._winreg
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
            winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, value)

    def remove(self, key: str, name: str) -> None:
        winreg = self._winreg
        user, change = winreg.HKEY_CURRENT_USER, winreg.KEY_SET_VALUE
        with (
            contextlib.suppress(FileNotFoundError),  # neither the key nor the value
            winreg.OpenKey(user, key, access=change) as opened,
        ):
            winreg.DeleteValue(opened, name)
