"""The line `Start at login`: it shows the real entry of the system, each time anew."""

from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from app.background import Background


class Login(Protocol):
    """What the system's own mechanism can do; each blocks for a moment."""

    def is_on(self) -> bool: ...
    def turn_on(self) -> None: ...
    def turn_off(self) -> None: ...


class LoginSwitch(QObject):
    """Keeps a checkable action equal to the entry; `failed` tells why a change was not made."""

    failed = Signal(object)  # an exception

    def __init__(
        self, action: QAction, login: Login, background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._action, self._login, self._background = action, login, background
        action.triggered.connect(self._change)

    def look(self) -> None:
        """Show what is so now, as soon as it is known."""
        self._background.run("login", self._login.is_on).done.connect(self._show)

    def _change(self, wanted: bool) -> None:
        job = self._background.run("login", self._login.turn_on if wanted else self._login.turn_off)
        job.done.connect(self.look)
        job.failed.connect(self._complain)

    def _show(self, on: bool) -> None:
        self._action.setChecked(on)

    def _complain(self, error: Exception) -> None:
        self.failed.emit(error)
        self.look()
