"""The icon in the tray: one look at it tells how the worker is."""

import sys

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QSystemTrayIcon

from app.status import AppStatus
from app.tray.described import box
from app.tray.icons import panel_of, state_icon
from app.tray.menu import TrayMenu
from app.tray.wording import tooltip

_MESSAGE_MS = 10_000
_Reason = QSystemTrayIcon.ActivationReason


def opens_search(reason: QSystemTrayIcon.ActivationReason, platform: str) -> bool:
    """Say whether a click opens the search window; on macOS it opens the menu, by itself."""
    return platform != "darwin" and reason in (_Reason.Trigger, _Reason.DoubleClick)


class Tray(QObject):
    """Shows the status as icon and tooltip, has the menu, and shows messages."""

    search_requested = Signal()
    message_clicked = Signal()

    def __init__(
        self,
        menu: TrayMenu,
        parent: QObject | None = None,
        *,
        platform: str = sys.platform,
    ) -> None:
        super().__init__(parent)
        self._platform = platform
        self._hints = QGuiApplication.styleHints()  # panels follow the system, not our setting
        self._status: AppStatus | None = None
        self._paused = ""
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(menu)
        self.icon.activated.connect(self._activated)
        self.icon.messageClicked.connect(self.message_clicked)
        self._hints.colorSchemeChanged.connect(self._draw)

    def show_status(self, status: AppStatus) -> None:
        """Show how the worker is from now on."""
        self._status = status
        self._draw()

    def show_paused(self, line: str) -> None:
        """Say that capture is paused; "" where it is not."""
        self._paused = line
        self._draw()

    def appear(self) -> None:
        """Take a place in the tray, once there is one."""
        self._draw()
        self.icon.show()

    def disappear(self) -> None:
        """Give the place up: there is no tray any more."""
        self.icon.hide()

    def tell(self, title: str, text: str) -> None:
        """Show a message for some seconds."""
        self.icon.showMessage(title, text, QIcon(self.icon.icon()), _MESSAGE_MS)

    def described(self) -> dict[str, object]:
        """Return what is seen of the icon, as plain data."""
        return {
            "visible": self.icon.isVisible(),
            "geometry": box(self.icon.geometry()),
            "tooltip": self.icon.toolTip(),
        }

    def _draw(self) -> None:
        if self._status is None:
            return
        panel = panel_of(self._platform, dark=self._hints.colorScheme() is Qt.ColorScheme.Dark)
        self.icon.setIcon(state_icon(self._status.look, panel))
        self.icon.setToolTip(tooltip(self._status, self._paused))

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if opens_search(reason, self._platform):
            self.search_requested.emit()
