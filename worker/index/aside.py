"""How a damaged index is kept for a look at it, without filling the disk."""

import logging
import re
import shutil
from pathlib import Path

log = logging.getLogger(__name__)


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
