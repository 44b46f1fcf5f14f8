"""A message of the supervisor: over all other windows, holding up nothing, as high as its text."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QDialog, QWidget


class MessageDialog(QDialog):
    """Raised by `show_over`; the buttons of what is made of it only tell what was chosen."""

    def show_over(self, first: QWidget) -> None:
        """Come to the front with the keyboard at one of the buttons."""
        self._fit()
        self.show()
        self.raise_()
        self.activateWindow()
        first.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Be high enough for the wrapped texts at this width."""
        if layout := self.layout():
            self.setMinimumHeight(layout.totalHeightForWidth(self.width()))
