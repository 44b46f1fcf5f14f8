"""The one settings file that all three processes read."""

import json
import logging
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

log = logging.getLogger(__name__)

DEFAULT_PORT = 37777


class Settings(BaseModel):
    """What a user may change; every field has a default that works."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    port: int = Field(DEFAULT_PORT, ge=1, le=65535)
    require_token: bool = False
    important_tool_name: str = Field("__IMPORTANT", pattern=r"^[A-Za-z0-9_-]{1,64}$")
    semantic: bool = True
    chroma_server: str | None = Field(None, pattern=r"^https?://[^/\s]+$")
    log_level: str = Field("INFO", pattern=r"^(DEBUG|INFO|WARNING|ERROR)$")


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
    except (OSError, ValueError) as exc:
        return Settings(), f"cannot read {path} ({exc}): the defaults are used"
    if not isinstance(raw, dict):
        return Settings(), f"{path} must hold one JSON object: the defaults are used"
    try:
        return Settings.model_validate(raw), ""
    except ValidationError as exc:
        bad = {str(error["loc"][0]) for error in exc.errors()}
        usable = Settings.model_validate({k: v for k, v in raw.items() if k not in bad})
        names = ", ".join(sorted(bad))
        return usable, f"{path}: bad value for {names}: the default is used"
