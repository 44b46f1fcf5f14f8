"""What may be opened of the files that a memory names: never anything that the system would run."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath

# Files that every system opens in an editor or a viewer. Scripts are not among them: on Windows
# opening a .py or a .js runs it.
_READABLE = (
    *(".c", ".cc", ".cpp", ".css", ".go", ".h", ".hpp", ".java", ".kt", ".less", ".proto", ".rs"),
    *(".scss", ".sql", ".swift", ".ts", ".tsx"),
    *(".cfg", ".conf", ".csv", ".ini", ".json", ".lock", ".log", ".toml", ".xml", ".yaml", ".yml"),
    *(".jpeg", ".jpg", ".md", ".pdf", ".png", ".rst", ".txt"),
)


@dataclass(frozen=True, slots=True)
class Opening:
    """What to open: the file itself, or the folder that it lies in."""

    path: Path
    is_file: bool


def opening_of(named: str, *, home: Path, platform: str = sys.platform) -> Opening | None:
    """Return what a click on a file opens; None where it is not on this machine.

    It looks at the disk. A relative path is None: nobody has kept which folder it began in; and so
    is a path to another machine, which would be asked as soon as one looked.
    """
    if named.startswith(("\\\\", "//")) or "\0" in named:
        return None
    path = home / named[2:] if named.startswith(("~/", "~\\")) else Path(named)
    try:
        if not path.is_absolute() or not path.exists():
            return None
        if path.is_file() and _is_readable(path, platform):
            return Opening(path, is_file=True)
    except (OSError, ValueError):
        return None
    folder = path if path.is_dir() else path.parent
    return Opening(_outside_bundles(folder, platform), is_file=False)


def _is_readable(path: Path, platform: str) -> bool:
    runs = platform != "win32" and os.access(path, os.X_OK)
    return path.suffix.lower() in _READABLE and not runs


def _outside_bundles(folder: Path, platform: str) -> Path:
    """Return a folder that opens as one: to macOS `Some.app` is a program."""
    if platform != "darwin":
        return folder
    return next((f for f in (folder, *folder.parents) if not _in_bundle(f)), Path("/"))


def _in_bundle(folder: PurePath) -> bool:
    return any(PurePath(part).suffix for part in folder.parts)
