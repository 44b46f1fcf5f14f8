"""The window that brings memories in."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSettings, QTimer, QUrl, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.clients.labels import plain, show_text
from app.importing.found import Found, Sources
from app.importing.jobs import ImportJobs
from app.importing.panel import ImportPanel, card
from app.importing.wording import expiry_line, found_line
from app.settings.store import SettingsStore
from app.status import AppStatus
from app.window import Window

_EACH_MS = 2_000  # looked for imports of others while the window is seen


class ImportWindow(Window):
    """What is found, what runs, and what came of it."""

    search_requested = Signal()
    start_requested = Signal()

    def __init__(
        self, jobs: ImportJobs, sources: Sources, store: SettingsStore, places: QSettings
    ) -> None:
        super().__init__("import", places, width=680, height=640)
        self.setWindowTitle(self.tr("Import – Memtray"))
        self._jobs, self._sources, self._store = jobs, sources, store
        self._answers = False
        self._timer = QTimer(self, interval=_EACH_MS)
        self._timer.timeout.connect(jobs.look)
        self._away = plain()
        self._start = QPushButton(self.tr("Sta&rt worker"))
        self._start.clicked.connect(self.start_requested)
        self._found, self._expiry = plain(), plain(kind="muted")
        self._sessions = QPushButton(self.tr("&Import Claude Code's sessions"), default=True)
        self._sessions.clicked.connect(self.import_sessions)
        self._files = QPushButton(self.tr("Choose &files…"))
        self._files.clicked.connect(self.choose_files)
        self._folder = QPushButton(self.tr("Choose a f&older…"))
        self._folder.clicked.connect(self.choose_folder)
        self._watch = QCheckBox(self.tr("&Take in what Claude Code writes from now on"))
        self._watch.clicked.connect(self._change_watch)
        self._not_kept = plain(kind="error")
        self.panel = ImportPanel(jobs)
        self.panel.search_requested.connect(self.search_requested)
        self._arrange()
        jobs.changed.connect(self._show)
        sources.changed.connect(self._show_found)
        store.changed.connect(self._show)
        self._show_found(sources.found)
        self._show()

    def open(self) -> None:
        """Show what is found now, and the last import."""
        self._sources.look()
        self.present()

    def open_undo(self) -> None:
        """Ask whether the last import shall be undone."""
        self.open()
        self._jobs.ask_undo()

    def show_status(self, status: AppStatus) -> None:
        """Say where the worker is away, and offer to start it."""
        self._answers = status.answers
        text = self.tr("The worker does not answer ({state}). It does the import.")
        show_text(self._away, "" if status.answers else text.format(state=status.headline))
        self._banner.setVisible(not status.answers)
        self._start.setVisible(status.can_start)
        if status.answers and self.isVisible():
            self._jobs.look()
        self._show()

    def import_sessions(self) -> None:
        """Import all that Claude Code has kept."""
        self._jobs.begin([str(self._sources.found.folder)])

    def choose_files(self) -> None:
        """Have transcripts or exports chosen, and import them."""
        self._choose(QFileDialog.FileMode.ExistingFiles)

    def choose_folder(self) -> None:
        """Have a folder chosen, and import all in it that can be."""
        self._choose(QFileDialog.FileMode.Directory)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()
        self._jobs.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _choose(self, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self, self.tr("What to import – Memtray"))
        dialog.setFileMode(mode)
        dialog.setNameFilters(
            [
                self.tr("All that can be imported (*.jsonl *.json *.zip)"),
                self.tr("Transcripts of Claude Code (*.jsonl)"),
                self.tr("Exports of claude.ai (*.zip *.json)"),
                self.tr("Exports of claude-mem and Memtray (*.json *.jsonl)"),
            ]
        )
        folder = self._sources.found.folder
        begin = folder if folder.is_dir() else Path.home()
        dialog.setDirectoryUrl(QUrl.fromLocalFile(str(begin)))
        dialog.filesSelected.connect(self._chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _chosen(self, paths: Sequence[str]) -> None:
        self._jobs.begin(list(paths))

    def _change_watch(self, wanted: bool) -> None:
        try:
            self._store.change(watch_transcripts=wanted)
            show_text(self._not_kept, "")
        except OSError as exc:
            show_text(self._not_kept, f"✕ {exc}", kind="error")
        self._show()

    def _show_found(self, found: Found) -> None:
        show_text(self._found, found_line(found))
        self._show()

    def _show(self) -> None:
        state = self._jobs.state
        free = self._answers and not state.busy and state.running is None
        self._sessions.setEnabled(free and self._sources.found.sessions > 0)
        self._files.setEnabled(free)
        self._folder.setEnabled(free)
        watched = self._store.current.watch_transcripts
        self._watch.setChecked(watched)
        expiry = "" if watched else expiry_line(self._sources.found)
        show_text(self._expiry, expiry, kind="muted")

    def _arrange(self) -> None:
        title = plain(self.tr("Bring memories in"), kind="title")
        intro = plain(
            self.tr(
                "Conversations that Claude Code keeps become memories that you can search: "
                "prompts, what was done and decided, and a summary of each session. No model is "
                "asked, nothing leaves this machine, and secrets are left out. Only what is new "
                "is added, however often you do it. The data exports of claude.ai, of claude-mem "
                "and of Memtray can be chosen as files, too."
            ),
            kind="muted",
        )
        hint = plain(
            self.tr(
                "Each answer becomes a memory some seconds after it was written. Sessions that "
                "claude-mem records itself are left to it."
            ),
            kind="muted",
        )
        line = QHBoxLayout()
        line.setSpacing(12)
        line.addWidget(self._away, 1)
        line.addWidget(self._start)
        self._banner = card(line)
        self._banner.hide()
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        buttons = (_row(self._sessions), _row(self._files, self._folder))
        source = card(self._found, self._expiry, *buttons)
        watch = card(self._watch, hint, self._not_kept)
        for widget in (title, intro, self._banner, source, self.panel, watch):
            layout.addWidget(widget)
        layout.addStretch(1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll)


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
