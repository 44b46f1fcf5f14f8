"""A button that is what an action of the menu is: same words, same moments."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget


class ActionButton(QPushButton):
    """Does what the action does."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._action = action
        self.setAutoDefault(True)
        self.clicked.connect(self._trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _trigger(self) -> None:
        self._action.trigger()

    def _follow(self) -> None:
        self.setText(self._action.text())
        self.setToolTip(self._action.toolTip())
        self.setEnabled(self._action.isEnabled())
        self.setVisible(self._action.isVisible())


class ActionCheck(QCheckBox):
    """Shows and changes an action that is on or off."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(action.text(), parent)
        self.setChecked(action.isChecked())
        action.toggled.connect(self.setChecked)
        self.clicked.connect(action.trigger)
