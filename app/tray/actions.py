"""What a person can do from the icon, or from the window where there is none: each thing once."""

import datetime as dt

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.recalls.wording import headline
from app.status import AppStatus, Impairment
from app.tray.wording import (
    cause_line,
    in_menu,
    quit_line,
    recalls_of,
    status_line,
)
from worker.shared.contract import SearchReply
from worker.shared.recalls_contract import RecallsReply


class Actions(QObject):
    """The lines of the menu as actions; each tells by a signal of its own that it was chosen."""

    memory_chosen = Signal(str)  # the ref of a memory
    recalls_chosen = Signal()
    cause_chosen = Signal(object)  # an Impairment
    causes_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.search = self._action(self.tr("&Search memory…"))
        self.status = self._action("")
        self.causes: list[QAction] = []
        self.paused = self._action("")
        self.start = self._action(self.tr("S&tart worker"))
        self.stop = self._action(self.tr("St&op worker"))
        self.restart = self._action(self.tr("&Restart worker"))
        self.recent = QMenu(self.tr("Recent &memories"))
        self.recalls = QMenu(self.tr("&Claude's recalls today"))
        self.imports = QMenu(self.tr("&Import"))
        self.import_sessions = self._action("")
        self.import_files = self._action(self.tr("&Files or a folder…"))
        self.import_undo = self._action(self.tr("&Undo the last import…"))
        self.imports.addActions([self.import_sessions, self.import_files, self.import_undo])
        self.capture = QMenu(self.tr("&Pause capture"))
        self.pause_hour = self._action(self.tr("For an &hour"))
        self.pause_day = self._action(self.tr("For &today"))
        self.pause = self._action(self.tr("&Until I go on"))
        self.resume = self._action(self.tr("&Go on capturing"))
        self.capture.addActions([self.pause_hour, self.pause_day, self.pause, self.resume])
        self.backups = self._action(self.tr("Bac&kups…"))
        self.logs = self._action(self.tr("&Logs…"))
        self.health = self._action(self.tr("&Health…"))
        self.notices = self._action(self.tr("&Notices…"))
        self.login = self._action(self.tr("Start &at login"))
        self.settings = self._action(self.tr("S&ettings…"))
        self.about = self._action(self.tr("A&bout and diagnostics…"))
        self.quit = self._action("")
        self.login.setCheckable(True)
        self.notices.setVisible(False)
        self.import_undo.setVisible(False)
        self.show_sessions(0)
        self.show_paused("")
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.quit.setShortcut(QKeySequence(QKeySequence.StandardKey.Quit))
        self.quit.setShortcutVisibleInContextMenu(False)  # no key reaches an icon
        self.recent.triggered.connect(self._chosen)
        self.recalls.triggered.connect(self.recalls_chosen)
        for menu in (self.recent, self.recalls):
            self._say_nothing(menu, self.tr("Not known yet"))

    def show_status(self, status: AppStatus) -> None:
        """Say how the worker is, what impairs it, and what can be done."""
        self.status.setText(status_line(status))
        self.quit.setText(quit_line(status))
        self.start.setEnabled(status.can_start)
        self.stop.setEnabled(status.can_stop and not status.can_start)
        self.restart.setEnabled(status.can_stop)
        self._show_causes(status.impairments)

    def show_memories(self, reply: SearchReply) -> None:
        """List the newest memories."""
        self.recent.clear()
        for item in reply.items:
            self.recent.addAction(in_menu(item.title)).setData(item.ref)
        if not reply.items:
            self._say_nothing(self.recent, self.tr("There are no memories yet"))

    def show_recalls(self, reply: RecallsReply) -> None:
        """Sum up what Claude asked today, and list the last of it."""
        self.recalls.clear()
        for line in (in_menu(headline(reply.today)), *recalls_of(reply, dt.date.today())):
            self.recalls.addAction(line)
        self.recalls.addSeparator()
        self.recalls.addAction(self.tr("&All recalls and charts…"))

    def show_paused(self, line: str) -> None:
        """Say that capture is paused; "" where it is not."""
        text = self.tr("{paused} – go on").format(paused=line)
        self.paused.setText(in_menu(text))
        self.paused.setVisible(bool(line))
        self.resume.setEnabled(bool(line))

    def show_sessions(self, count: int) -> None:
        """Say how many sessions of Claude Code can be imported."""
        text = self.tr("&Claude Code's sessions ({n})…").format(n=QLocale().toString(count))
        self.import_sessions.setText(text)

    def _show_causes(self, impairments: tuple[Impairment, ...]) -> None:
        if [action.data() for action in self.causes] == list(impairments):
            return
        for old in self.causes:
            old.setVisible(False)
            old.deleteLater()
        self.causes = [self._cause(impairment) for impairment in impairments]
        self.causes_changed.emit()

    def _cause(self, impairment: Impairment) -> QAction:
        action = self._action(cause_line(impairment))
        action.setData(impairment)
        action.setToolTip(impairment.remedy)
        action.triggered.connect(self._cause_triggered)
        return action

    def _cause_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.cause_chosen.emit(action.data())

    def _chosen(self, action: QAction) -> None:
        if isinstance(action.data(), str):
            self.memory_chosen.emit(action.data())

    def _action(self, text: str) -> QAction:
        return QAction(text, self)

    def _say_nothing(self, menu: QMenu, text: str) -> None:
        menu.clear()
        menu.addAction(text).setEnabled(False)
