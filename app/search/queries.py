"""Recent and saved queries, in a small file of their own; with the setting off there is none."""

import json
import logging
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject

from app.background import Background
from worker.shared.paths import write_private

log = logging.getLogger(__name__)

MOST = 30
_LONGEST = 500  # characters; a longer query is pasted text


@dataclass(frozen=True, slots=True)
class Queries:
    """Each as one line of text, the newest first."""

    recent: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()

    def used(self, text: str) -> "Queries":
        """Return them with one more recent query."""
        return replace(self, recent=_first(text, self.recent))

    def kept(self, text: str) -> "Queries":
        """Return them with one more saved query."""
        return replace(self, saved=_first(text, self.saved))

    def dropped(self, text: str) -> "Queries":
        """Return them without a saved query."""
        return replace(self, saved=tuple(each for each in self.saved if each != text))

    def to_json(self) -> str:
        return json.dumps(
            {"recent": self.recent, "saved": self.saved}, ensure_ascii=False, indent=1
        )


def read_queries(path: Path) -> Queries:
    """Return what a file holds; what cannot be read is passed over."""
    try:
        stored = json.loads(path.read_bytes())
    except FileNotFoundError:
        return Queries()
    except (OSError, ValueError, RecursionError) as exc:
        log.warning("recent and saved queries cannot be read from %s: %s", path, exc)
        return Queries()
    found = stored if isinstance(stored, dict) else {}
    return Queries(_texts(found.get("recent")), _texts(found.get("saved")))


class QueryShelf(QObject):
    """Keeps the queries; the disk is written to in another thread."""

    def __init__(self, path: Path, parent: QObject, *, on_disk: bool) -> None:
        super().__init__(parent)
        self._path = path
        self._background = Background(self)
        self._on_disk = on_disk
        self.queries = read_queries(path) if on_disk else Queries()
        if not on_disk:
            self._write()
        application = QCoreApplication.instance()
        if application:
            application.aboutToQuit.connect(self._background.stop)

    def keep(self, queries: Queries) -> None:
        """Replace what is kept; with the setting off nothing is."""
        if self._on_disk and queries != self.queries:
            self.queries = queries
            self._write()

    def allow(self, on_disk: bool) -> None:
        """Follow the setting: once it is off, all queries are forgotten and the file goes."""
        if on_disk != self._on_disk:
            self._on_disk, self.queries = on_disk, Queries()
            self._write()

    def _write(self) -> None:
        text = self.queries.to_json() if self._on_disk else None
        self._background.run("queries", _Writing(self._path, text))


@dataclass(frozen=True, slots=True)
class _Writing:
    """Writes a file or, without a text, removes it."""

    path: Path
    text: str | None

    def __call__(self) -> None:
        try:
            if self.text is None:
                self.path.unlink(missing_ok=True)
            else:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                write_private(self.path, self.text)
        except OSError as exc:
            log.warning("recent and saved queries cannot be kept in %s: %s", self.path, exc)


def _first(text: str, others: tuple[str, ...]) -> tuple[str, ...]:
    if not text or len(text) > _LONGEST:
        return others
    return (text, *(each for each in others if each != text))[:MOST]


def _texts(value: object) -> tuple[str, ...]:
    texts = value if isinstance(value, list) else []
    return tuple(text for text in texts if isinstance(text, str) and text)[:MOST]
