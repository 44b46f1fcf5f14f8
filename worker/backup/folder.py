"""The folder of backups: their names, their order, and how many are kept."""

import datetime as dt
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from filelock import FileLock, Timeout

from worker.backup.copying import BackupError, DamagedError, Tick, copy_verified, quietly
from worker.shared.paths import Paths

STAMP = "%Y%m%dT%H%M%SZ"

_NAME = re.compile(r"claude-mem-(\d{6,})-(\d{8}T\d{6}Z)-(daily|manual|before-restore)\.db")
_LOCK_SECONDS = 600.0  # as long as a large backup may take

log = logging.getLogger(__name__)


class Kind(StrEnum):
    """Why a backup was made."""

    DAILY = "daily"
    MANUAL = "manual"
    BEFORE_RESTORE = "before-restore"


KEPT = {Kind.DAILY: 7, Kind.BEFORE_RESTORE: 3}  # what a user asked for is the user's to delete


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup. Numbers order them, since clocks may be set back."""

    path: Path
    number: int
    made: dt.datetime
    kind: Kind

    @property
    def state(self) -> Path:
        """Where our own database of that moment is, if there was one."""
        return self.path.with_name(self.path.name.replace("claude-mem", "state", 1))


def backups(folder: Path) -> list[Backup]:
    """Return what the folder holds, newest first; other files are none of our business."""
    try:
        names = [path.name for path in folder.iterdir()] if folder.exists() else []
    except OSError as exc:
        raise BackupError(f"{exc}; check who owns {folder}") from exc
    found = [_parsed(folder, match) for name in names if (match := _NAME.fullmatch(name))]
    return sorted(found, key=lambda backup: (backup.number, backup.path.name), reverse=True)


def make(
    paths: Paths,
    kind: Kind,
    *,
    now: dt.datetime,
    tick: Tick = quietly,
    spare: Path | None = None,
) -> Backup:
    """Return a new, verified backup of the memories, and of our own data if there are any.

    Old ones beyond their number go, but `spare`. Raises BackupError.
    """
    with _alone(paths):
        known = backups(paths.backups)
        number = known[0].number + 1 if known else 1
        name = f"claude-mem-{number:06}-{now.astimezone(dt.UTC):{STAMP}}-{kind}.db"
        backup = Backup(paths.backups / name, number, now, kind)
        touched = last_touched(paths.database)
        if paths.state.exists():
            _copy_state(paths.state, backup.state, tick)
        copy_verified(paths.database, backup.path, tick=tick)
        os.utime(backup.path, ns=(touched, touched))
        _clear(paths.backups, [backup, *known], spare)
    return backup


def last_touched(database: Path) -> int:
    """Return when a file of the database was written last, in nanoseconds.

    A backup has the time that its source had, so what differs has changed, whatever clocks say.
    """
    beside = Path(f"{database}-wal")
    files = [database, beside] if beside.exists() and beside.stat().st_size else [database]
    return max((file.stat().st_mtime_ns for file in files if file.exists()), default=0)


def _parsed(folder: Path, match: "re.Match[str]") -> Backup:
    try:
        made = dt.datetime.strptime(match[2], STAMP).replace(tzinfo=dt.UTC)
    except ValueError:  # somebody's 20269999T999999Z
        made = dt.datetime.fromtimestamp(0, dt.UTC)
    return Backup(folder / match[0], int(match[1]), made, Kind(match[3]))


@contextmanager
def _alone(paths: Paths) -> Iterator[None]:
    """Let nobody else make a backup here; what a killed one left behind goes."""
    folder = paths.backups
    try:
        paths.create()
        folder.mkdir(mode=0o700, exist_ok=True)
        with FileLock(folder / ".lock", timeout=_LOCK_SECONDS, mode=0o600):
            for left in folder.glob(".*.partial*"):
                left.unlink()
            yield
    except Timeout:
        raise BackupError(f"Another backup into {folder} is running; wait for it") from None
    except OSError as exc:
        raise BackupError(f"{exc}; check who owns {folder}") from exc


def _copy_state(state: Path, target: Path, tick: Tick) -> None:
    """Copy our own data; memories are more than those, so damage there stops no backup."""
    try:
        copy_verified(state, target, tick=tick)
    except DamagedError as exc:
        log.warning("the backup goes without our own data: %s", exc.detail)


def _clear(folder: Path, known: list[Backup], spare: Path | None) -> None:
    """Remove the oldest of each kind beyond its number, and data of ours without memories."""
    for kind, number in KEPT.items():
        for old in [backup for backup in known if backup.kind is kind][number:]:
            if old.path != spare:
                old.path.unlink(missing_ok=True)
    there = {backup.state for backup in known if backup.path.exists()}
    for state in folder.glob("state-*.db"):
        if state not in there:
            state.unlink()
