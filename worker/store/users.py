"""Which programs use a file: what a person asks first when it is locked."""

import os
import sys
from pathlib import Path

import psutil

NAMED = 3


def users_of(path: Path, *, platform: str = sys.platform) -> str:
    """Return the other programs that have a file open, as text; "" where that cannot be told."""
    if platform == "win32":
        return ""  # asking each process for its files may take minutes, or never end
    wanted = str(path.resolve())
    found = [
        f"{process.info['name']} (pid {process.pid})"
        for process in psutil.process_iter(["name", "open_files"])
        if process.pid != os.getpid()
        and any(file.path == wanted for file in process.info["open_files"] or ())
    ]
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(found[:NAMED]) + more
