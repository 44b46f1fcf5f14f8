"""The question before memories go."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.clients.labels import plain
from app.letting_go.wording import names, question
from worker.shared.contract import Item


class DeleteDialog(QDialog):
    """Names what will go; `accepted` is the consent."""

    def __init__(self, items: Sequence[Item], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("delete")
        self.setWindowTitle(self.tr("Delete – Memtray"))
        self.setMinimumWidth(64 * self.fontMetrics().averageCharWidth())
        hint = self.tr(
            "What is deleted is found nowhere, neither here nor by Claude, and importing does not "
            "bring it back. You can undo it for 30 days."
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        delete = buttons.addButton(self.tr("&Delete"), QDialogButtonBox.ButtonRole.AcceptRole)
        delete.setDefault(True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(plain(question(len(items)), kind="title"))
        layout.addWidget(plain(names(items)))
        layout.addWidget(plain(hint, kind="muted"))
        layout.addWidget(buttons)
