"""Backups as the API and the command line speak of them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from worker.backup.contents import Contents, contents
from worker.backup.copying import BackupError, Tick, copy_verified, quietly
from worker.backup.folder import KEPT, Backup, Kind, backups, make
from worker.backup.restoring import choose, examine, restore
from worker.shared.errors import BadRequestError
from worker.shared.paths import Paths
from worker.shared.upkeep import BackupReply, BackupsReply, MemoriesIn, RestoreReply


class Backups:
    """All that can be done with the backups of one data folder, with the worker or without."""

    def __init__(self, paths: Paths, *, tick: Tick = quietly) -> None:
        self._paths = paths
        self._tick = tick

    def list(self) -> BackupsReply:
        """Return what there is, newest first, each counted."""
        found = [_described(backup) for backup in backups(self._paths.backups)]
        kept = {str(kind): number for kind, number in KEPT.items()}
        return BackupsReply(folder=str(self._paths.backups), backups=found, kept=kept)

    def make(self) -> BackupReply:
        """Make one that is kept until somebody deletes it."""
        return _described(make(self._paths, Kind.MANUAL, now=_now(), tick=self._tick))

    def names(self) -> Sequence[str]:
        """Return the name of each, newest first."""
        return [backup.path.name for backup in backups(self._paths.backups)]

    def drop(self, name: str) -> None:
        """Delete one; raise BadRequestError where there is none of this name, or OSError."""
        for backup in backups(self._paths.backups):
            if backup.path.name == name:
                backup.path.unlink(missing_ok=True)
                backup.state.unlink(missing_ok=True)
                return
        raise BadRequestError(f"name: there is no backup {name!r}", field="name")

    def make_at(self, file: Path) -> BackupReply:
        """Write the memories into a new file anywhere."""
        copy_verified(self._paths.database, file, tick=self._tick)
        return BackupReply(
            name=file.name,
            path=str(file),
            kind=Kind.MANUAL,
            made=_now().astimezone().isoformat(timespec="seconds"),
            bytes=file.stat().st_size,
            memories=_memories(contents(file)),
        )

    def restore_named(self, name: str) -> RestoreReply:
        """Restore one of those that `list` names, or `newest`."""
        file = choose(self._paths, name)
        if file.parent != self._paths.backups:
            raise BadRequestError(f"name: there is no backup {name!r}", field="name")
        return self.restore(file)

    def examine(self, wanted: str) -> tuple[Path, MemoriesIn]:
        """Return the file that is meant and what it would bring; raise where it is refused."""
        file = choose(self._paths, wanted)
        return file, _memories(examine(self._paths, file))

    def present(self) -> MemoriesIn | str:
        """Return what the database holds now, or why that cannot be told."""
        if not self._paths.database.exists():
            return "there is no database"
        try:
            return _memories(contents(self._paths.database))
        except BackupError as exc:
            return exc.detail

    def restore(self, file: Path) -> RestoreReply:
        """Put a file in the place of the memories."""
        done = restore(self._paths, file, now=_now(), tick=self._tick)
        return RestoreReply(
            restored=str(file),
            memories=_memories(done.now),
            kept=str(done.kept) if done.kept else None,
        )


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _described(backup: Backup) -> BackupReply:
    memories: MemoriesIn | None = None
    problem = ""
    try:
        memories = _memories(contents(backup.path))
    except BackupError as exc:
        problem = exc.detail
    return BackupReply(
        name=backup.path.name,
        path=str(backup.path),
        kind=backup.kind,
        made=backup.made.astimezone().isoformat(timespec="seconds"),
        bytes=backup.path.stat().st_size,
        memories=memories,
        problem=problem,
    )


def _memories(found: Contents) -> MemoriesIn:
    return MemoriesIn.model_validate(asdict(found))
