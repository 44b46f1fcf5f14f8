"""What needs a person: told by a notice or, while somebody is there, by a window."""

from functools import cached_property

from PySide6.QtCore import QObject

from app.importing.wording import result_lines
from app.notices.board import Board
from app.notices.policy import Kind, Notice
from app.status import AppStatus, Impairment, Look
from app.supervisor.events import GaveUp, PortTaken
from app.supervisor.gave_up_dialog import GaveUpDialog
from app.supervisor.message_dialog import MessageDialog
from app.supervisor.port_dialog import PortDialog
from app.supervisor.supervisor import Supervisor
from app.windows import Windows
from worker.shared.clients.state import ClientReport
from worker.shared.errors import MemtrayError
from worker.shared.jobs import JobReply, JobState

LONG_IMPORT_SECONDS = 30.0
CLIENT_NAMES = {"claude-desktop": "Claude Desktop", "claude-code": "Claude Code"}


class Troubles(QObject):
    """Makes notices of what happens, and opens what helps."""

    def __init__(
        self, supervisor: Supervisor, windows: Windows, board: Board, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.attended = False  # a person has opened something: a window may come up by itself
        self._supervisor, self._windows, self._board = supervisor, windows, board
        self._look = supervisor.status.look
        self._last: GaveUp | PortTaken | None = None
        self._messages: list[MessageDialog] = []  # about a worker that does not run
        supervisor.gave_up.connect(self._gave_up)
        supervisor.port_taken.connect(self._port_taken)
        board.opened.connect(self.open_notice)

    @cached_property
    def gave_up_dialog(self) -> GaveUpDialog:
        """The message that the worker crashed too often."""
        dialog = GaveUpDialog()
        dialog.restart_requested.connect(self._supervisor.restart)
        dialog.diagnostics_requested.connect(self._windows.open_diagnostics)
        dialog.logs_requested.connect(self._windows.open_logs)
        self._messages.append(dialog)
        return dialog

    @cached_property
    def port_dialog(self) -> PortDialog:
        """The message that another program has the port."""
        dialog = PortDialog()
        dialog.port_chosen.connect(self._supervisor.start)
        dialog.retry_requested.connect(self._retry)
        self._messages.append(dialog)
        return dialog

    def follow(self, status: AppStatus) -> None:
        """Take in the new status; an error that nobody told otherwise becomes a notice."""
        fell = status.look is Look.ERROR and self._look is not Look.ERROR
        self._look = status.look
        if status.answers:
            for message in self._messages:
                message.close()
        if status.look is not Look.ERROR:
            self._last = None
        elif fell and not status.can_start:  # else given up, or no port: those tell themselves
            why = (f"{one.cause} {one.remedy}" for one in status.impairments)
            self._board.tell(Kind.ERROR, status.headline, next(why, status.detail))

    def client_vanished(self, report: ClientReport) -> None:
        """Say that Claude has lost us; nothing is written without consent."""
        title = self.tr("{client} has lost Memtray").format(
            client=CLIENT_NAMES.get(report.client, report.client)
        )
        text = self.tr("Its entry for Memtray is gone. Click here to put it back.")
        self._board.tell(Kind.CLIENT_VANISHED, title, text)

    def import_ended(self, job: JobReply) -> None:
        """Say that a long import has ended; of a short one its window tells."""
        if job.seconds > LONG_IMPORT_SECONDS:
            title = self.tr("The import is done")
            if job.state is not JobState.DONE:
                title = self.tr("The import has ended early")
            self._board.tell(Kind.IMPORT_DONE, title, next(result_lines(job)))

    def settings_broken(self, problem: str) -> None:
        """Say that the settings cannot be read; they are kept when others are saved."""
        title = self.tr("The settings cannot be read")
        kept = self.tr("The file stays as it is until you change a setting; then it is kept aside.")
        self._board.tell(Kind.ERROR, title, f"{problem}. {kept}")

    def not_done(self, error: Exception) -> None:
        """Say why what the user chose in the menu was not done."""
        title = error.title if isinstance(error, MemtrayError) else type(error).__name__
        self._board.tell(Kind.ERROR, title, str(error))

    def open_cause(self, impairment: Impairment) -> None:
        """Open what helps against an impairment."""
        if impairment.part != "worker" or not self._open_last():
            self._windows.show_part(impairment.part)

    def open_notice(self, notice: Notice) -> None:
        """Open what a notice is about."""
        match notice.kind:
            case Kind.CLIENT_VANISHED:
                self._windows.open_clients()
            case Kind.IMPORT_DONE:
                self._windows.open_import()
            case Kind.ERROR | Kind.GAVE_UP:
                if not self._open_last():
                    self._windows.open_health()

    def _gave_up(self, what: GaveUp) -> None:
        self._last = what
        title = self.tr("The worker keeps crashing")
        self._board.tell(Kind.GAVE_UP, title, self.tr("It is not started again on its own."))
        self.gave_up_dialog.present(what)

    def _port_taken(self, what: PortTaken) -> None:
        self._last = what
        if self.attended:
            self.port_dialog.present(what)
            return
        title = self.tr("Port {port} is taken").format(port=what.port)
        who = what.name or self.tr("another program")
        text = self.tr("{who} has it. Click here for a way out.").format(who=who)
        self._board.tell(Kind.ERROR, title, text)

    def _open_last(self) -> bool:
        """Open the message about what stands in the way; False if there is none."""
        if isinstance(self._last, GaveUp):
            self.gave_up_dialog.present(self._last)
        elif isinstance(self._last, PortTaken):
            self.port_dialog.present(self._last)
        return self._last is not None

    def _retry(self) -> None:
        self._supervisor.start()
