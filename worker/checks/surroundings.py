"""What is around the worker: folders, room on the disk, rights, settings."""

import logging
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from worker.checks.report import degraded, ok
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport
from worker.shared.settings import read_settings

ROOM = 100 * 2**20  # bytes free, below which it is time to say so
_OTHERS = stat.S_IRWXG | stat.S_IRWXO

log = logging.getLogger(__name__)


def check_paths(paths: Paths, *, platform: str = sys.platform) -> PartReport:
    """Look whether our folders can be written, hold room, and are the user's alone."""
    if trouble := unwritable(paths):
        remedy = "Check who owns it and its rights, or choose another folder with --data-dir."
        return degraded("paths", trouble, remedy)
    if not paths.own.exists():
        return ok("paths", f"{paths.own} is not there yet; the first start makes it.")
    free = shutil.disk_usage(paths.own).free
    if free < ROOM:
        return degraded(
            "paths",
            f"Only {free // 2**20} MB are free on the disk of {paths.own}.",
            "Make room on that disk.",
        )
    open_to_others = next(_open_to_others(paths, platform), None)
    if open_to_others:
        return degraded(
            "paths",
            f"Other users may read {open_to_others}.",
            "Make all of it yours alone: memtray-worker doctor --repair",
        )
    return ok("paths", f"{free / 2**30:,.1f} GB are free on the disk of {paths.own}.")


def unwritable(paths: Paths) -> str:
    """Return which of our folders cannot be written or made, and why; "" for none."""
    if not paths.own.exists():
        there = next(folder for folder in paths.own.parents if folder.exists())
        return "" if os.access(there, os.W_OK) else f"{paths.own} cannot be made in {there}."
    for folder in (paths.own, paths.index, paths.logs):
        if folder.exists() and (trouble := _trouble(folder)):
            return f"{folder} cannot be written: {trouble}."
    return ""


def mend_folder(paths: Paths, *, platform: str = sys.platform) -> Iterator[str]:
    """Make the folders that are missing and take other users' rights away; yield what was done."""
    try:
        paths.create()
        found = list(_open_to_others(paths, platform))
        for path in found:
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)
    except OSError as exc:
        yield f"Nothing could be changed: {exc}."
        return
    if found:
        yield f"{len(found)} files and folders are now yours alone."


def check_settings(path: Path) -> PartReport:
    """Say which settings cannot be used, in the words of who reads them."""
    _, problem = read_settings(path)
    if not problem:
        return ok("settings")
    return degraded("settings", problem, "Correct it, then: memtray-worker restart")


def _trouble(folder: Path) -> str:
    """Return why nothing can be made in a folder; rights alone do not tell on every system."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as exc:
        return exc.strerror or str(exc)


def _open_to_others(paths: Paths, platform: str) -> Iterator[Path]:
    """Yield what other users may read or write; on Windows the user's profile keeps them out.

    The settings are left out: no secret is in them, and editors give files the usual rights.
    """
    if platform == "win32":
        return
    for path in (paths.own, *paths.own.rglob("*")):
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            continue  # gone meanwhile
        if mode & _OTHERS and not stat.S_ISLNK(mode) and path != paths.settings:
            yield path
