"""The window over what app, worker and MCP servers log, merged by time."""

from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import (
    QAction,
    QFontDatabase,
    QGuiApplication,
    QHideEvent,
    QKeySequence,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QToolButton,
    QVBoxLayout,
)

from app.background import Background
from app.logs.bar import SelectionBar
from app.logs.feed import Feed
from app.logs.model import LogModel
from app.logs.reader import Page
from app.logs.text import details, saved, spoken
from app.logs.view import LogView
from app.outside import open_outside
from app.save_dialog import ask_where
from app.theme import Theme
from app.window import Window
from worker.shared.log_lines import Entry
from worker.shared.paths import Paths


class LogWindow(Window):
    """Follows the logs while it is seen; reads nothing while it is not."""

    def __init__(
        self, paths: Paths, background: Background, places: QSettings, theme: Theme
    ) -> None:
        super().__init__("logs", places, width=980, height=640)
        self.setWindowTitle(self.tr("Logs – Memtray"))
        self._folder, self._background, self._theme = paths.logs, background, theme
        self._feed = Feed(paths.logs, background, self)
        self._model = LogModel(theme.colours, self)
        self._bar = SelectionBar(self)
        self._view = LogView(self._model, self)
        self._details = QPlainTextEdit(self, readOnly=True)
        self._status = QLabel(self)
        self._older = QPushButton(self.tr("&Load older"), self)
        self._end = QPushButton(self.tr("&Jump to end"), self)
        self._page: Page | None = None
        self._lay_out()
        self._connect()

    def open(self) -> None:
        """Show the window with what was logged last."""
        self.present()
        self._view.setFocus()

    def leave(self) -> None:
        """Empty the field first, as Esc does elsewhere; then close."""
        if not self._bar.give_up():
            super().leave()

    # ------------------------------------------------------------------ life
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._feed.look()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._feed.look_away()
        self.keep("header", self._view.horizontalHeader().saveState())
        self.keep("splitter", self._splitter.saveState())

    # ------------------------------------------------------------------ layout
    def _lay_out(self) -> None:
        self._details.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._details.document().setDocumentMargin(10)
        self._details.setAccessibleName(self.tr("The whole entry"))
        self._details.setPlaceholderText(self.tr("Choose a line to see all of it."))
        self._status.setProperty("kind", "muted")
        self._status.setWordWrap(True)
        self._end.setEnabled(False)
        self._older.setEnabled(False)
        self._splitter = QSplitter(Qt.Orientation.Vertical, self)
        self._splitter.addWidget(self._view)
        self._splitter.addWidget(self._details)
        self._splitter.setStretchFactor(0, 3)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.restoreState(self.kept("splitter"))
        self._view.horizontalHeader().restoreState(self.kept("header"))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 14, 14, 12)
        column.setSpacing(8)
        column.addWidget(self._bar)
        column.addLayout(self._buttons())
        column.addWidget(self._splitter, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._status, 1)
        foot.addWidget(self._older)
        foot.addWidget(self._end)
        column.addLayout(foot)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        keys = QKeySequence.StandardKey
        for text, key, do in (
            (self.tr("Next error"), QKeySequence("E"), self._next_error),
            (self.tr("Previous error"), QKeySequence("Shift+E"), self._previous_error),
            (self.tr("Copy"), QKeySequence(keys.Copy), self._copy),
            (self.tr("Save as…"), QKeySequence(keys.Save), self._save_as),
            (self.tr("Open folder"), QKeySequence("Ctrl+O"), self._open_folder),
            (self.tr("Clear view"), QKeySequence("Ctrl+L"), self._feed.clear),
        ):
            action = QAction(text, self, shortcut=key, iconText=text)
            action.triggered.connect(do)
            tip = self.tr("{what} ({key})").format(
                what=text, key=key.toString(QKeySequence.SequenceFormat.NativeText)
            )
            action.setToolTip(tip)
            self.addAction(action)
            button = QToolButton(self)
            button.setDefaultAction(action)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _connect(self) -> None:
        self._feed.read.connect(self._take)
        self._feed.failed.connect(self._status.setText)
        self._bar.changed.connect(self._feed.select)
        self._view.chosen.connect(self._show_details)
        self._view.following_changed.connect(self._show_following)
        self._older.clicked.connect(self._feed.older)
        self._end.clicked.connect(self._view.jump_to_end)
        self._theme.changed.connect(self._recolour)

    # ------------------------------------------------------------------ what is shown
    def _take(self, page: Page) -> None:
        quiet = not page.entries and not page.anew and self._page is not None
        self._page = page
        self._bar.show_problem(page.problem)
        if quiet:
            return
        self._view.take(page)
        self._bar.offer(page.components)
        self._older.setEnabled(page.has_older)
        self._show_count()

    def _show_count(self) -> None:
        if self._page:
            shown, following = self._model.rowCount(), self._view.following
            self._status.setText(spoken(self._page, shown, self._folder, following=following))

    def _show_following(self, following: bool) -> None:
        self._end.setEnabled(not following)
        self._show_count()

    def _show_details(self, entry: Entry | None) -> None:
        self._details.setPlainText(details(entry) if entry else "")

    def _recolour(self) -> None:
        self._model.paint_with(self._theme.colours)

    # ------------------------------------------------------------------ what can be done
    def _next_error(self) -> None:
        if not self._view.go_to_error(1):
            self._status.setText(self.tr("No error follows."))

    def _previous_error(self) -> None:
        if not self._view.go_to_error(-1):
            self._status.setText(self.tr("No error comes before."))

    def _copy(self) -> None:
        """Copy what is chosen or, if nothing is, all that is shown."""
        if self._details.textCursor().hasSelection() and self._details.hasFocus():
            self._details.copy()
            return
        entries = self._view.selected() or self._model.entries
        job = self._background.run("logs", lambda: "\n".join(map(str, entries)))
        job.done.connect(self._copied)

    def _copied(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._status.setText(self.tr("Copied."))

    def _save_as(self) -> None:
        title, kinds = self.tr("Save what is shown"), self.tr("Text (*.log *.txt)")
        ask_where(self, title, kinds, "memtray.log", self._save)

    def _save(self, name: str) -> None:
        entries = self._model.entries
        job = self._background.run("logs", lambda: saved(Path(name), entries))
        job.done.connect(self._status.setText)
        job.failed.connect(self._not_saved)

    def _not_saved(self, error: Exception) -> None:
        self._status.setText(self.tr("Not saved: {reason}").format(reason=error))

    def _open_folder(self) -> None:
        if not open_outside(self._folder):
            self._status.setText(
                self.tr("No program opens folders here. The logs are in {folder}").format(
                    folder=self._folder
                )
            )
