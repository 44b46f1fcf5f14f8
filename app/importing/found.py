"""What Claude Code has kept on this machine: counted without opening a file."""

import json
import math
import os
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background import Background
from worker.shared.clients.entry import System

KEPT_DAYS = 30  # by Claude Code, unless its settings say otherwise
_DAY = 86_400
_THREAD = "transcripts"


@dataclass(frozen=True, slots=True)
class Found:
    """How much lies in the folder of transcripts."""

    folder: Path
    sessions: int = 0
    bytes: int = 0
    days_left: int | None = None  # until Claude Code deletes the oldest; None where there is none


def transcripts_folder(system: System) -> Path:
    """Return where Claude Code keeps what was said in each session."""
    chosen = system.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(chosen) if chosen else system.home / ".claude") / "projects"


def find(folder: Path) -> Found:
    """Count sessions and the bytes of all transcripts; none where there is no folder."""
    sessions = size = 0
    oldest = math.inf
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".jsonl") and (status := _status(Path(place, name))):
                size += status.st_size
                if not name.startswith("agent-"):
                    sessions += 1
                    oldest = min(oldest, status.st_mtime)
    left = kept_days(folder) - (time.time() - oldest) / _DAY
    return Found(folder, sessions, size, max(0, math.ceil(left)) if sessions else None)


def kept_days(folder: Path) -> int:
    """Return how long Claude Code keeps a transcript after its last line."""
    try:
        settings = json.loads((folder.parent / "settings.json").read_bytes())
    except (OSError, ValueError):
        return KEPT_DAYS
    days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
    return days if isinstance(days, int) and days >= 0 else KEPT_DAYS


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat()
    except OSError:  # removed meanwhile
        return None


class Sources(QObject):
    """Knows for the whole app what is found, and counts anew when asked to."""

    changed = Signal(object)  # Found

    def __init__(self, background: Background, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._counting = False
        self.found = Found(folder)

    def look(self) -> None:
        """Count, unless that is being done; `changed` tells what came of it."""
        if not self._counting:
            self._counting = True
            job = self._background.run(_THREAD, partial(find, self.found.folder))
            job.done.connect(self._counted)
            job.failed.connect(self._not_counted)

    def _counted(self, found: Found) -> None:
        self._counting = False
        if found != self.found:
            self.found = found
            self.changed.emit(found)

    def _not_counted(self) -> None:
        self._counting = False
