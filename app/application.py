"""The composition root: makes each part once, connects them, and takes leave of them in order."""

import datetime as dt
import gc
import logging
import os
import sys

from PySide6.QtCore import QObject, QSettings, QTimer

from app.background import Background
from app.clients.connections import Connections
from app.excludes.wording import paused_line
from app.heartbeat import Heartbeat
from app.home.finder import TrayFinder
from app.home.window import HomeWindow
from app.importing.found import Found
from app.language import speak
from app.notices.board import Board
from app.notices.policy import Notice
from app.process import (
    EndSignals,
    Process,
    expect_screen,
    ignore_end_signals,
    log_everything,
    new_application,
    stay_behind,
)
from app.settings.store import SettingsStore
from app.single_instance import Reception
from app.status import AppStatus
from app.supervisor.supervisor import Supervisor
from app.theme import Choice, Theme
from app.tray.actions import Actions
from app.tray.described import box, described_menu, described_windows
from app.tray.glance import newest_memories, newest_recalls
from app.tray.login import LoginSwitch
from app.tray.menu import TrayMenu
from app.tray.tray import Tray
from app.troubles import Troubles
from app.windows import Windows
from app.worker_client import WorkerClient
from worker import __version__
from worker.shared.autostart import StartAtLogin
from worker.shared.capture import CaptureReply
from worker.shared.logs import setup_logging
from worker.shared.paths import Paths
from worker.shared.settings import Settings

log = logging.getLogger(__name__)

_THREADS_SECONDS = 0.3  # the worker is waited for before


def run(paths: Paths, *, background: bool, heartbeat: bool) -> int:
    """Run the app until it is quit, and return its exit code; only for who has the lock."""
    os.umask(0o077)  # Qt writes files, too, and nobody else is to read ours
    expect_screen(sys.platform, os.environ)
    if background:
        stay_behind(sys.platform, os.environ, frozen=hasattr(sys, "frozen"))
    qt = new_application([sys.argv[0]])
    app = Application(qt, paths)
    app.begin(openly=not background)
    if heartbeat:
        app.beat()
    code = qt.exec()
    ignore_end_signals()
    log.info("the app has ended")
    return code


