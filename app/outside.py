"""Opening files and folders in whatever program the system has for them."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from worker.shared.frozen import system_libraries


def open_outside(path: str | Path) -> bool:
    """Open a file or a folder; say whether the system took it."""
    with system_libraries():
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
