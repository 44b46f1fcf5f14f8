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
    try:
        raw = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as exc:
        log.warning("cannot read %s (%s): the defaults are used", path, exc)
        return Settings()
    if not isinstance(raw, dict):
        log.warning("%s must hold one JSON object: the defaults are used", path)
        return Settings()
    try:
        return Settings.model_validate(raw)
    except ValidationError as exc:
        bad = {str(error["loc"][0]) for error in exc.errors()}
        log.warning("%s: bad value for %s: the default is used", path, ", ".join(sorted(bad)))
        return Settings.model_validate({k: v for k, v in raw.items() if k not in bad})
