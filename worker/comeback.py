"""Apps that an upgrade ends, written down so that each is started again as it was."""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from worker.shared.frozen import clean_environ
from worker.shared.installation import APP, Installation, Running, folder_of
from worker.shared.launch import spawn
from worker.shared.paths import write_private

_ONLY_ASKS = {"--status", "--quit", "--self-test", "--version"}


@dataclass(frozen=True, slots=True)
class Ran:
    """An app that ran: of whom, on which folder, and its surroundings, such as its screen."""

    environ: dict[str, str]
    data_dir: str | None = None
    uid: int | None = None  # of another user, who is meant where an administrator upgrades


def remember(running: Iterable[Running], file: Path) -> None:
    """Write down which of these are apps."""
    apps = [asdict(ran) for each in running for ran in _ran(each)]
    write_private(file, json.dumps(apps))


def start_again(installation: Installation, file: Path) -> list[str]:
    """Start the apps of a file, which is gone afterwards; return why any could not be started."""
    try:
        apps = [_read(each) for each in json.loads(file.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    file.unlink()
    troubles = []
    for ran in apps:
        try:
            _start(installation, ran)
        except (OSError, LookupError) as exc:
            troubles.append(f"The app could not be started again: {exc}")
    return troubles


def _ran(running: Running) -> Iterator[Ran]:
    if running.program != APP or _ONLY_ASKS & set(running.words):
        return
    process = running.process
    with suppress(psutil.Error, OSError):  # it has just ended, or is another user's
        environ = dict(clean_environ(process.environ()))
        yield Ran(environ, folder_of(running), _other_user(process))


def _other_user(process: psutil.Process) -> int | None:
    if not hasattr(os, "getuid") or process.uids().real == os.getuid():
        return None
    return process.uids().real


def _read(noted: dict[str, Any]) -> Ran:
    """Read what the former version has written."""
    return Ran(dict(noted["environ"]), noted.get("data_dir"), noted.get("uid"))


def _start(installation: Installation, ran: Ran) -> None:
    folder = ["--data-dir", ran.data_dir] if ran.data_dir else []
    command = [str(installation.path(APP)), "--background", *folder]
    spawn(command, environ=ran.environ, user=_as_user(ran.uid))


def _as_user(uid: int | None) -> dict[str, Any]:
    """Return the Popen arguments by which a child has all rights of a user and no more."""
    if uid is None:
        return {}
    import pwd

    user = pwd.getpwuid(uid)
    groups = os.getgrouplist(user.pw_name, user.pw_gid)
    return {"user": uid, "group": user.pw_gid, "extra_groups": groups}
