"""What a process has open, and what another makes of the same folder."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def open_files(folder: Path) -> list[str]:
    found = []
    for number in Path("/proc/self/fd").iterdir():
        try:
            found.append(str(number.readlink()))
        except FileNotFoundError:
            continue  # the one that listed the folder
    return [name for name in found if name.startswith(str(folder))]


def child(code: str, *arguments: Path, cwd: Path = ROOT, **environ: str) -> int:
    """Run code in a process of its own and return its exit status, negative for a signal."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environ,
        timeout=60,
        check=False,
    )
    return done.returncode