class Application(QObject):
    """All parts of the app."""

    def __init__(self, qt: Process, paths: Paths) -> None:
        super().__init__(qt)
        self._qt = qt
        self._signals = EndSignals(self)  # first: what comes meanwhile is answered once Qt runs
        store = SettingsStore(paths.settings, self)
        setup_logging(paths.logs, "app", store.current.log_level)
        log_everything()
        log.info("the app starts, version %s", __version__)
        speak(qt, store.current.language)
        self._store = store
        self._leaving = False
        self._heartbeat: Heartbeat | None = None
        self._home: HomeWindow | None = None
        self._theme = Theme(qt, Choice(store.current.theme))
        self._places = QSettings(str(paths.own / "app.ini"), QSettings.Format.IniFormat)
        self._background = Background(self)
        self._supervisor = Supervisor(paths, self._background, self)
        self._connections = Connections(paths, self._background, self)
        client, login = WorkerClient(paths, self), StartAtLogin(paths)
        self._board = Board(self._settings, self)
        self.windows = Windows(
            paths,
            background=self._background,
            client=client,
            store=store,
            supervisor=self._supervisor,
            connections=self._connections,
            login=login,
            board=self._board,
            places=self._places,
            theme=self._theme,
            parent=self,
        )
        self._troubles = Troubles(self._supervisor, self.windows, self._board, self)
        self._actions = Actions(self)
        self._menu = TrayMenu(self._actions)
        self._tray = Tray(self._menu, self)
        self._finder = TrayFinder(self)
        self._memories = newest_memories(client, self)
        self._recalls = newest_recalls(client, self)
        self._login = LoginSwitch(self._actions.login, login, self._background, self)
        self._reception = Reception(paths, self._answer, self)
        self._connect()

    def begin(self, *, openly: bool) -> None:
        """Look after the worker, take a place in the tray and, if `openly`, show a window."""
        self._troubles.attended = openly
        self._show_status(self._supervisor.status)
        self._supervisor.begin()
        self._finder.begin()
        self._login.look()
        self.windows.sources.look()
        if self._store.problem:
            self._troubles.settings_broken(self._store.problem)
        if openly and (self._store.current.welcomed or self._store.problem):
            self.windows.open_search()  # who has settings, however broken, was welcomed before
        elif openly:
            self.windows.open_welcome()
        self.windows.prepare()
        self._menu.prepare()
        gc.collect()
        gc.freeze()  # what a start has loaded stays; to look through it takes a twelfth of a second

    def beat(self) -> None:
        """Measure from now on how long the GUI thread is away."""
        self._heartbeat = Heartbeat(self)

    def quit(self) -> None:
        """Let go of the worker, or end it if this app started it, and end; within five seconds."""
        if self._leaving:
            return
        self._leaving = True
        log.info("the app is leaving")
        self._supervisor.finished.connect(self._end)
        self._supervisor.leave()

    def _connect(self) -> None:
        supervisor, actions, windows = self._supervisor, self._actions, self.windows
        for signal, slot in (
            (supervisor.status_changed, self._show_status),
            (self._store.changed, self._use_settings),
            (self._connections.vanished, self._troubles.client_vanished),
            (actions.search.triggered, windows.open_search),
            (actions.status.triggered, windows.open_health),
            (actions.start.triggered, self._start),
            (actions.stop.triggered, supervisor.stop),
            (actions.restart.triggered, supervisor.restart),
            (actions.import_sessions.triggered, windows.open_import),
            (actions.import_files.triggered, windows.import_files),
            (actions.import_undo.triggered, windows.undo_import),
            (actions.paused.triggered, windows.capture.resume),
            (actions.resume.triggered, windows.capture.resume),
            (actions.pause.triggered, windows.capture.pause_until_resumed),
            (actions.pause_hour.triggered, windows.capture.pause_hour),
            (actions.pause_day.triggered, windows.capture.pause_day),
            (windows.capture.changed, self._show_paused),
            (windows.capture.failed, self._troubles.not_done),
            (actions.backups.triggered, windows.open_backups),
            (actions.logs.triggered, windows.open_logs),
            (actions.health.triggered, windows.open_health),
            (actions.notices.triggered, windows.open_notices),
            (actions.settings.triggered, windows.open_settings),
            (actions.about.triggered, windows.open_diagnostics),
            (actions.quit.triggered, self.quit),
            (actions.memory_chosen, windows.open_memory),
            (actions.recalls_chosen, windows.open_recalls),
            (actions.cause_chosen, self._troubles.open_cause),
            (self._memories.known, actions.show_memories),
            (self._recalls.known, actions.show_recalls),
            (windows.sources.changed, self._show_found),
            (windows.imports.changed, self._show_imports),
            (windows.imports.ended, self._troubles.import_ended),
            (self._menu.aboutToShow, self._look),
            (self._menu.aboutToShow, windows.sources.look),
            (self._tray.search_requested, windows.open_search),
            (self._tray.message_clicked, self._board.open_last),
            (self._login.failed, self._troubles.not_done),
            (self._board.changed, self._show_notices),
            (self._board.shown, self._tell),
            (self._finder.found, self._use_tray),
            (self._finder.missing, self._use_home),
            (self._signals.received, self.quit),
            (self._qt.end_asked, self.quit),
        ):
            signal.connect(slot)

    # ------------------------------------------------------------------ what is shown

    def _show_status(self, status: AppStatus) -> None:
        self._actions.show_status(status)
        self._tray.show_status(status)
        if self._home is not None:
            self._home.show_status(status)
        self._troubles.follow(status)
        if status.answers:
            self._look()

    def _look(self) -> None:
        """Ask what the menu lists; what comes is shown, also while it is open."""
        self._memories.look()
        self._recalls.look()
        self._login.look()
        self.windows.imports.look()
        self.windows.capture.look()

    def _show_found(self, found: Found) -> None:
        self._actions.show_sessions(found.sessions)

    def _show_imports(self) -> None:
        self._actions.import_undo.setVisible(self.windows.imports.state.undoable is not None)

    def _show_paused(self, state: CaptureReply) -> None:
        line = paused_line(state, dt.datetime.now(dt.UTC))
        self._actions.show_paused(line)
        self._tray.show_paused(line)

    def _show_notices(self) -> None:
        self._actions.notices.setVisible(bool(self._board.kept))

    def _tell(self, notice: Notice) -> None:
        self._tray.tell(notice.title, notice.text)

    def _use_tray(self) -> None:
        self._tray.appear()
        if self._home is not None:
            self._home.give_way()

    def _use_home(self) -> None:
        log.info("there is no tray; a window stands in for it")
        self._tray.disappear()
        if self._home is None:
            self._home = HomeWindow(self._actions, self._places, self._theme)
            self._home.quit_confirmed.connect(self.quit)
            self._home.show_status(self._supervisor.status)
        if self._troubles.attended:
            self._home.appear()
        else:
            self._home.showMinimized()  # after a login no window is in the way, nor invisible

    def _use_settings(self, settings: Settings) -> None:
        self._theme.choose(Choice(settings.theme))
        logging.getLogger().setLevel(settings.log_level)

    def _settings(self) -> Settings:
        return self._store.current

    # ------------------------------------------------------------------ what is asked

    def _start(self) -> None:
        self._troubles.attended = True
        self._supervisor.start()

    def _answer(self, asked: str) -> dict[str, object]:
        """Answer another process of the same user."""
        if asked == "show":
            self._show_first()
        elif asked == "quit":
            QTimer.singleShot(0, self.quit)
        elif asked == "status":
            return self._described()
        else:
            return {"error": f"unknown: {asked}"}
        return {"pid": os.getpid()}

    def _show_first(self) -> None:
        self._troubles.attended = True
        if self._home is not None and not self._tray.icon.isVisible():
            self._home.open()
        else:
            self.windows.open_search()

    def _described(self) -> dict[str, object]:
        """Return what the app shows; times in milliseconds, boxes as left, top, width, height."""
        status = self._supervisor.status
        stall = self._heartbeat.longest_stall_ms() if self._heartbeat else None
        shown = {
            "pid": os.getpid(),
            "version": __version__,
            "state": status.look,
            "headline": status.headline,
            "detail": status.detail,
            "worker_pid": status.worker.pid if status.worker else None,
            "tray": self._tray.described(),
            "menu": {
                "open": self._menu.isVisible(),
                "geometry": box(self._menu.geometry()),
                "opened_ms": self._menu.opened_ms,
                "lines": described_menu(self._menu),
            },
            "windows": described_windows(self._qt.topLevelWidgets()),
            "notices": [notice.title for notice in self._board.kept],
            "longest_stall_ms": stall,
        }
        if self._heartbeat:
            self._heartbeat.skip()
        return shown

    def _end(self) -> None:
        self._reception.close()
        self._tray.icon.hide()
        for window in self._qt.topLevelWidgets():
            window.hide()
        self._background.stop(_THREADS_SECONDS)
        self._qt.exit(0)
