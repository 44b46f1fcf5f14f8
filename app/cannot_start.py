"""The window of an app that cannot begin, so that a start by an icon is not without an answer."""

import os
import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from app.language import speak
from app.process import EndSignals, NoScreenError, expect_screen, new_application
from app.spoken import told
from app.supervisor.message_dialog import MessageDialog
from app.theme import Choice, Theme
from worker import __version__
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.settings import read_settings

_UNSEEN = ("offscreen", "minimal")  # where nobody could close a window


def show(trouble: MemtrayError, paths: Paths) -> None:
    """Show what is wrong until the window is closed; nothing where no window is seen."""
    try:
        expect_screen(sys.platform, os.environ)
    except NoScreenError:
        return
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = new_application([sys.argv[0]])
    if application.platformName() in _UNSEEN:
        return
    settings, _ = read_settings(paths.settings)
    speak(application, settings.language)
    theme = Theme(application, Choice(settings.theme))
    dialog = CannotStartDialog(told(trouble), paths)
    dialog.finished.connect(application.exit)
    signals = EndSignals(theme)
    signals.received.connect(dialog.reject)
    dialog.present()
    application.exec()


class CannotStartDialog(MessageDialog):
    """Names the data folder, the cause and what to do; all of it can be copied."""

    def __init__(self, trouble: MemtrayError, paths: Paths, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("cannot-start")
        self.setWindowTitle(self.tr("Memtray cannot start"))
        folder = self.tr("Data folder: {folder}").format(folder=paths.data_dir)
        self._texts = (trouble.title, trouble.detail, folder)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        for text, kind in zip(self._texts, ("title", "", "muted"), strict=True):
            layout.addWidget(_label(text, kind))
        layout.addStretch(1)
        layout.addWidget(self._buttons())
        self.resize(560, 220)

    def present(self) -> None:
        """Show the window before all others."""
        self.show_over(self._close)

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._close = buttons.button(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        return buttons

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join((*self._texts, f"Memtray {__version__}")))


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText, wordWrap=True)
    label.setProperty("kind", kind)
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return label
