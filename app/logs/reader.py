"""What the log window has read, kept in the one thread that reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.logs.selection import ExpressionError, Selection
from worker.shared.log_lines import Entry, LogFiles

FIRST = 10_000  # entries at the start, and as many more each time
MOST = 30_000  # entries that are kept; the older ones are in the files


@dataclass(frozen=True, slots=True)
class Page:
    """What one reading has brought."""

    entries: tuple[Entry, ...]  # that are selected
    anew: bool  # all there are, else only those that have been added
    total: int  # that were read, selected or not
    has_older: bool  # which can be asked for
    is_whole: bool  # nothing is older
    components: tuple[str, ...]
    unread: tuple[str, ...] = ()
    problem: str = ""  # of the expression


class Reader:
    """Reads and selects; may block, and is used by one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._files = LogFiles(folder)
        self._entries: list[Entry] = []
        self._selection = Selection()
        self._count = FIRST
        self._has_older, self._is_whole = False, True
        self._problem = ""
        self._components: set[str] = set()

    def begin(self) -> Page:
        """Read the newest entries."""
        self._entries = self._files.newest(self._count)
        self._is_whole = self._files.is_whole
        self._components = _components(self._entries)
        self._has_older = not self._is_whole and self._count <= len(self._entries) < MOST
        return self._page(self._selected(self._entries), anew=True)

    def older(self) -> Page:
        """Read more of those before, at most MOST in all."""
        self._count = min(self._count + FIRST, MOST)
        return self.begin()

    def more(self) -> Page:
        """Read what has been written since."""
        added = self._files.more()
        self._entries += added
        self._components |= _components(added)
        if len(self._entries) > MOST:
            self._entries, self._is_whole = self._entries[-MOST:], False
        return self._page(self._selected(added), anew=False)

    def select(self, selection: Selection) -> Page:
        """Select others of what has been read; with a bad expression all stays as it was."""
        try:
            selected = selection.of(self._entries)
        except ExpressionError as exc:
            self._problem = str(exc)
            return self._page((), anew=False)
        self._selection, self._problem = selection, ""
        return self._page(selected, anew=True)

    def clear(self) -> Page:
        """Forget what has been read; the files stay as they are."""
        self._entries, self._has_older, self._count = [], True, 0
        return self._page((), anew=True)

    def _selected(self, entries: list[Entry]) -> list[Entry]:
        try:
            return self._selection.of(entries)
        except ExpressionError as exc:
            self._problem = str(exc)
            return []

    def _page(self, selected: Iterable[Entry], *, anew: bool) -> Page:
        return Page(
            tuple(selected),
            anew,
            len(self._entries),
            self._has_older,
            self._is_whole,
            tuple(sorted(self._components)),
            self._files.unread,
            self._problem,
        )


def _components(entries: Iterable[Entry]) -> set[str]:
    return {entry.component for entry in entries} - {"-"}
