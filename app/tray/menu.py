"""The menu of the icon: the actions in their order, opened without waiting for anybody."""

import time

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QMenu

from app.tray.actions import Actions


class TrayMenu(QMenu):
    """Shows the actions; `opened_ms` is how long the last opening took, until it was painted."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.opened_ms: float | None = None
        self._opening: float | None = None
        self.aboutToShow.connect(self._begin)
        a = actions
        self.addActions([a.search])
        self.addSeparator()
        self.addActions([a.status])
        self._below_causes = self.addSeparator()
        self.addActions([a.paused, a.start, a.stop, a.restart])
        self.addSeparator()
        self.addMenu(a.recent)
        self.addMenu(a.recalls)
        self.addMenu(a.imports)
        self.addMenu(a.capture)
        self.addActions([a.backups, a.logs, a.health, a.notices])
        self.addSeparator()
        self.addActions([a.login, a.settings, a.about])
        self.addSeparator()
        self.addActions([a.quit])
        self.setDefaultAction(a.search)
        actions.causes_changed.connect(self._show_causes)
        self._show_causes()

    def prepare(self) -> None:
        """Work out once how it looks, which takes longer than all that an opening does."""
        self.ensurePolished()
        self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._opening is not None:
            self.opened_ms = (time.monotonic() - self._opening) * 1000
            self._opening = None

    def _begin(self) -> None:
        self._opening, self.opened_ms = time.monotonic(), None

    def _show_causes(self) -> None:
        self.insertActions(self._below_causes, self._actions.causes)
