"""What counts as damage, and how a damaged index is kept for a look without filling the disk."""

import logging
import re
import shutil
import sqlite3
from pathlib import Path

log = logging.getLogger(__name__)

# with these the file may well be whole: it is its surroundings that fail
_SURROUNDINGS = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_IOERR,
}


def set_aside(path: Path) -> Path | None:
    """Rename `chroma` to `chroma.bad-<n>` (`vectors.db` to `vectors.bad-<n>.db`).

    Older ones are deleted. Returns the new path, None where there was nothing to rename.
    """
    if not path.exists():
        return None
    pattern = re.compile(rf"{re.escape(path.stem)}\.bad-(\d+){re.escape(path.suffix)}")
    older = {
        int(match[1]): other
        for other in path.parent.iterdir()
        if (match := pattern.fullmatch(other.name))
    }
    target = path.with_name(f"{path.stem}.bad-{max(older, default=0) + 1}{path.suffix}")
    path.rename(target)
    log.warning("%s is damaged; it was set aside as %s", path, target.name)
    for other in older.values():
        if other.is_dir():
            shutil.rmtree(other, ignore_errors=True)
        else:
            other.unlink(missing_ok=True)
    return target


def is_damage(exc: Exception) -> bool:
    """Say whether an error of SQLite speaks of the file itself, not of what is around it."""
    code = getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code == sqlite3.SQLITE_IOERR_SHORT_READ or code & 0xFF not in _SURROUNDINGS
