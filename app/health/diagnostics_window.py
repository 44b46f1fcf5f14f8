"""The window that shows what a diagnostic report tells, before anybody copies it."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
)

from app.background import Background
from app.health.collecting import diagnose
from app.health.diagnostics import save_zip
from app.save_dialog import ask_where
from app.status import AppStatus
from app.theme import Theme
from app.window import Window
from worker import __version__
from worker.shared.paths import Paths

_KIND = "diagnostics"


class DiagnosticsWindow(Window):
    """Collects when it is opened; nothing leaves the machine but what the user copies or saves."""

    def __init__(
        self, paths: Paths, background: Background, places: QSettings, theme: Theme
    ) -> None:
        super().__init__("diagnostics", places, width=820, height=680)
        self.setWindowTitle(self.tr("Diagnostics – Memtray"))
        self._paths, self._background, self._theme = paths, background, theme
        self._collecting = False
        self._status, self._said = QLabel(self), QLabel(self)
        self._text = QPlainTextEdit(self, readOnly=True)
        self._working = QProgressBar(self, maximum=0, textVisible=False)
        self._copy = QPushButton(self.tr("&Copy"), self)
        self._save = QPushButton(self.tr("&Save as zip…"), self)
        self._again = QPushButton(self.tr("&Look again"), self)
        self._lay_out()
        self._copy.clicked.connect(self._copy_all)
        self._save.clicked.connect(self._save_as)
        self._again.clicked.connect(self._collect)
        QShortcut(QKeySequence("F5"), self, self._collect)

    def open(self) -> None:
        """Show the window and collect anew."""
        self.present()
        self._collect()

    def show_status(self, status: AppStatus) -> None:
        """Take what the supervisor knows."""
        self._status.setText(
            self.tr("Memtray {version} · {status} · {folder}").format(
                version=__version__, status=status.headline, folder=self._paths.data_dir
            )
        )

    # ------------------------------------------------------------------ layout
    def _lay_out(self) -> None:
        title = QLabel(self.tr("About and diagnostics"), self)
        title.setProperty("kind", "title")
        explained = QLabel(
            self.tr(
                "This is all that is copied or saved. Your home folder, your user name, keys and "
                "the text of memories are left out. Nothing is sent anywhere."
            ),
            self,
        )
        for label in (self._status, explained, self._said):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self._status, self._said):
            label.setProperty("kind", "muted")
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.document().setDocumentMargin(10)
        self._text.setAccessibleName(self.tr("Report"))
        self._working.setMaximumHeight(self.fontMetrics().height() // 2)
        self._working.setAccessibleName(self.tr("Collecting"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._said, 1)
        for button in (self._again, self._save, self._copy):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(10)
        for widget in (title, self._status, explained, self._working):
            column.addWidget(widget)
        column.addWidget(self._text, 1)
        column.addLayout(buttons)

    # ------------------------------------------------------------------ collecting
    def _collect(self) -> None:
        if not self._collecting:
            self._show_collecting(True)
            job = self._background.run(_KIND, partial(diagnose, self._paths))
            job.done.connect(self._collected)
            job.failed.connect(self._failed)

    def _collected(self, text: str) -> None:
        self._show_collecting(False)
        self._text.setPlainText(text)

    def _failed(self, error: Exception) -> None:
        self._show_collecting(False)
        self._said.setText(str(error))

    def _show_collecting(self, collecting: bool) -> None:
        self._collecting = collecting
        self._working.setVisible(collecting)
        self._said.setText(self.tr("Collecting…") if collecting else "")
        for button in (self._copy, self._save, self._again):
            button.setEnabled(not collecting)

    # ------------------------------------------------------------------ what can be done
    def _copy_all(self) -> None:
        QGuiApplication.clipboard().setText(self._text.toPlainText())
        self._said.setText(self.tr("Copied."))

    def _save_as(self) -> None:
        title, kinds = self.tr("Save diagnostics"), self.tr("Zip files (*.zip)")
        ask_where(self, title, kinds, "memtray-diagnostics.zip", self._save_to)

    def _save_to(self, name: str) -> None:
        path, text = Path(name), self._text.toPlainText()
        job = self._background.run(_KIND, partial(_saved, path, text))
        job.done.connect(self._was_saved)
        job.failed.connect(self._failed)

    def _was_saved(self, path: Path) -> None:
        self._said.setText(self.tr("Saved as {path}").format(path=path))


def _saved(path: Path, text: str) -> Path:
    save_zip(path, text)
    return path
