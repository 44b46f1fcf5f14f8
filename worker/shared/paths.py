"""Where everything lives: claude-mem's data folder, and in it a folder of our own."""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

DATA_DIR_VARIABLE = "CLAUDE_MEM_DATA_DIR"

_READ_SECONDS = 1.0  # in which whoever reads a small file is done with it
_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class Paths:
    """Every file and folder that Memtray uses, below one data folder."""

    data_dir: Path

    @property
    def database(self) -> Path:
        return self.data_dir / "claude-mem.db"

    @property
    def own(self) -> Path:
        """The folder of all that is ours."""
        return self.data_dir / "memtray"

    @property
    def settings(self) -> Path:
        return self.own / "settings.json"

    @property
    def index(self) -> Path:
        """Derived data; may be deleted at any time."""
        return self.own / "index"

    @property
    def state(self) -> Path:
        """What is ours and cannot be derived."""
        return self.own / "state.db"

    @property
    def backups(self) -> Path:
        return self.own / "backups"

    @property
    def logs(self) -> Path:
        return self.own / "logs"

    @property
    def worker_lock(self) -> Path:
        return self.own / "worker.lock"

    @property
    def start_lock(self) -> Path:
        return self.own / "start.lock"

    @property
    def worker_json(self) -> Path:
        return self.own / "worker.json"

    @property
    def stopped_mark(self) -> Path:
        """Present while the user wants no worker to be started on its own."""
        return self.own / "stopped"

    def create(self) -> None:
        """Make our folders, readable by the user alone."""
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in (self.own, self.index, self.logs):
            folder.mkdir(mode=0o700, exist_ok=True)


def find_data_dir(flag: str | None, environ: Mapping[str, str], home: Path) -> Path:
    """Return the data folder: flag, environment, claude-mem's own settings, the default."""
    default = home / ".claude-mem"
    chosen = flag or environ.get(DATA_DIR_VARIABLE) or _claude_mem_setting(default)
    return Path(chosen).expanduser().absolute() if chosen else default


def default_paths(flag: str | None = None) -> Paths:
    """Return the paths this process uses, from its arguments and environment."""
    return Paths(find_data_dir(flag, os.environ, Path.home()))


def no_database(paths: Paths, home: Path) -> str:
    """Say that there is no database, and where claude-mem keeps its own, if that exists."""
    text = f"There is no {paths.database.name} in {paths.data_dir}."
    usual = Paths(home / ".claude-mem").database
    if usual != paths.database and usual.exists():
        text += f" There is one in {usual.parent}; did you mean that?"
    return text


def _claude_mem_setting(folder: Path) -> str | None:
    try:
        settings = json.loads((folder / "settings.json").read_bytes())
    except (OSError, ValueError):
        return None  # their file, their format: without it the default holds
    value = settings.get(DATA_DIR_VARIABLE) if isinstance(settings, dict) else None
    return value if isinstance(value, str) and value.strip() else None


def write_private(path: Path, content: str | bytes) -> None:
    """Replace `path` in one step with a file that only the user can read; text becomes UTF-8."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    once_read(partial(scratch.replace, path))


def remove(path: Path) -> None:
    """Delete a file, if there is one, that other programs may just be reading."""
    once_read(partial(path.unlink, missing_ok=True))


def once_read(act: Callable[[], object], *, platform: str = sys.platform) -> None:
    """Do to a file what Windows refuses as long as another program reads it: that is not long."""
    deadline = time.monotonic() + _READ_SECONDS
    while True:
        try:
            act()
        except PermissionError:
            if platform != "win32" or time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return
