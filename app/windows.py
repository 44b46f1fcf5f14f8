"""All windows, each made when it is opened first: a start makes none that nobody looks at."""

import importlib
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from app.background import Background
from app.clients.connections import Connections
from app.excludes.switch import CaptureSwitch
from app.importing.found import Sources, transcripts_folder
from app.importing.jobs import ImportJobs
from app.notices.board import Board
from app.settings.store import SettingsStore
from app.supervisor.supervisor import Supervisor
from app.theme import Theme
from app.worker_client import WorkerClient
from worker.shared.clients.entry import System
from worker.shared.paths import Paths

if TYPE_CHECKING:
    from app.backups.window import BackupsWindow
    from app.health.diagnostics_window import DiagnosticsWindow
    from app.health.window import HealthWindow
    from app.importing.window import ImportWindow
    from app.logs.window import LogWindow
    from app.notices.window import NoticesWindow
    from app.recalls.window import RecallsWindow
    from app.search.window import SearchWindow
    from app.settings.window import SettingsWindow
    from app.welcome.window import WelcomeWindow
    from worker.shared.autostart import StartAtLogin

_READ_AHEAD = (  # what a first opening would have to wait for
    "app.health.window",
    "app.recalls.window",
    "app.logs.window",
    "app.settings.window",
)


class Windows(QObject):
    """The windows and who follows whom; what they ask for goes to the supervisor or to another."""

    def __init__(
        self,
        paths: Paths,
        *,
        background: Background,
        client: WorkerClient,
        store: SettingsStore,
        supervisor: Supervisor,
        connections: Connections,
        login: "StartAtLogin",
        board: Board,
        places: QSettings,
        theme: Theme,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._paths, self._background, self._client = paths, background, client
        self._store, self._supervisor, self._connections = store, supervisor, connections
        self._login, self._board, self._places, self._theme = login, board, places, theme
        self.imports = ImportJobs(client, self)
        self.capture = CaptureSwitch(client, self)
        self.sources = Sources(background, transcripts_folder(System.here()), self)

    @cached_property
    def search(self) -> "SearchWindow":
        from app.search.window import SearchWindow

        window = SearchWindow(self._client, self._store, self._places, self._theme)
        window.start_requested.connect(self._supervisor.start)
        window.restart_requested.connect(self._supervisor.restart)
        window.health_requested.connect(self.show_part)
        window.import_requested.connect(self.open_import)
        self.sources.changed.connect(window.show_found)
        window.show_found(self.sources.found)
        self.imports.memories_changed.connect(window.follow_memories)
        self._follow(window)
        return window

    @cached_property
    def logs(self) -> "LogWindow":
        from app.logs.window import LogWindow

        return LogWindow(self._paths, self._background, self._places, self._theme)

    @cached_property
    def health(self) -> "HealthWindow":
        from app.health.window import HealthWindow

        window = HealthWindow(
            self._paths, self._client, self._background, self._places, self._theme
        )
        window.start_requested.connect(self._supervisor.start)
        window.restart_requested.connect(self._supervisor.restart)
        window.logs_requested.connect(self.open_logs)
        window.clients_requested.connect(self.open_clients)
        window.diagnostics_requested.connect(self.open_diagnostics)
        self._follow(window)
        return window

    @cached_property
    def diagnostics(self) -> "DiagnosticsWindow":
        from app.health.diagnostics_window import DiagnosticsWindow

        window = DiagnosticsWindow(self._paths, self._background, self._places, self._theme)
        self._follow(window)
        return window

    @cached_property
    def recalls(self) -> "RecallsWindow":
        from app.recalls.window import RecallsWindow

        window = RecallsWindow(self._client, self._places, self._theme)
        window.memory_requested.connect(self.open_memory)
        window.clients_requested.connect(self.open_clients)
        window.settings_requested.connect(self.open_settings_at)
        return window

    @cached_property
    def settings(self) -> "SettingsWindow":
        from app.settings.window import SettingsWindow

        window = SettingsWindow(
            self._store,
            login=self._login,
            connections=self._connections,
            client=self._client,
            background=self._background,
            places=self._places,
            theme=self._theme,
        )
        window.restart_requested.connect(self._supervisor.restart)
        window.forget_queries_requested.connect(self._forget_queries)
        window.backups_requested.connect(self.open_backups)
        self._follow(window)
        return window

    @cached_property
    def backups(self) -> "BackupsWindow":
        from app.backups.window import BackupsWindow

        window = BackupsWindow(self._client, self._places)
        window.start_requested.connect(self._supervisor.start)
        window.memories_changed.connect(self.search.follow_restore)
        self._follow(window)
        return window

    @cached_property
    def importing(self) -> "ImportWindow":
        from app.importing.window import ImportWindow

        window = ImportWindow(self.imports, self.sources, self._store, self._places)
        window.search_requested.connect(self.open_search)
        window.start_requested.connect(self._supervisor.start)
        self._follow(window)
        return window

    @cached_property
    def welcome(self) -> "WelcomeWindow":
        from app.welcome.window import WelcomeWindow

        window = WelcomeWindow(
            self._paths,
            self._background,
            self._connections,
            self._login,
            self._store,
            self._places,
            self._theme,
            jobs=self.imports,
        )
        window.search_requested.connect(self.open_search)
        return window

    @cached_property
    def notices(self) -> "NoticesWindow":
        from app.notices.window import NoticesWindow

        return NoticesWindow(self._board, self._places)

    def prepare(self) -> None:
        """Make the window that a person waits for; shown at a click it is there at once.

        The code of the others is read in a thread.
        """
        _ = self.search
        self._background.run("windows", _read_ahead)

    def open_search(self) -> None:
        self.search.open()

    def open_memory(self, ref: str) -> None:
        """Show one memory in the search window."""
        self.search.open(anchor=ref)

    def open_import(self) -> None:
        self.importing.open()

    def import_files(self) -> None:
        """Show the window of imports, and have files chosen in it."""
        self.importing.open()
        self.importing.choose_files()

    def undo_import(self) -> None:
        """Ask whether the last import shall be undone."""
        self.importing.open_undo()

    def open_backups(self) -> None:
        self.backups.open()

    def open_logs(self) -> None:
        self.logs.open()

    def open_health(self) -> None:
        self.health.open()

    def show_part(self, part: str) -> None:
        """Show how all parts are, and `part` first."""
        self.health.open(part)

    def open_diagnostics(self) -> None:
        self.diagnostics.open()

    def open_recalls(self) -> None:
        self.recalls.open()

    def open_settings(self) -> None:
        self.settings.open()

    def open_settings_at(self, page: str) -> None:
        self.settings.open(page)

    def open_clients(self) -> None:
        self.settings.open("clients")

    def open_notices(self) -> None:
        self.notices.open()

    def open_welcome(self) -> None:
        self.welcome.open()

    def _forget_queries(self) -> None:
        self.search.forget_queries()

    def _follow(
        self,
        window: "SearchWindow | HealthWindow | DiagnosticsWindow | SettingsWindow | ImportWindow "
        "| BackupsWindow",
    ) -> None:
        self._supervisor.status_changed.connect(window.show_status)
        window.show_status(self._supervisor.status)


def _read_ahead() -> None:
    for name in _READ_AHEAD:
        importlib.import_module(name)
