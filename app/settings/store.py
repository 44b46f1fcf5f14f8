"""The settings as the app has them: changed here or in the file, all parts are told."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, QTimer, Signal

from worker.shared.settings import read_settings, save_settings

_SETTLE_MS = 150  # an editor may write in several steps

_Seen = tuple[int, int, int] | None


class SettingsStore(QObject):
    """The settings of one file; `changed` brings the new ones, whoever changed them."""

    changed = Signal(object)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self.current, self.problem = read_settings(path)
        self._seen = _look(path)
        self._later = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._later.timeout.connect(self._look_again)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._later.start)
        self._watcher.directoryChanged.connect(self._later.start)
        self._watch()

    def change(self, **values: object) -> None:
        """Save at once what differs from now; raise ValueError for a bad value, or OSError."""
        news = {name: value for name, value in values.items() if self._differs(name, value)}
        if not news:
            return
        aside = save_settings(self.path, news)
        self._read(_set_aside(aside) if aside else "")

    def reload(self) -> None:
        """Read the file, and tell everybody what is new in it."""
        self._read("")

    def _read(self, notice: str) -> None:
        before, self._seen = (self.current, self.problem), _look(self.path)
        self.current, self.problem = read_settings(self.path)
        self.problem = self.problem or notice
        self._watch()
        if (self.current, self.problem) != before:
            self.changed.emit(self.current)

    def _differs(self, name: str, value: object) -> bool:
        """Say whether a value is news, as any is to a file with faults."""
        return bool(self.problem) or getattr(self.current, name, None) != value

    def _look_again(self) -> None:
        self._watch()
        if _look(self.path) != self._seen:
            self.reload()

    def _watch(self) -> None:
        """Follow the file and, as a replaced file is another one, its folder or what is above."""
        folder = next(place for place in self.path.parents if place.exists())
        wanted = [str(place) for place in (self.path, folder) if place.exists()]
        known = {*self._watcher.files(), *self._watcher.directories()}
        if news := [place for place in wanted if place not in known]:
            self._watcher.addPaths(news)


def _set_aside(aside: Path) -> str:
    return QCoreApplication.translate(
        "SettingsStore",
        "The settings file could not be read. It was kept as {name}, and the other settings are "
        "the defaults.",
    ).format(name=aside.name)


def _look(path: Path) -> _Seen:
    """Return what differs when the file was written; None while there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
