"""One import on the screen: what is asked before it, how far it is, what came of it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.clients.labels import plain, show_text
from app.importing.jobs import ImportJobs
from app.importing.state import Imports, Question
from app.importing.wording import (
    STEPS,
    failed_lines,
    headline_of,
    is_unread,
    progress_line,
    result_lines,
    step_of,
    undo_question,
)
from worker.shared.jobs import JobReply, JobState

_ROWS = 5  # of the list of what could not be read
_BAR_PIXELS = 8


class ImportPanel(QWidget):
    """Shows the newest import, whoever has begun it; hidden parts take no room."""

    search_requested = Signal()

    def __init__(self, jobs: ImportJobs, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._ask = QuestionCard(jobs)
        self._running = RunningCard(jobs)
        self._result = ResultCard(jobs)
        self._problem, self._told = plain(kind="error"), plain(kind="good")
        self._result.search_requested.connect(self.search_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        for widget in (self._problem, self._told, self._ask, self._running, self._result):
            layout.addWidget(widget)
        jobs.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        state = self._jobs.state
        show_text(self._problem, f"✕ {state.problem}" if state.problem else "", kind="error")
        if state.undoing:
            show_text(self._told, self.tr("What the import has added is removed…"), kind="muted")
        else:
            show_text(self._told, f"✓ {state.told}" if state.told else "", kind="good")
        self._ask.show_state(state)
        self._running.show_job(state.under_way)
        ended = None if state.latest == state.under_way else state.latest
        undoable = ended is not None and ended == state.undoable and not state.undoing
        self._result.show_job(ended, undoable=undoable)
        says = state.busy or state.problem or state.told or state.question or state.latest
        if not says:
            self.hide()
        elif self.parentWidget():
            self.show()


class QuestionCard(QFrame):
    """A question in the window, with its answers; the safe one has the focus."""

    def __init__(self, jobs: ImportJobs) -> None:
        super().__init__()
        self._jobs = jobs
        self._question = Question.NONE
        self._text = plain()
        self._yes, self._no = QPushButton(), QPushButton()
        self._yes.clicked.connect(self._agree)
        self._no.clicked.connect(jobs.decline)
        _fill(self, self._text, _row(self._yes, self._no))
        self.hide()

    def show_state(self, state: Imports) -> None:
        """Show what is asked, if anything is."""
        if state.question is self._question:
            return
        self._question = state.question
        if self._yes.hasFocus() or self._no.hasFocus():
            self.window().setFocus()  # else the next button has it, such as the one that skips all
        self.setVisible(state.question is not Question.NONE)
        if state.question is Question.CONSENT:
            show_text(
                self._text,
                self.tr(
                    "claude-mem has recorded in this database. The import adds prompts, "
                    "observations and session summaries beside them. Nothing that is there "
                    "changes, sessions that claude-mem has recorded are left out, and you can "
                    "undo the import."
                ),
            )
            self._yes.setText(self.tr("&Add to it"))
            self._no.setText(self.tr("Not no&w"))
        elif state.question is Question.UNDO and state.undoable:
            show_text(self._text, undo_question(state.undoable))
            self._yes.setText(self.tr("&Yes, undo it"))
            self._no.setText(self.tr("&Keep it"))
        if state.question is not Question.NONE:
            self._no.setFocus()

    def _agree(self) -> None:
        if self._question is Question.CONSENT:
            self._jobs.consent()
        else:
            self._jobs.undo()


class RunningCard(QFrame):
    """How far an import is."""

    def __init__(self, jobs: ImportJobs) -> None:
        super().__init__()
        self._headline, self._detail = plain(), plain(kind="muted")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedHeight(_BAR_PIXELS)
        self._bar.setAccessibleName(self.tr("Progress of the import"))
        self._hint = plain(
            self.tr("You can search meanwhile. Cancel keeps what was added."), kind="muted"
        )
        self._pause, self._cancel = QPushButton(self.tr("&Pause")), QPushButton(self.tr("&Cancel"))
        self._pause.clicked.connect(jobs.pause_or_resume)
        self._cancel.clicked.connect(jobs.cancel)
        buttons = _row(self._pause, self._cancel)
        _fill(self, self._headline, self._bar, self._detail, self._hint, buttons)
        self.hide()

    def show_job(self, job: JobReply | None) -> None:
        """Show a job that runs or is paused; None hides the card."""
        self.setVisible(job is not None)
        if job is None:
            return
        step = step_of(job)
        self._bar.setRange(0, 0 if step is None else STEPS)
        self._bar.setValue(step or 0)
        is_paused = job.state is JobState.PAUSED
        self._pause.setText(self.tr("&Go on") if is_paused else self.tr("&Pause"))
        show_text(self._headline, headline_of(job))
        show_text(self._detail, progress_line(job), kind="muted")


class ResultCard(QFrame):
    """What an import came to."""

    search_requested = Signal()

    def __init__(self, jobs: ImportJobs) -> None:
        super().__init__()
        self._headline, self._lines = plain(), plain(kind="muted")
        self._failed = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self._failed.setAccessibleName(self.tr("What could not be read"))
        self._failed.setFixedHeight((_ROWS + 3) * self.fontMetrics().lineSpacing())
        self._undo = QPushButton(self.tr("&Undo this import…"))
        self._undo.clicked.connect(jobs.ask_undo)
        search = QPushButton(self.tr("Search &memory"))
        search.clicked.connect(self.search_requested)
        _fill(self, self._headline, self._lines, self._failed, _row(search, self._undo))
        self.hide()

    def show_job(self, job: JobReply | None, *, undoable: bool) -> None:
        """Show a job that has ended; None hides the card."""
        self.setVisible(job is not None)
        if job is None:
            return
        is_bad = job.state is JobState.FAILED or is_unread(job)
        kind = "error" if is_bad else "good" if job.state is JobState.DONE else ""
        show_text(self._headline, headline_of(job), kind=kind)
        show_text(self._lines, "\n".join(result_lines(job)), kind="muted")
        if (text := failed_lines(job)) != self._failed.toPlainText():
            self._failed.setPlainText(text)
        self._failed.setVisible(bool(job.failed))
        self._undo.setVisible(undoable)


def card(*parts: QWidget | QHBoxLayout) -> QFrame:
    """Return a frame that holds these, one below the other."""
    frame = QFrame()
    _fill(frame, *parts)
    return frame


def _fill(frame: QFrame, *parts: QWidget | QHBoxLayout) -> None:
    frame.setProperty("kind", "banner")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(16, 12, 16, 12)
    layout.setSpacing(8)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part)
        else:
            layout.addLayout(part)


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row
