"""The one settings file that all three processes read, quickly: a start waits for it."""

import itertools
import json
import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from worker.shared.paths import write_private

log = logging.getLogger(__name__)

DEFAULT_PORT = 37777

_LOCK_SECONDS = 2.0
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may change; every field has a default that works."""

    port: int = DEFAULT_PORT
    require_token: bool = False
    important_tool_name: str = "__IMPORTANT"
    semantic: bool = True
    chroma_server: str | None = None
    log_level: str = "INFO"
    record_recalls: bool = True  # what MCP clients asked and got
    watch_transcripts: bool = False  # take in what Claude Code writes
    # of the app alone
    language: str = "auto"
    theme: str = "auto"
    start_worker: bool = True  # when the app starts
    keep_queries: bool = True  # recent ones; off: none is on the disk
    notify_errors: bool = True
    notify_gave_up: bool = True
    notify_imports: bool = True
    notify_clients: bool = True
    welcomed: bool = False  # the first run is over


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


_FIT: Mapping[str, Callable[[object], bool]] = {
    "port": lambda value: type(value) is int and 1 <= value <= 65_535,
    "require_token": _is_bool,
    "important_tool_name": lambda value: _matches(r"[A-Za-z0-9_-]{1,64}", value),
    "semantic": _is_bool,
    "chroma_server": lambda value: value is None or _matches(r"https?://[^/\s]+", value),
    "log_level": lambda value: _matches("DEBUG|INFO|WARNING|ERROR", value),
    "record_recalls": _is_bool,
    "watch_transcripts": _is_bool,
    "language": lambda value: _matches("auto|[a-z]{2}(_[A-Z]{2})?", value),
    "theme": lambda value: _matches("auto|light|dark", value),
    "start_worker": _is_bool,
    "keep_queries": _is_bool,
    "notify_errors": _is_bool,
    "notify_gave_up": _is_bool,
    "notify_imports": _is_bool,
    "notify_clients": _is_bool,
    "welcomed": _is_bool,
}


def load_settings(path: Path) -> Settings:
    """Read the settings; a missing file gives the defaults, a broken one too, with a warning."""
    settings, problem = read_settings(path)
    if problem:
        _warn_once(problem)
    return settings


@cache
def _warn_once(problem: str) -> None:
    log.warning("%s", problem)


def read_settings(path: Path) -> tuple[Settings, str]:
    """Return the settings, and what is wrong with the file; "" for nothing."""
    try:
        raw = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Settings(), ""
    except (OSError, ValueError, RecursionError) as exc:
        return Settings(), f"cannot read {path} ({exc}): the defaults are used"
    if not isinstance(raw, dict):
        return Settings(), f"{path} must hold one JSON object: the defaults are used"
    known = {name: value for name, value in raw.items() if name in _FIT}
    bad = sorted(name for name, value in known.items() if not _FIT[name](value))
    usable = Settings(**{name: value for name, value in known.items() if name not in bad})
    problem = f"{path}: bad value for {', '.join(bad)}: the default is used" if bad else ""
    return usable, problem


def save_settings(path: Path, changes: Mapping[str, object]) -> Path | None:
    """Change some settings in one step and keep every other key, also those not known here.

    A file that cannot be understood is set aside first, and its new place returned. Raises
    ValueError, naming it, for a value that does not fit, and OSError saying what to do.
    """
    bad = sorted(name for name, value in changes.items() if not fits(name, value))
    if bad:
        raise ValueError(f"bad value for {', '.join(bad)}")
    try:
        target = path.resolve()  # a link stays one
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(target):
            return _save(target, changes)
    except (OSError, RuntimeError) as exc:  # RuntimeError: a link to itself
        why = getattr(exc, "strerror", None) or exc
        raise OSError(
            f"{path} cannot be saved ({why}): check who owns it and its folder, and that the disk "
            "is not full"
        ) from exc


def fits(name: str, value: object) -> bool:
    """Say whether there is such a setting and it may have this value."""
    return name in _FIT and _FIT[name](value)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Let no other program change the file meanwhile: one of the changes would be lost."""
    from filelock import FileLock, Timeout  # who only reads need not load it

    try:
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=_LOCK_SECONDS, mode=0o600):
            yield
    except Timeout:
        raise OSError("another program is changing it") from None


def _save(path: Path, changes: Mapping[str, object]) -> Path | None:
    raw, broken = _stored(path)
    aside = _free_name(path) if broken else None
    if aside:
        write_private(aside, broken)
    values = raw | dict(changes)
    text = json.dumps(values, indent=2, ensure_ascii=False)
    if _HALF.search(text):  # half a character, which only an escape can spell
        text = json.dumps(values, indent=2)
    write_private(path, text + "\n")
    return aside


def _stored(path: Path) -> tuple[dict[str, object], bytes]:
    """Return what the file holds; where that is no object, an empty one and the bytes."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return {}, b""
    try:
        raw = json.loads(content)
    except (ValueError, RecursionError):
        return {}, content
    return (raw, b"") if isinstance(raw, dict) else ({}, content)


def _free_name(path: Path) -> Path:
    base = f"{path.name}.broken-{time.strftime('%Y%m%d-%H%M%S')}"
    names = itertools.chain([base], (f"{base}-{number}" for number in itertools.count(2)))
    return next(free for name in names if not (free := path.with_name(name)).exists())


def _matches(pattern: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None
