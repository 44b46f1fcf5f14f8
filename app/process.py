"""What the process as a whole needs: Qt's application, one log for everything, polite ends."""

import logging
import signal
import socket
import sys
from collections.abc import Mapping, MutableMapping
from types import TracebackType

from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    QtMsgType,
    Signal,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from app.tray.icons import application_icon
from worker.shared.errors import MemtrayError
from worker.shared.frozen import qt_has_begun

log = logging.getLogger(__name__)

# each tells Qt where it is to draw
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")
_ENDING = (signal.SIGTERM, signal.SIGINT)
_TURN_SECONDS = 0.001  # for which a busy thread may keep the GUI thread waiting, each time

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class NoScreenError(MemtrayError):
    """Nothing can be drawn, as in a terminal of another machine."""

    title = "There is no screen"


def expect_screen(platform: str, environ: Mapping[str, str]) -> None:
    """Raise NoScreenError where Qt would end the process for want of one."""
    if platform in ("win32", "darwin") or any(environ.get(name) for name in _SCREENS):
        return
    if environ.get("XDG_SESSION_TYPE") != "wayland":
        raise NoScreenError(
            "Neither DISPLAY nor WAYLAND_DISPLAY is set. Start Memtray from a desktop; "
            "memtray-worker does without one."
        )


def stay_behind(platform: str, environ: MutableMapping[str, str], *, frozen: bool) -> None:
    """Have a start without a window leave the keyboard of macOS to whom it is with.

    Only the packaged app, whose Info.plist says what kind of an app it is: Qt does that else.
    """
    if platform == "darwin" and frozen:
        environ.setdefault("QT_MAC_DISABLE_FOREGROUND_APPLICATION_TRANSFORM", "1")


class Process(QApplication):
    """Qt's application, which tells that it is to end and leaves when to its owner.

    Qt would end it at once, with Cmd+Q of macOS and at the end of a session.
    """

    end_asked = Signal()

    def event(self, event: QEvent) -> bool:
        """Take Qt's own wish to quit for a question."""
        if event.type() is QEvent.Type.Quit:
            self.end_asked.emit()
            return True
        return super().event(event)


def new_application(arguments: list[str]) -> Process:
    """Return Qt's application, which no closing of a window ends."""
    sys.setswitchinterval(_TURN_SECONDS)
    application = Process(arguments)
    qt_has_begun()
    application.setApplicationName("memtray")
    application.setApplicationDisplayName("Memtray")
    application.setDesktopFileName("memtray")
    application.setWindowIcon(application_icon())
    application.setQuitOnLastWindowClosed(False)
    application.setQuitLockEnabled(False)
    return application


def log_everything() -> None:
    """Have what Qt says, and what nobody caught, stand in the log; neither ends the app."""
    qInstallMessageHandler(_log_qt)
    sys.excepthook = _log_uncaught


def _log_qt(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    category = getattr(context, "category", None) or "default"
    logging.getLogger(f"qt.{category}").log(_LEVELS.get(kind, logging.WARNING), "%s", message)


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.critical("nobody caught this; the app goes on", exc_info=(kind, error, trace))


def ignore_end_signals() -> None:
    """Have a signal to end that comes again not kill a process that is ending well."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


class EndSignals(QObject):
    """Tells when the system or a terminal asks the process to end, where signals do that."""

    received = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ours, self._pythons = socket.socketpair()
        for end in (self._ours, self._pythons):
            end.setblocking(False)
        signal.set_wakeup_fd(self._pythons.fileno(), warn_on_full_buffer=False)
        for number in _ENDING:
            signal.signal(number, _leave_it_to_qt)
        notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        notifier.activated.connect(self._read)

    def _read(self) -> None:
        if self._ours.recv(64):
            self.received.emit()


def _leave_it_to_qt(_number: int, _frame: object) -> None:
    """Python has written the signal into the socket; that wakes Qt."""
