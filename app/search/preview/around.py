"""The timeline around the memory that is shown: one click moves to another."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.search.preview.timeline import Role, TimelineModel
from app.worker_client import Call, WorkerClient
from worker.shared.contract import MAX_DEPTH, Item, TimelineReply

DEPTH = 3  # on each side, at first
_MORE = 10


class Around(QWidget):
    """Asks for the neighbours of one memory and lists them."""

    chosen = Signal(str)  # the ref of another memory

    def __init__(self, client: WorkerClient, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._call: Call | None = None
        self._anchor = ""
        self._missed = False
        self._before = self._after = DEPTH
        self.model = TimelineModel(self)
        self._list = self._make_list()
        self._earlier = self._make_button(self.tr("More &before"), self.more_before)
        self._later = self._make_button(self.tr("More &after"), self.more_after)
        self._arrange()

    def show_around(self, anchor: str) -> None:
        """List what lies around this memory; what is on screen stays until it has come."""
        self._before = self._after = DEPTH
        self._ask(anchor)
        self.model.move_anchor(anchor)

    def clear(self) -> None:
        """List nothing."""
        self._drop()
        self._anchor, self._missed = "", False
        self.model.show((), "")
        self._tell_ends()

    def ask_again(self) -> None:
        """Ask once more where the last question was not answered."""
        if self._missed:
            self._ask(self._anchor)

    def more_before(self) -> None:
        """List more of what happened earlier."""
        self._before = min(self._before + _MORE, MAX_DEPTH)
        self._ask(self._anchor)

    def more_after(self) -> None:
        """List more of what happened later."""
        self._after = min(self._after + _MORE, MAX_DEPTH)
        self._ask(self._anchor)

    def _ask(self, anchor: str) -> None:
        self._drop()
        self._anchor, self._missed = anchor, False
        params = {
            "anchor": anchor,
            "depth_before": self._before,
            "depth_after": self._after,
            "format": "json",
        }
        self._call = self._client.get("/api/timeline", params, TimelineReply)
        self._call.done.connect(self._show)
        self._call.failed.connect(self._fail)

    def _drop(self) -> None:
        if self._call is not None:
            self._call.abort()
        self._call = None

    def _show(self, reply: object) -> None:
        assert isinstance(reply, TimelineReply)  # noqa: S101 - the call's own model
        self._call = None
        self.model.show(reply.items, reply.anchor)
        row = self.model.anchor_row
        self._list.setCurrentIndex(self.model.index(row))
        self._list.scrollTo(self.model.index(row), QAbstractItemView.ScrollHint.PositionAtCenter)
        self._tell_ends()

    def _fail(self, _error: object) -> None:
        """Leave what is on screen if it is about this memory; why it fails is told above."""
        self._call, self._missed = None, True
        if self.model.anchor_row < 0:
            self.model.show((), "")
        self._tell_ends()

    def _tell_ends(self) -> None:
        """Offer more where there may be more."""
        row, rows = self.model.anchor_row, self.model.rowCount()
        self._earlier.setEnabled(row >= self._before and self._before < MAX_DEPTH)
        self._later.setEnabled(0 <= row < rows - self._after and self._after < MAX_DEPTH)

    def _choose(self, index: QModelIndex) -> None:
        item = index.data(Role.ITEM)
        if isinstance(item, Item) and item.ref != self._anchor:
            self.chosen.emit(item.ref)

    def _make_list(self) -> QListView:
        view = QListView()
        view.setModel(self.model)
        view.setUniformItemSizes(True)
        view.setSpacing(2)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setAccessibleName(self.tr("What happened before and after"))
        view.clicked.connect(self._choose)
        view.activated.connect(self._choose)
        return view

    def _make_button(self, text: str, act: object) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.clicked.connect(act)
        return button

    def _arrange(self) -> None:
        head = QHBoxLayout()
        label = QLabel(self.tr("Before and after"))
        label.setProperty("kind", "muted")
        head.addWidget(label)
        head.addStretch()
        head.addWidget(self._earlier)
        head.addWidget(self._later)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self._list)
        self._tell_ends()
