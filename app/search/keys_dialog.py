"""The list of keys."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.search.keys import Key
from app.window import room


class KeysDialog(QDialog):
    """Each key and what it does, as in the table."""

    def __init__(self, keys: Sequence[Key], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keys of the search window – Memtray"))
        content = QWidget()
        rows = QFormLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(24)
        rows.setVerticalSpacing(6)
        for key in keys:
            name = QLabel(key.shown)
            name.setProperty("kind", "muted")
            text = QLabel(key.text)
            text.setTextFormat(Qt.TextFormat.PlainText)
            rows.addRow(name, text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(content)
        layout.addWidget(area)
        layout.addWidget(buttons)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        beside = QSize(32 + area.verticalScrollBar().sizeHint().width(), 44)
        wanted = content.sizeHint() + beside + QSize(0, buttons.sizeHint().height())
        self.resize(wanted.boundedTo(room()))
