"""What state.db was before an upgrade changed it: verified copies beside it, the newest kept."""

from collections.abc import Iterator
from pathlib import Path

from worker.backup.copying import copy_verified

KEPT = 2


def keep(path: Path, version: int) -> None:
    """Copy a file of an older version, as `state.db.version-3`; raise BackupError.

    A copy that an upgrade made which came to no end is replaced, so that there are never more.
    """
    copy = path.with_name(f"{path.name}.version-{version}")
    copy.unlink(missing_ok=True)
    copy_verified(path, copy)
    others = [other for other in _copies(path) if other != copy]
    newest_first = sorted(others, key=lambda other: other.stat().st_mtime_ns, reverse=True)
    for old in newest_first[KEPT - 1 :]:
        old.unlink()


def forget(path: Path) -> None:
    """Delete all copies, as what is to be found nowhere may be in them; raise OSError."""
    for copy in _copies(path):
        copy.unlink(missing_ok=True)


def _copies(path: Path) -> Iterator[Path]:
    return path.parent.glob(f"{path.name}.version-*")
