"""The message that another program has the worker's port: who it is, and the ways out."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from app.supervisor.events import PortTaken
from app.supervisor.message_dialog import MessageDialog


class PortDialog(MessageDialog):
    """Shown by `present`; holds up nothing, and the buttons only tell what was chosen."""

    port_chosen = Signal(int)  # start there, from now on
    retry_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("port-taken")
        self.setWindowTitle(self.tr("The port is taken – Memtray"))
        self._next: int | None = None
        self.title = QLabel()
        self.title.setProperty("kind", "title")
        self.cause, self.advice = QLabel(), QLabel()
        self.advice.setProperty("kind", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        for label in (self.title, self.cause, self.advice):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            layout.addWidget(label)
        layout.addStretch(1)
        layout.addWidget(self._buttons())
        self.resize(520, 240)

    def present(self, what: PortTaken) -> None:
        """Show who has the port; what is on the screen already is brought up to date."""
        self._next = what.next_free_port
        self.title.setText(self.tr("Port {port} is taken").format(port=what.port))
        self.cause.setText(self._cause(what))
        self.advice.setText(self._advice(what))
        self.move_to.setVisible(self._next is not None)
        self.move_to.setText(self.tr("&Use port {port}").format(port=self._next))
        self.show_over(self.move_to)

    def _cause(self, what: PortTaken) -> str:
        if what.is_reserved:
            return self.tr("The system keeps this port for itself.")
        if what.pid is None:
            return self.tr("Another program has it; the system does not tell which.")
        who = self.tr("{name} (process {pid}) has it.").format(name=what.name, pid=what.pid)
        if what.is_claude_mem:
            return (
                who + " " + self.tr("That is claude-mem's own worker, which Memtray leaves alone.")
            )
        return who

    def _advice(self, what: PortTaken) -> str:
        other = self.tr(
            "Memtray can use another port from now on. Claude and the other programs find it there"
            " by themselves; nothing else has to be changed."
        )
        if what.is_reserved or what.is_claude_mem:
            return other
        return other + " " + self.tr("Or end that program, and try again.")

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole
        self.move_to = buttons.addButton("", role.AcceptRole)
        self.retry = buttons.addButton(self.tr("&Try again"), role.ActionRole)
        self.move_to.clicked.connect(self._choose)
        self.retry.clicked.connect(self.retry_requested)
        self.retry.clicked.connect(self.hide)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return buttons

    def _choose(self) -> None:
        if self._next is not None:
            self.port_chosen.emit(self._next)
