"""The list of keys."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from app.search.keys import Key


class KeysDialog(QDialog):
    """Each key and what it does, as in the table."""

    def __init__(self, keys: Sequence[Key], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keys of the search window – Memtray"))
        rows = QFormLayout()
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
        layout.addLayout(rows)
        layout.addWidget(buttons)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
