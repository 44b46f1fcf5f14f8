"""What stands in the place of calls while there are none: why, and what to do."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget


class EmptyPage(QWidget):
    """Says that nothing was asked yet, or that nothing is recorded."""

    connect_requested = Signal()
    settings_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        center = Qt.AlignmentFlag.AlignCenter
        self._title = QLabel(alignment=center, wordWrap=True)
        self._title.setProperty("kind", "title")
        self._text = QLabel(alignment=center, wordWrap=True)
        self._text.setProperty("kind", "muted")
        self._connect = QPushButton(self.tr("&Connect Claude…"))
        self._connect.clicked.connect(self.connect_requested)
        self._settings = QPushButton(self.tr("Open the &privacy settings…"))
        self._settings.clicked.connect(self.settings_requested)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self._connect)
        buttons.addWidget(self._settings)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch()
        for part in (self._title, self._text):
            layout.addWidget(part)
        layout.addLayout(buttons)
        layout.addStretch()
        self.tell(recording=True)

    def tell(self, *, recording: bool) -> None:
        """Say why there is nothing."""
        self._connect.setVisible(recording)
        self._settings.setVisible(not recording)
        if recording:
            self._title.setText(self.tr("Claude has not asked for anything yet"))
            self._text.setText(
                self.tr(
                    "Connect Claude Desktop or Claude Code, then ask Claude, for example: “What "
                    "did we decide about the database? Search your memory.” What it asks for, and "
                    "which memories it sees, then stands here."
                )
            )
        else:
            self._title.setText(self.tr("Nothing is recorded"))
            self._text.setText(
                self.tr("The recording of what Claude asks for is switched off in the settings.")
            )
