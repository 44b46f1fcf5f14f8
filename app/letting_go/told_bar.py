"""What was just done, and the way back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from app.clients.labels import plain, show_text


class ToldBar(QFrame):
    """One sentence, perhaps a button that undoes it, and a cross; hidden while nothing is told."""

    undo_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "banner")
        self._text = plain()
        self._undo = QPushButton(self.tr("&Undo"))
        self._undo.clicked.connect(self.undo_wanted)
        cross = QToolButton()
        cross.setText("✕")
        cross.setAccessibleName(self.tr("Hide this message"))
        cross.setToolTip(cross.accessibleName())
        cross.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self._text, 1)
        row.addWidget(self._undo)
        row.addWidget(cross, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    def tell(self, text: str, *, kind: str = "", can_undo: bool = False) -> None:
        """Say what was done."""
        self.show()
        show_text(self._text, text, kind=kind)
        self._undo.setVisible(can_undo)
