"""Which notices a person gets: few kinds, each can be off, and none twice in ten minutes."""

from collections import deque
from dataclasses import dataclass
from enum import StrEnum

from worker.shared.settings import Settings

KEPT = 200
QUIET_SECONDS = 600.0  # in which the same text does not come again


class Kind(StrEnum):
    """All that may interrupt a person."""

    ERROR = "error"
    GAVE_UP = "gave up"
    IMPORT_DONE = "import done"
    CLIENT_VANISHED = "client vanished"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that a person should know."""

    kind: Kind
    title: str
    text: str
    at: float  # seconds since the epoch


def wanted(kind: Kind, settings: Settings) -> bool:
    """Say whether the user wants to be interrupted by this kind."""
    return {
        Kind.ERROR: settings.notify_errors,
        Kind.GAVE_UP: settings.notify_gave_up,
        Kind.IMPORT_DONE: settings.notify_imports,
        Kind.CLIENT_VANISHED: settings.notify_clients,
    }[kind]


class Notices:
    """The notices of this run, newest first."""

    def __init__(self) -> None:
        self._kept: deque[Notice] = deque(maxlen=KEPT)

    @property
    def kept(self) -> tuple[Notice, ...]:
        """All that were taken, also those that interrupted nobody."""
        return tuple(self._kept)

    def take(self, notice: Notice) -> bool:
        """Keep a notice; False for one whose text came within the last ten minutes."""
        recent = (old for old in self._kept if abs(notice.at - old.at) < QUIET_SECONDS)
        if any((old.kind, old.title, old.text) == _content(notice) for old in recent):
            return False
        self._kept.appendleft(notice)
        return True

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()


def _content(notice: Notice) -> tuple[Kind, str, str]:
    return notice.kind, notice.title, notice.text
