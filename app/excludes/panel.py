"""The list of excludes, with a box in which a pattern is tried before it holds."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.clients.labels import plain, show_text
from app.excludes.wording import places, stored_line, tested_line
from app.worker_client import Call, WorkerClient
from worker.shared.capture import Exclude, ExcludesReply, TestReply
from worker.shared.errors import MemtrayError

_PAUSE_MS = 200  # of typing, after which a pattern is tried
_ROWS = 5


class ExcludesPanel(QWidget):
    """Asks the worker what a pattern means while it is typed; nothing holds before Add."""

    def __init__(self, client: WorkerClient) -> None:
        super().__init__()
        self._client = client
        self._excludes: Sequence[Exclude] = ()
        self._test: Call | None = None
        self._later = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._later.timeout.connect(self._try)
        self._box = QLineEdit(maxLength=200)
        self._box.setAccessibleName(self.tr("Pattern to exclude"))
        self._box.setPlaceholderText(self.tr("secret-*   or   ~/code/secret"))
        self._add = QPushButton(self.tr("A&dd"))
        self._outcome, self._trouble = plain(kind="muted"), plain(kind="error")
        self._list = QListWidget()
        self._list.setAccessibleName(self.tr("Excluded"))
        self._means = plain(kind="muted")
        self._remove = QPushButton(self.tr("Remo&ve"))
        self._stored = plain()
        self._connect()
        self._arrange()
        self._typed("")
        self._chosen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def look(self) -> None:
        """Ask which patterns there are."""
        self._show_call(self._client.get("/api/excludes", {}, ExcludesReply))

    # ------------------------------------------------------------------ trying
    def _typed(self, text: str) -> None:
        self._add.setEnabled(bool(text.strip()))
        show_text(self._trouble, "", kind="error")
        self._later.start()

    def _try(self) -> None:
        if self._test is not None:
            self._test.abort()
            self._test = None
        if not (pattern := self._box.text().strip()):
            show_text(self._outcome, "", kind="muted")
            return
        self._test = self._client.get("/api/excludes/test", {"pattern": pattern}, TestReply)
        self._test.done.connect(self._tried)
        self._test.failed.connect(self._not_tried)

    def _tried(self, reply: TestReply) -> None:
        self._test = None
        show_text(self._outcome, tested_line(reply), kind="muted")

    def _not_tried(self, error: MemtrayError) -> None:
        self._test = None
        show_text(self._outcome, "", kind="muted")
        self._complain(error)

    # ------------------------------------------------------------------ changing
    def _keep(self) -> None:
        if pattern := self._box.text().strip():
            self._show_call(
                self._client.post("/api/excludes", {"pattern": pattern}, ExcludesReply)
            ).done.connect(self._kept)

    def _kept(self) -> None:
        self._box.clear()
        self._list.setCurrentRow(self._list.count() - 1)

    def _let_in(self) -> None:
        if (row := self._list.currentRow()) >= 0:
            body = {"pattern": self._excludes[row].pattern}
            self._show_call(self._client.post("/api/excludes/remove", body, ExcludesReply))

    def _show_call(self, call: Call) -> Call:
        call.done.connect(self._show)
        call.failed.connect(self._complain)
        return call

    def _show(self, reply: ExcludesReply) -> None:
        show_text(self._trouble, "", kind="error")
        row = self._list.currentRow()
        self._excludes = reply.excludes
        self._list.clear()
        self._list.addItems([exclude.pattern for exclude in reply.excludes])
        self._list.setCurrentRow(min(row, self._list.count() - 1))
        self._chosen()

    def _complain(self, error: MemtrayError) -> None:
        show_text(self._trouble, f"✕ {error.detail}", kind="error")

    def _chosen(self) -> None:
        """Say what the chosen pattern means, and what is stored of it."""
        row = self._list.currentRow()
        self._remove.setEnabled(row >= 0)
        matches = self._excludes[row].matches if 0 <= row < len(self._excludes) else []
        lines = places(matches) or [self.tr("It matches no known project.")]
        show_text(self._means, "\n".join(lines) if row >= 0 else "", kind="muted")
        exempts = row >= 0 and self._excludes[row].pattern.startswith("!")
        stored = [] if exempts else [place for place in matches if place.memories]
        show_text(self._stored, stored_line(stored))

    # ------------------------------------------------------------------ the parts
    def _connect(self) -> None:
        self._box.textChanged.connect(self._typed)
        self._box.returnPressed.connect(self._keep)
        self._add.clicked.connect(self._keep)
        self._remove.clicked.connect(self._let_in)
        self._list.currentRowChanged.connect(self._chosen)

    def _arrange(self) -> None:
        title = QLabel(self.tr("&Exclude projects and folders"))
        title.setBuddy(self._box)
        hint = self.tr(
            "They are not imported, not watched and not saved. As in .gitignore: a name means "
            "each project and folder of that name and all below it; ~/code/secret means one "
            "folder; * stands for any letters, ** for any folders; ! exempts, and the last "
            "pattern that matches decides. The case of letters does not matter."
        )
        entry = QHBoxLayout()
        entry.setSpacing(8)
        entry.addWidget(self._box, 1)
        entry.addWidget(self._add)
        self._list.setMaximumHeight(_ROWS * (self.fontMetrics().height() + 8))
        below = QHBoxLayout()
        below.addWidget(self._remove)
        below.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(plain(hint, kind="muted"))
        layout.addLayout(entry)
        for widget in (self._trouble, self._outcome, self._list, self._means, self._stored):
            layout.addWidget(widget)
        layout.addLayout(below)
