"""The one settings file that all three processes read, quickly: a start waits for it."""

import json
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

DEFAULT_PORT = 37777


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may change; every field has a default that works."""

    port: int = DEFAULT_PORT
    require_token: bool = False
    important_tool_name: str = "__IMPORTANT"
    semantic: bool = True
    chroma_server: str | None = None
    log_level: str = "INFO"


_FIT: Mapping[str, Callable[[object], bool]] = {
    "port": lambda value: type(value) is int and 1 <= value <= 65_535,
    "require_token": lambda value: isinstance(value, bool),
    "important_tool_name": lambda value: _matches(r"[A-Za-z0-9_-]{1,64}", value),
    "semantic": lambda value: isinstance(value, bool),
    "chroma_server": lambda value: value is None or _matches(r"https?://[^/\s]+", value),
    "log_level": lambda value: _matches("DEBUG|INFO|WARNING|ERROR", value),
}


def load_settings(path: Path) -> Settings:
    """Read the settings; a missing file gives the defaults, a broken one too, with a warning."""
    settings, problem = read_settings(path)
    if problem:
        log.warning("%s", problem)
    return settings


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


def _matches(pattern: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None
