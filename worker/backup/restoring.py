"""The way back from a backup, which never leaves half of one and keeps what was there."""

import datetime as dt
import logging
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from worker.backup.contents import Contents, contents
from worker.backup.copying import (
    BackupError,
    DamagedError,
    Tick,
    copy_verified,
    pour,
    quietly,
    snapshot,
    told,
)
from worker.backup.folder import STAMP, Kind, backups, make
from worker.shared.paths import Paths
from worker.store.connection import connect
from worker.store.schema import VERSIONS

log = logging.getLogger(__name__)


class RestoreRefusedError(BackupError):
    """This file cannot take the place of the memories; they are as they were."""

    title = "Nothing was restored"
    code = "restore_refused"
    status = 409


@dataclass(frozen=True, slots=True)
class Restored:
    """What the database holds now, and where that is which it held before."""

    now: Contents
    kept: Path | None  # a backup, or the damaged file itself; None where there was nothing


def choose(paths: Paths, wanted: str) -> Path:
    """Return the file that a word means: a path, the name of a backup, or `newest`."""
    known = backups(paths.backups)
    if wanted.lower() == "newest":
        made = [backup for backup in known if backup.kind is not Kind.BEFORE_RESTORE]
        if not made:
            raise RestoreRefusedError(f"There is no backup in {paths.backups} yet")
        return made[0].path
    named = [backup.path for backup in known if backup.path.name == wanted]
    return named[0] if named else Path(wanted).expanduser().absolute()


def examine(paths: Paths, file: Path) -> Contents:
    """Return what a file would bring; raise RestoreRefusedError where it would do harm."""
    if not file.is_file():
        raise RestoreRefusedError(f"{file} is no file; memtray-worker backup --list shows them")
    if paths.database.exists() and file.samefile(paths.database):
        raise RestoreRefusedError(f"{file} is the database in use; choose a backup of it")
    try:
        found = contents(file, thorough=True)
    except DamagedError as exc:
        raise RestoreRefusedError(f"{exc.detail}. Choose another backup") from exc
    if not found.memories:
        raise RestoreRefusedError(f"{file} has no table of observations; choose another file")
    if file.parent != paths.backups:  # what was made here came from the database here
        _refuse_newer(paths, file, found)
    return found


def restore(paths: Paths, file: Path, *, now: dt.datetime, tick: Tick = quietly) -> Restored:
    """Put a backup in the place of the present memories, which are kept as a backup.

    Programs that have the database open go on with it, save where it is damaged: then the file
    itself is set aside. Raises BackupError; the memories are then as they were.
    """
    wanted = examine(paths, file)
    kept: Path | None = None
    try:
        if paths.database.exists() and paths.database.stat().st_size:
            kept = make(paths, Kind.BEFORE_RESTORE, now=now, tick=tick, spare=file).path
    except DamagedError as exc:
        log.warning("it is set aside as it is: %s", exc.detail)
        kept = _replace(paths.database, file, now=now, tick=tick)
    else:
        _fill(paths.database, file, now=now, tick=tick)
    restored = Restored(_verified(paths.database, wanted), kept)
    state = _state_of(paths, file)
    if state:
        try:
            _fill(paths.state, state, now=now, tick=tick)
        except BackupError as exc:
            raise BackupError(f"the memories are restored, our own data not: {exc.detail}") from exc
    return restored


def _refuse_newer(paths: Paths, file: Path, found: Contents) -> None:
    known = max(VERSIONS)
    if paths.database.exists():
        try:
            known = max(known, contents(paths.database).schema)
        except BackupError:  # damaged: it says nothing
            log.debug("the schema of the present database cannot be read")
    if found.schema > known:
        raise RestoreRefusedError(
            f"{file} was written by a newer claude-mem (schema {found.schema}, known up to "
            f"{known}): update Memtray, or start that claude-mem here once"
        )


def _state_of(paths: Paths, file: Path) -> Path | None:
    """Return our own data of the same moment, where the backup has them."""
    for backup in backups(paths.backups):
        if backup.path == file and backup.state.exists():
            return backup.state
    return None


def _fill(live: Path, file: Path, *, now: dt.datetime, tick: Tick) -> None:
    """Write a backup into the file that programs have open, or anew where there is none."""
    if not live.exists():
        _replace(live, file, now=now, tick=tick)
        return
    try:
        with told(live), snapshot(file) as reader, closing(connect(live, query_only=False)) as into:
            sizes = {c.execute("PRAGMA page_size").fetchone() for c in (reader, into)}
            if len(sizes) > 1 and into.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise RestoreRefusedError(
                    f"{file} has pages of another size than {live}; move {live} aside, then restore"
                )
            pour(reader, into, tick)
    except DamagedError:
        _replace(live, file, now=now, tick=tick)


def _replace(live: Path, file: Path, *, now: dt.datetime, tick: Tick) -> Path | None:
    """Put a copy in the place of a damaged file, which is kept under a dated name."""
    fresh = live.with_name(f".{live.name}.restoring")
    fresh.unlink(missing_ok=True)
    copy_verified(file, fresh, tick=tick)
    with closing(connect(fresh, query_only=False)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # as claude-mem has it
    try:
        aside = _set_aside(live, now)
        fresh.replace(live)
    except OSError as exc:
        raise BackupError(f"{exc}; stop the programs that use {live}, then try again") from exc
    return aside


def _set_aside(live: Path, now: dt.datetime) -> Path | None:
    """Give a damaged file another name besides its own; its log must not meet another file."""
    if not live.exists():
        return None
    aside = live.with_name(f"{live.name}.damaged-{now.astimezone(dt.UTC):{STAMP}}")
    number = 1
    while aside.exists():
        number += 1
        aside = aside.with_name(f"{aside.name.partition('-n')[0]}-n{number}")
    for suffix in ("-wal", "-shm"):
        beside = Path(f"{live}{suffix}")
        if beside.exists():
            beside.replace(f"{aside}{suffix}")
    try:
        aside.hardlink_to(live)  # so that a database is in its place at every moment
    except OSError:  # a disk without such links
        live.replace(aside)
    return aside


def _verified(live: Path, wanted: Contents) -> Contents:
    """Return what is there now; others may have added to it already."""
    found = contents(live)
    pairs = (
        (found.observations, wanted.observations),
        (found.sessions, wanted.sessions),
        (found.prompts, wanted.prompts),
    )
    if any(there < meant for there, meant in pairs):
        raise BackupError(f"{live} has not all rows of the backup; restore it again")
    return found
