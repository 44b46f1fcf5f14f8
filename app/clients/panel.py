"""The clients, one below the other: used by the settings, the health panel and the first run."""

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.clients.asked_label import AskedLabel
from app.clients.connections import Connections
from app.clients.labels import plain
from app.clients.row import ClientRow
from app.theme import Theme
from app.worker_client import WorkerClient


class ClientsPanel(QWidget):
    """A row for each client, and whether one of them has really asked."""

    def __init__(self, connections: Connections, client: WorkerClient, theme: Theme) -> None:
        super().__init__()
        self._connections, self._theme = connections, theme
        self.rows: dict[str, ClientRow] = {}
        self._looking = plain(self.tr("Looking for Claude…"), kind="muted")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(12)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self._looking)
        layout.addLayout(self._rows)
        layout.addWidget(AskedLabel(connections, client))
        layout.addStretch(1)
        connections.changed.connect(self._show)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._connections.look_now()

    def _show(self) -> None:
        for report in self._connections.reports:
            if report.client not in self.rows:
                self.rows[report.client] = ClientRow(report.client, self._connections, self._theme)
                self._rows.addWidget(self.rows[report.client])
            self.rows[report.client].show_report(report)
        self._looking.setVisible(not self.rows)
