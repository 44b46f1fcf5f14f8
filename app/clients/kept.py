"""What is remembered of each client: whether it had our entry, and how to take a change back."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from worker.shared.paths import Paths, write_private


class Kept(BaseModel):
    """One client; what is not known is empty."""

    model_config = ConfigDict(frozen=True)

    connected: bool = False  # it had our entry when it was looked at last
    missing: bool = False  # it had, and lost it without us
    since: int = 0  # when we connected it, in milliseconds
    path: str = ""  # the file that we changed last
    backup: str = ""  # what was in it before; none if there was no file
    left: str = ""  # the fingerprint of what we wrote; empty: nothing to undo


_ALL: TypeAdapter[dict[str, Kept]] = TypeAdapter(dict[str, Kept])


def file_of(paths: Paths) -> Path:
    """Return where it is remembered."""
    return paths.own / "clients.json"


def load(path: Path) -> dict[str, Kept]:
    """Return what is remembered, by client; nothing where the file is absent or unusable."""
    try:
        return _ALL.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return {}


def save(path: Path, kept: Mapping[str, Kept]) -> None:
    """Remember it; raise OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({name: each.model_dump() for name, each in kept.items()}, indent=2)
    write_private(path, text + "\n")


def fingerprint(content: bytes | None) -> str:
    """Return by what a content is known again; never empty."""
    return "absent" if content is None else hashlib.sha256(content).hexdigest()
