"""The settings, page by page; each change is saved at once."""

from collections.abc import Callable

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.background import Background
from app.clients.connections import Connections
from app.clients.panel import ClientsPanel
from app.excludes.panel import ExcludesPanel
from app.settings.extras import ClearRecallsRow, ClearRow, FolderRow, LoginRow, note
from app.settings.fields import Page, Restart, all_defaults, pages
from app.settings.rows import Row, align
from app.settings.store import SettingsStore
from app.spoken import said
from app.status import AppStatus
from app.theme import Theme
from app.tray.login import Login
from app.window import Window
from app.worker_client import WorkerClient

_LIST = """
    QListWidget { padding: 4px; }
    QListWidget::item { padding: 6px 8px; border-radius: 4px; }
    QListWidget::item:selected { background: palette(highlight); color: palette(text); }
"""


class SettingsWindow(Window):
    """All pages beside the list of their names."""

    restart_requested = Signal()
    forget_queries_requested = Signal()
    backups_requested = Signal()

    def __init__(
        self,
        store: SettingsStore,
        *,
        login: Login,
        connections: Connections,
        client: WorkerClient,
        background: Background,
        places: QSettings,
        theme: Theme,
    ) -> None:
        super().__init__("settings", places, width=820, height=600)
        self.setWindowTitle(self.tr("Settings – Memtray"))
        self._store, self._client = store, client
        self._rows: list[Row] = []
        self._in_force = store.current  # what the running worker has read
        self._instance = ""
        self._names = QListWidget()
        self._names.setAccessibleName(self.tr("Pages"))
        self._names.setStyleSheet(_LIST)
        self._stack = QStackedWidget()
        self._trouble = note("error")
        self._restart = _Banner()
        self._pages = pages()
        self._extras: dict[str, Callable[[], list[QWidget]]] = {
            "general": lambda: [LoginRow(login, background)],
            "sources": lambda: [ExcludesPanel(client), self._folder()],
            "search": lambda: [self._clear_queries()],
            "clients": lambda: [ClientsPanel(connections, client, theme)],
            "privacy": lambda: [ClearRecallsRow(client), self._clear_queries()],
            "advanced": lambda: [self._file(), self._backups(), self._reset_all()],
        }
        for page in self._pages:
            self._names.addItem(page.title)
            area = QScrollArea(widgetResizable=True)
            area.setFrameShape(QFrame.Shape.NoFrame)
            self._stack.addWidget(area)
        self._lay_out()
        self._connect()
        self._show()

    def open(self, page: str = "") -> None:
        """Show the window, on a page if one is named."""
        keys = [each.key for each in self._pages]
        if page in keys:
            self._names.setCurrentRow(keys.index(page))
        self._show()
        self.present()
        self._names.setFocus()

    def show_status(self, status: AppStatus) -> None:
        """A worker that was started after a change has read it."""
        health = status.worker.health if status.worker else None
        instance = health.instance if health else ""
        if instance != self._instance:
            self._instance, self._in_force = instance, self._store.current
            self._show_restart()

    # ------------------------------------------------------------------ changes
    def _change(self, name: str, value: object) -> None:
        row = self.sender()
        try:
            self._store.change(**{name: value})
        except ValueError:
            assert isinstance(row, Row)  # noqa: S101 - rows alone are connected to this
            row.refuse()
        except OSError as exc:
            self._show()
            self._say(said(str(exc)))
        else:
            self._show()

    def _reset(self, values: dict[str, object]) -> None:
        try:
            self._store.change(**values)
        except OSError as exc:
            self._say(said(str(exc)))
        self._show()

    def _reset_page(self) -> None:
        self._reset(self._pages[self._names.currentRow()].defaults)

    def _reset_everything(self) -> None:
        self._reset(all_defaults())

    def _show(self) -> None:
        settings = self._store.current
        for row in self._rows:
            row.show_value(getattr(settings, row.field.name))
        self._say(said(self._store.problem))
        self._show_restart()

    def _show_restart(self) -> None:
        news = {
            field.name
            for page in self._pages
            for field in page.fields
            if field.restart is Restart.WORKER
            and getattr(self._store.current, field.name) != getattr(self._in_force, field.name)
        }
        self._restart.setVisible(bool(news) and bool(self._instance))

    def _say(self, trouble: str) -> None:
        self._trouble.setText(trouble)
        self._trouble.setVisible(bool(trouble))

    def _turn_to(self, number: int) -> None:
        """Show a page, which is made when it is looked at first."""
        area = self._stack.widget(number)
        assert isinstance(area, QScrollArea)  # noqa: S101 - the stack holds nothing else
        if area.widget() is None:
            area.setWidget(self._new_page(self._pages[number]))
        self._stack.setCurrentIndex(number)

    # ------------------------------------------------------------------ the parts
    def _connect(self) -> None:
        self._names.currentRowChanged.connect(self._turn_to)
        self._names.setCurrentRow(0)
        self._restart.requested.connect(self.restart_requested)
        self._store.changed.connect(self._show)

    def _lay_out(self) -> None:
        self._names.setFixedWidth(self._names.sizeHintForColumn(0) + 24)
        right = QVBoxLayout()
        right.setSpacing(12)
        right.addWidget(self._trouble)
        right.addWidget(self._restart)
        right.addWidget(self._stack, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(16)
        layout.addWidget(self._names)
        layout.addLayout(right, 1)

    def _new_page(self, page: Page) -> QWidget:
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 12, 0)
        layout.setSpacing(16)
        title = QLabel(page.title)
        title.setProperty("kind", "title")
        layout.addWidget(title)
        if page.key == "notifications":
            intro = note("muted")
            intro.setText(self.tr("A message of the system appears on:"))
            layout.addWidget(intro)
        rows = [Row(field) for field in page.fields]
        align(rows)
        self._rows += rows
        for row in rows:
            row.show_value(getattr(self._store.current, row.field.name))
            row.edited.connect(self._change)
            layout.addWidget(row)
        if page.key in self._extras:
            for extra in self._extras[page.key]():
                layout.addWidget(extra)
        layout.addStretch()
        if page.fields:
            reset = QPushButton(self.tr("Reset this page"))
            reset.clicked.connect(self._reset_page)
            layout.addWidget(reset, 0, Qt.AlignmentFlag.AlignLeft)
        return content

    def _folder(self) -> QWidget:
        return FolderRow(
            self._client.paths.data_dir,
            self.tr(
                "Your memories and all that Memtray keeps are here. Another folder is chosen by "
                "the variable CLAUDE_MEM_DATA_DIR, or by --data-dir when Memtray is started."
            ),
        )

    def _file(self) -> QWidget:
        return FolderRow(
            self._store.path,
            self.tr("All settings are in this file. What you change there shows here at once."),
        )

    def _backups(self) -> QWidget:
        button = QPushButton(self.tr("Bac&kups…"))
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        button.clicked.connect(self.backups_requested)
        return button

    def _clear_queries(self) -> QWidget:
        row = ClearRow(
            self.tr("Forget recent s&earches…"),
            self.tr("Forget the recent searches? Those that you have saved stay."),
        )
        row.confirmed.connect(self.forget_queries_requested)
        return row

    def _reset_all(self) -> QWidget:
        row = ClearRow(
            self.tr("Reset &all settings…"),
            self.tr("Put all settings back to their defaults? Memories and clients stay."),
        )
        row.confirmed.connect(self._reset_everything)
        return row


class _Banner(QFrame):
    """Says that the worker has to be started anew."""

    requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "banner")
        text = note("")
        text.setText(self.tr("What you changed holds once the worker is started anew."))
        now = QPushButton(self.tr("Restart &now"))
        now.clicked.connect(self.requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.addWidget(text, 1)
        layout.addWidget(now)
