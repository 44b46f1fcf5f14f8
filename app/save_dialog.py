"""Where to save: a dialog of the system that holds up nothing."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_where(
    parent: QWidget, title: str, kinds: str, name: str, then: Callable[[str], object]
) -> None:
    """Open it with a proposed name; `then` is told the file, with its suffix, once one is chosen.

    kinds: the files that are listed, as Qt writes it: `Zip files (*.zip)`.
    """
    dialog = QFileDialog(parent, title, str(Path.home()), kinds)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.removeprefix("."))
    dialog.selectFile(name)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(then)
    dialog.open()
