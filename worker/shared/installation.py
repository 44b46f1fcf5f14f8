"""One installation of Memtray: its three programs, and the processes that run from it."""

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.programs import run_program
from worker.shared.stop import leave_worker

APP, WORKER, MCP = "memtray", "memtray-worker", "memtray-mcp"

_QUIT_SECONDS = 15.0  # an app that is asked ends within five
_TERM_SECONDS = 12.0  # a worker that is told by a signal ends within nine
_KILL_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Running:
    """A process of an installation."""

    process: psutil.Process
    program: str
    words: tuple[str, ...]  # its command line


@dataclass(frozen=True, slots=True)
class Installation:
    """The folder that holds the three programs, and how their names end."""

    folder: Path
    suffix: str = ""

    @classmethod
    def here(cls) -> "Installation":
        """Return the one that runs."""
        executable = Path(sys.executable)
        suffix = ".exe" if executable.suffix.lower() == ".exe" else ""
        return cls(executable.absolute().parent, suffix)

    def path(self, program: str) -> Path:
        """Return where a program is."""
        return self.folder / f"{program}{self.suffix}"

    def holds(self, file: str) -> bool:
        """Say whether a file is in this folder."""
        return type(self.folder)(file).parent in (self.folder, self._resolved())

    def program_of(self, words: Iterable[str]) -> str:
        """Return which program of ours words name, the first that do; "" if none does."""
        kind = type(self.folder)  # of Windows, which takes no notice of upper and lower case
        for word in words:
            for program in (APP, WORKER, MCP):
                name = f"{program}{self.suffix}"
                if kind(word) in (self.folder / name, self._resolved() / name):
                    return program
        return ""

    def running(self) -> list[Running]:
        """Return the processes of this installation, without this one and who started it."""
        mine = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
        found = []
        for process in psutil.process_iter():
            if process.pid in mine:
                continue
            with suppress(psutil.Error, OSError):  # gone, or another user's
                words = tuple(process.cmdline())
                program = self.program_of(_started(_program_file(process), words))
                if program and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(Running(process, program, words))
        return found

    def _resolved(self) -> Path:
        return self.folder.resolve() if isinstance(self.folder, Path) else self.folder


def end_all(installation: Installation) -> list[str]:
    """End app, workers and MCP servers of an installation; return what could not be ended.

    No mark is left: a worker may be started again. Those who might start one go first.
    """
    running = installation.running()
    apps = [each for each in running if each.program == APP]
    _end([each.process for each in running if each.program == MCP])
    for each in apps:
        _quit_app(installation, each)
    _end([each.process for each in apps])
    for each in running:
        if each.program == WORKER and "run" in each.words:
            _leave(each)
    _end([each.process for each in installation.running()])
    return [f"{each.program} (pid {each.process.pid})" for each in installation.running()]


def data_dir_of(words: Sequence[str]) -> str | None:
    """Return the data folder that a command line names."""
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == "--data-dir":
            return value if equals else next(iter(words[number + 1 :]), None)
    return None


def folder_of(running: Running) -> str | None:
    """Return the data folder of a process, None for the usual one; raise psutil.Error, OSError."""
    chosen = data_dir_of(running.words)
    return str(Path(running.process.cwd(), chosen)) if chosen else None


def _started(file: str, words: Sequence[str]) -> tuple[str, ...]:
    """Return what a process may have been started as: itself, or the script of a Python."""
    is_python = Path(file).name.lower().startswith("python")
    return (file, *words[: 2 if is_python else 1])


def _program_file(process: psutil.Process) -> str:
    """Return what a process runs; Linux marks a file that was replaced meanwhile."""
    try:
        return process.exe().removesuffix(" (deleted)")
    except psutil.AccessDenied:  # macOS, of another user's
        return ""


def _quit_app(installation: Installation, app: Running) -> None:
    """Ask it to quit, which Windows has no signal for; whoever does not is ended afterwards."""
    if not _is_of_mine(app.process):  # it has another home, where its socket is
        return
    with suppress(MemtrayError, psutil.Error, OSError):
        chosen = folder_of(app)
        folder = ["--data-dir", chosen] if chosen else []
        run_program([str(installation.path(APP)), "--quit", *folder], timeout=_QUIT_SECONDS)


def _leave(worker: Running) -> None:
    """Ask it to end, which Windows has no signal for; whoever does not is ended afterwards."""
    with suppress(MemtrayError, psutil.Error, OSError):
        chosen = folder_of(worker)
        if chosen and _is_mine(Path(chosen)):  # else locks of ours would keep its owner out
            leave_worker(Paths(Path(chosen)))


def _is_of_mine(process: psutil.Process) -> bool:
    try:
        return not hasattr(os, "getuid") or process.uids().real == os.getuid()
    except psutil.Error:
        return False


def _is_mine(folder: Path) -> bool:
    try:
        return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()
    except OSError:
        return False


def _end(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.terminate()
    for process in psutil.wait_procs(processes, timeout=_TERM_SECONDS)[1]:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=_KILL_SECONDS)
