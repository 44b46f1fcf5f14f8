"""One client: how it is, why, and what can be done about it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from app.background import Job
from app.clients.connections import Connections
from app.clients.labels import plain, show_text
from app.clients.plan_dialog import PlanDialog
from app.clients.wiring import Outcome, Plan
from app.clients.words import name_of, said_of, standing
from app.spoken import said
from app.theme import Theme
from worker.shared.clients import code
from worker.shared.clients.state import ClientReport, ClientState
from worker.shared.errors import MemtrayError

_OURS = (ClientState.CONNECTED, ClientState.OTHER_PLACE)
_CAN_CONNECT = (ClientState.NOT_CONNECTED, ClientState.OTHER_PLACE)


class ClientRow(QFrame):
    """Shows one report, and does what its buttons say."""

    def __init__(self, client: str, connections: Connections, theme: Theme) -> None:
        super().__init__()
        self.setProperty("kind", "banner")
        self.setAccessibleName(name_of(client))
        self._client, self._connections, self._theme = client, connections, theme
        self._dialog: PlanDialog | None = None
        self._name = plain(name_of(client))
        font = self._name.font()
        font.setBold(True)
        self._name.setFont(font)
        self._state, self._path = plain(), plain(kind="muted")
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._cause, self._remedy, self._notes = plain(), plain(), plain(kind="muted")
        self._message = plain()
        self._told: bool | None = None  # the state that the message speaks of
        self._seen: ClientState | None = None
        self._failed_in: ClientState | None = None  # the state in which something went wrong
        self.connect_button = self._button(self.tr("Connect…"), self._plan_connect)
        self.again_button = self._button(self.tr("Add again"), self._connect_at_once)
        self.disconnect_button = self._button(self.tr("Disconnect…"), self._plan_disconnect)
        self.undo_button = self._button(self.tr("Undo last change"), self._undo)
        self.copy_button = self._button(self.tr("Copy line"), self._copy)
        self._lay_out()

    def show_report(self, report: ClientReport) -> None:
        """Show how the client is now."""
        how = standing(report, self._connections.kept(self._client))
        show_text(self._state, f"{how.shape} {how.words}", kind=how.kind)
        show_text(self._path, str(report.path or ""), kind="muted")
        absent = report.state in (ClientState.NOT_CONNECTED, ClientState.NOT_INSTALLED)
        show_text(self._cause, "" if absent else said(report.cause))
        show_text(self._remedy, how.remedy)
        show_text(self._notes, "\n".join(map(said, report.notes)), kind="muted")
        self._offer(report.state)
        self._seen = report.state
        is_past = self._failed_in not in (None, report.state)
        if is_past or self._told not in (None, report.state is ClientState.CONNECTED):
            self._said("")

    def _offer(self, state: ClientState) -> None:
        missing = self._connections.kept(self._client).missing
        self.again_button.setVisible(missing and state in _CAN_CONNECT)
        self.connect_button.setVisible(state in _CAN_CONNECT)
        self.disconnect_button.setVisible(state in _OURS)
        self.undo_button.setVisible(self._connections.can_undo(self._client))
        self.copy_button.setVisible(
            self._client == code.CLIENT and state is not ClientState.CONNECTED
        )

    # ------------------------------------------------------------------ what buttons do

    def _plan_connect(self) -> None:
        self._start(self._connections.plan(self._client), self._ask)

    def _plan_disconnect(self) -> None:
        self._start(self._connections.plan(self._client, connects=False), self._ask)

    def _connect_at_once(self) -> None:
        self._start(self._connections.connect_client(self._client), self._tell)

    def _undo(self) -> None:
        self._start(self._connections.undo(self._client), self._tell)

    def _copy(self) -> None:
        self._start(self._connections.plan(self._client), self._copy_line)

    def _carry_out(self, plan: Plan) -> None:
        self._start(self._connections.carry_out(plan), self._tell)

    # ------------------------------------------------------------------ what comes of it

    def _ask(self, plan: Plan) -> None:
        """Show the change before it is made."""
        self._rest()
        self._dialog = PlanDialog(plan, self._theme, self)
        self._dialog.agreed.connect(self._carry_out)
        self._dialog.finished.connect(self._dialog.deleteLater)
        self._dialog.open()

    def _tell(self, done: Outcome) -> None:
        self._rest()
        if done.to_type:
            QGuiApplication.clipboard().setText(done.to_type)
            self._said(self.tr("There is no command claude here; the line is copied."))
            return
        self._said("✓ " + said_of(done), kind="good", told=done.connected)

    def _copy_line(self, plan: Plan) -> None:
        self._rest()
        QGuiApplication.clipboard().setText(plan.command)
        said = self.tr("✓ Copied, to be typed where Claude Code is: {line}")
        self._said(said.format(line=plan.command), kind="good")

    def _failed(self, problem: Exception) -> None:
        self._rest()
        said = problem.detail if isinstance(problem, MemtrayError) else str(problem)
        self._said(f"✕ {said}", kind="error")
        self._failed_in = self._seen

    # ------------------------------------------------------------------ how it looks

    def _start(self, job: Job, done: Callable[..., None]) -> None:
        self._said(self.tr("One moment…"), kind="muted")
        self._enable(on=False)
        job.done.connect(done)
        job.failed.connect(self._failed)

    def _rest(self) -> None:
        self._enable(on=True)
        self._said("")

    def _said(self, text: str, *, kind: str = "", told: bool | None = None) -> None:
        self._told, self._failed_in = told, None
        show_text(self._message, text, kind=kind)

    def _enable(self, *, on: bool) -> None:
        for button in self.findChildren(QPushButton):
            button.setEnabled(on)

    def _button(self, text: str, slot: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(slot)
        button.setVisible(False)
        button.setAccessibleName(f"{text} ({name_of(self._client)})")
        return button

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(6)
        top = QHBoxLayout()
        top.addWidget(self._name)
        top.addWidget(self._state, 1)
        layout.addLayout(top)
        for label in (self._path, self._cause, self._remedy, self._notes):
            layout.addWidget(label)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (
            self.again_button,
            self.connect_button,
            self.disconnect_button,
            self.undo_button,
            self.copy_button,
        ):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout.addLayout(buttons)
        layout.addWidget(self._message)
