"""The list of all notices of this run."""

import datetime as dt

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
)

from app.notices.board import Board
from app.notices.policy import Notice
from app.window import Window


class NoticesWindow(Window):
    """Newest first; Enter or a double click opens what a notice is about."""

    def __init__(self, board: Board, places: QSettings) -> None:
        super().__init__("notices", places, width=560, height=380)
        self.setWindowTitle(self.tr("Notices – Memtray"))
        self._board = board
        title = QLabel(self.tr("Notices since the start"))
        title.setProperty("kind", "title")
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setSpacing(4)
        self.list.setAccessibleName(title.text())
        self.list.itemActivated.connect(self._open)
        self._none = QLabel(self.tr("Nothing has happened that you should know."))
        self._none.setProperty("kind", "muted")
        self._clear = QPushButton(self.tr("&Clear list"), autoDefault=False)
        self._clear.clicked.connect(board.clear)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self._clear, QDialogButtonBox.ButtonRole.ResetRole)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(8)
        for widget in (title, self._none, self.list, buttons):
            layout.addWidget(widget)
        board.changed.connect(self._show)
        self._show()

    def open(self) -> None:
        """Show the list with the newest notice chosen."""
        self.present()
        self.list.setFocus()

    def _show(self) -> None:
        self.list.clear()
        for notice in self._board.kept:
            item = QListWidgetItem(_line(notice), self.list)
            item.setData(Qt.ItemDataRole.UserRole, notice)
        self.list.setCurrentRow(0)
        some = bool(self._board.kept)
        self.list.setVisible(some)
        self._none.setVisible(not some)
        self._clear.setEnabled(some)

    def _open(self, item: QListWidgetItem) -> None:
        self._board.opened.emit(item.data(Qt.ItemDataRole.UserRole))


def _line(notice: Notice) -> str:
    when = dt.datetime.fromtimestamp(notice.at).strftime("%Y-%m-%d %H:%M")
    return f"{when}   {notice.title}\n{notice.text}"
