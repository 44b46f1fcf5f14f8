"""What Claude Code has kept on this machine: counted without opening a file."""

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.background import Background
from worker.shared.clients.entry import System

_THREAD = "transcripts"


@dataclass(frozen=True, slots=True)
class Found:
    """How much lies in the folder of transcripts."""

    folder: Path
    sessions: int = 0
    bytes: int = 0


def transcripts_folder(system: System) -> Path:
    """Return where Claude Code keeps what was said in each session."""
    chosen = system.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(chosen) if chosen else system.home / ".claude") / "projects"


def find(folder: Path) -> Found:
    """Count sessions and the bytes of all transcripts; none where there is no folder."""
    sessions = size = 0
    for place, _, names in os.walk(folder):
        transcripts = [name for name in names if name.endswith(".jsonl")]
        size += sum(_size(Path(place, name)) for name in transcripts)
        sessions += sum(not name.startswith("agent-") for name in transcripts)
    return Found(folder, sessions, size)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # removed meanwhile
        return 0


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
