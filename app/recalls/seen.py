"""What Claude saw: the memories in the answer to one call."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.recalls.wording import asked_text, client_name, full_moment, tool_name
from worker.shared.recalls_contract import Recall, Seen


class SeenPanel(QWidget):
    """Shows one call; `memory_requested` when a memory is clicked, or Enter pressed on it."""

    memory_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._title = QLabel(self.tr("What Claude saw"))
        self._title.setProperty("kind", "title")
        self._asked = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._asked.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._facts = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._facts.setProperty("kind", "muted")
        self._problem = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._problem.setProperty("kind", "error")
        self.memories = QListWidget()
        self.memories.setWordWrap(True)
        self.memories.setSpacing(4)
        self.memories.setAccessibleName(self.tr("Memories that Claude saw"))
        self.memories.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.memories.clicked.connect(self._open)
        self.memories.activated.connect(self._open)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 0, 0)
        for part in (self._title, self._asked, self._facts, self._problem, self.memories):
            layout.addWidget(part)
        self.clear()

    def clear(self) -> None:
        """Show that no call is chosen."""
        self._asked.setText(self.tr("Choose a call on the left."))
        self._facts.clear()
        self._problem.hide()
        self.memories.clear()

    def show_recall(self, recall: Recall) -> None:
        """Show one call and the memories in its answer."""
        self._asked.setText(asked_text(recall))
        self._facts.setText(self._facts_of(recall))
        self._problem.setText(recall.problem)
        self._problem.setVisible(bool(recall.problem))
        self.memories.clear()
        for seen in recall.seen:
            self.memories.addItem(self._item(seen))

    def _facts_of(self, recall: Recall) -> str:
        return self.tr("{client}, {tool}, {time}: about {tokens} tokens in {ms} ms").format(
            client=client_name(recall.client),
            tool=tool_name(recall.tool),
            time=full_moment(recall),
            tokens=recall.tokens,
            ms=recall.ms,
        )

    def _item(self, seen: Seen) -> QListWidgetItem:
        gone = not seen.title and not seen.type
        title = self.tr("not there any more") if gone else f"{seen.title}  ·  {seen.type}"
        item = QListWidgetItem(f"{seen.ref}  {title}")
        item.setData(Qt.ItemDataRole.UserRole, "" if gone else seen.ref)
        if gone:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
        return item

    def _open(self, index: QModelIndex) -> None:
        if ref := index.data(Qt.ItemDataRole.UserRole):
            self.memory_requested.emit(ref)
