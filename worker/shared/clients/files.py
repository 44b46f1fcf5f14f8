"""Config files of other programs: read, backed up and replaced in one step, or left as they are."""

import contextlib
import datetime as dt
import os
import re
import stat
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from worker.shared.clients.json_text import BrokenJsonError
from worker.shared.errors import MemtrayError
from worker.shared.paths import once_read

KEPT_BACKUPS = 5  # of each file

_UTF8_BOM, _UTF16_BOMS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")


class ConfigError(MemtrayError):
    """A config file cannot be changed; it is as it was."""

    title = "The config file was not changed"
    code = "config_unchanged"
    status = 409


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file as it was read: None where there is none."""

    path: Path
    content: bytes | None

    @property
    def target(self) -> Path:
        """The file itself, where `path` is a link to it."""
        return self.path.resolve()


def read(path: Path) -> ConfigFile:
    """Return the file as it is now; raise ConfigError where it cannot be read."""
    try:
        return ConfigFile(path, path.read_bytes())
    except FileNotFoundError:
        return ConfigFile(path, None)
    except OSError as exc:
        raise ConfigError(f"{exc}; check who owns it") from exc


def text_of(file: ConfigFile) -> tuple[str, str]:
    """Return the text, and what is to be said about how it was written, if anything.

    Raises BrokenJsonError, with the line, for what is neither UTF-8 nor marked as UTF-16.
    """
    content = file.content or b""
    try:
        if content.startswith(_UTF16_BOMS):
            note = "It was UTF-16, which Claude cannot read; now it is UTF-8."
            return content.decode("utf-16"), note
        if content.startswith(_UTF8_BOM):
            note = "It began with a byte order mark, which Claude cannot read; that is gone."
            return content.decode("utf-8-sig"), note
        text = content.decode("utf-8")
    except UnicodeDecodeError as exc:
        line = content.count(b"\n", 0, exc.start) + 1
        raise BrokenJsonError(f"line {line}: it is no UTF-8; save it as UTF-8") from exc
    if "\0" in text:
        raise BrokenJsonError("it holds zero bytes, as UTF-16 does; save it as UTF-8")
    return text, ""


def replace(file: ConfigFile, content: bytes) -> Path | None:
    """Write new content in one step and read it back; return the backup of the old, if any.

    Raises ConfigError where that is refused, also if the file is not as it was read.
    """
    _require_writable(file)
    backup = _back_up(file)
    target = file.target
    scratch = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        _write(scratch, content, mode=_mode(target))
        _require_unchanged(file)
        once_read(partial(scratch.replace, target))
    except (OSError, ConfigError) as exc:
        if backup:
            backup.unlink(missing_ok=True)
        if isinstance(exc, ConfigError):
            raise
        raise ConfigError(f"{exc}; {file.path} is as it was") from exc
    finally:
        with contextlib.suppress(OSError):
            scratch.unlink(missing_ok=True)
    if read(file.path).content != content:
        raise ConfigError(f"{file.path} was changed again at once; what was there is in {backup}")
    _forget_old(file.path)
    return backup


def backups(path: Path) -> list[Path]:
    """Return the backups of a config file, the newest first."""
    named = re.compile(re.escape(path.name) + r"\.memtray-(\d+)-\d{8}T\d{6}Z")
    found = {each: m for each in path.parent.iterdir() if (m := named.fullmatch(each.name))}
    return sorted(found, key=lambda each: int(found[each][1]), reverse=True)


def undo(path: Path, backup: Path) -> Path | None:
    """Put a backup back; what it replaces becomes a backup in its turn, which is returned."""
    try:
        content = backup.read_bytes()
    except OSError as exc:
        raise ConfigError(f"{exc}; {path} is as it was") from exc
    return replace(read(path), content)


def _require_writable(file: ConfigFile) -> None:
    target = file.target
    if not target.parent.is_dir():
        raise ConfigError(f"there is no folder {target.parent}; start that program once")
    if file.content is None:
        return
    if not target.stat().st_mode & stat.S_IWUSR or not os.access(target, os.W_OK):
        raise ConfigError(f"{target} is write-protected; take that away if you want it changed")


def _require_unchanged(file: ConfigFile) -> None:
    if read(file.path).content != file.content:
        raise ConfigError(
            f"{file.path} was changed by another program at this moment; quit Claude, try again"
        )


def _back_up(file: ConfigFile) -> Path | None:
    """Copy what is there to a name of its own; numbers order them, since clocks are set back."""
    if file.content is None:
        return None
    known = backups(file.path)
    number = int(known[0].name.rsplit("-", 2)[1]) + 1 if known else 1
    stamp = dt.datetime.now(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
    backup = file.path.with_name(f"{file.path.name}.memtray-{number:04}-{stamp}")
    try:
        _write(backup, file.content, mode=0o600)
    except OSError as exc:
        with contextlib.suppress(OSError):
            backup.unlink(missing_ok=True)
        raise ConfigError(f"{exc}; {file.path} is as it was") from exc
    return backup


def _forget_old(path: Path) -> None:
    for old in backups(path)[KEPT_BACKUPS:]:
        old.unlink(missing_ok=True)


def _mode(target: Path) -> int:
    return stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600


def _write(path: Path, content: bytes, *, mode: int) -> None:
    descriptor = os.open(
        path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600
    )
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    path.chmod(mode)
