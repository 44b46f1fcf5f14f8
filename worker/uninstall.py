"""Taking away what an installation has left outside its own folder: one way for all systems."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from worker.shared.autostart import StartAtLogin
from worker.shared.clients import code, desktop
from worker.shared.clients.entry import System
from worker.shared.clients.files import backups
from worker.shared.clients.state import ClientState, command_in, report_on
from worker.shared.errors import MemtrayError
from worker.shared.installation import APP, Installation, end_all
from worker.shared.paths import Paths
from worker.store.users import users_of


@dataclass(frozen=True, slots=True)
class Step:
    """What was done, or what was left and what to do about it."""

    text: str
    done: bool = True


@dataclass(frozen=True, slots=True)
class Leaving:
    """Who goes, and what of his goes with it."""

    paths: Paths
    system: System
    installation: Installation
    delete_data: bool = False  # our own folder: indexes, settings, logs, backups
    delete_memories: bool = False  # claude-mem's database as well


def uninstall(leaving: Leaving) -> Iterator[Step]:
    """Do it step by step, each whatever became of the others; raises nothing."""
    yield from _disconnected(leaving)
    yield from _login_removed(leaving)
    left = end_all(leaving.installation)
    if left:
        yield Step(f"Still running: {', '.join(left)}. End them, then try again.", done=False)
    else:
        yield Step("No process of Memtray runs any more.")
        yield from _deleted(leaving)


def _disconnected(leaving: Leaving) -> Iterator[Step]:
    for path in desktop.config_paths(leaving.system):
        yield from _disconnected_from(path, desktop.CLIENT, leaving)
    yield from _disconnected_from(code.config_path(leaving.system), code.CLIENT, leaving)


def _disconnected_from(path: Path, client: str, leaving: Leaving) -> Iterator[Step]:
    state = report_on(client, path, None).state
    if state in (ClientState.NOT_CONNECTED, ClientState.NAME_TAKEN):
        _put_away(path, leaving)
        return
    try:
        command = command_in(path)
        if Path(command).is_file() and not leaving.installation.holds(command):
            yield Step(f"{path} starts another Memtray, {command}; it stays as it is.")
            return
        if client == desktop.CLIENT or code.disconnect(leaving.system).to_type:
            desktop.disconnect(path)  # Claude Code without its command does not run
        yield Step(f"{path} does not name Memtray any more.")
        _put_away(path, leaving)
    except MemtrayError as exc:
        yield Step(f"{exc} Take the server memtray out of {path} by hand.", done=False)


def _put_away(path: Path, leaving: Leaving) -> None:
    """Move our copies of a config to our own data, so that none is left beside it."""
    kept = leaving.paths.own / "clients"
    with suppress(OSError):  # then they stay where they are
        for copy in backups(path):
            kept.mkdir(parents=True, exist_ok=True)
            if not (kept / copy.name).exists():  # Claude Desktop may have two configs
                shutil.move(copy, kept / copy.name)


def _login_removed(leaving: Leaving) -> Iterator[Step]:
    login = StartAtLogin(leaving.paths, leaving.system, executable=leaving.installation.path(APP))
    try:
        if other := login.leave():
            yield Step(f"Another Memtray starts at login and goes on: {other}")
        else:
            yield Step("Memtray does not start at login any more.")
    except (MemtrayError, OSError, ValueError) as exc:
        yield Step(str(exc), done=False)


def _deleted(leaving: Leaving) -> Iterator[Step]:
    paths = leaving.paths
    if leaving.delete_memories and (users := users_of(paths.database)):
        yield Step(f"{paths.database} is in use by {users}; it was not deleted.", done=False)
        return
    try:
        if leaving.delete_data or leaving.delete_memories:
            for path in _own_files(leaving):
                path.unlink(missing_ok=True)
            if paths.own.exists():
                shutil.rmtree(paths.own)
            yield Step(f"{paths.own} was deleted.")
        if leaving.delete_memories:
            for suffix in ("-wal", "-shm", ""):
                Path(f"{paths.database}{suffix}").unlink(missing_ok=True)
            yield Step(f"{paths.database} was deleted.")
        if (leaving.delete_data or leaving.delete_memories) and not any(paths.data_dir.iterdir()):
            paths.data_dir.rmdir()
    except FileNotFoundError:
        return
    except OSError as exc:
        yield Step(f"{exc}. Delete {paths.own} by hand.", done=False)


def _own_files(leaving: Leaving) -> Iterator[Path]:
    """Yield our copies of what was in the clients' configs."""
    for path in (*desktop.config_paths(leaving.system), code.config_path(leaving.system)):
        if path.parent.is_dir():
            yield from backups(path)
