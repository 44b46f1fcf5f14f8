"""Imports for the whole app: begun, followed, cancelled and undone by the worker."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from app.importing.state import Imports, Question
from app.importing.wording import number
from app.worker_client import Call, WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.jobs import JobReply, JobsReply, JobState, UndoImportReply

EACH_MS = 500  # while one runs
_UNDO_SECONDS = 120.0


class ImportJobs(QObject):
    """Asks the worker while an import runs, and otherwise only when told to look."""

    changed = Signal()
    ended = Signal(object)  # JobReply: one that was seen to run
    memories_changed = Signal()  # some have come, or are gone again

    def __init__(self, client: WorkerClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._look_call: Call | None = None
        self._timer = QTimer(self, interval=EACH_MS)
        self._timer.timeout.connect(self.look)
        self.state = Imports()

    def look(self) -> None:
        """Ask how imports are, also those that others have begun."""
        if self._look_call is None:
            self._look_call = self._client.get("/api/jobs", {}, JobsReply)
            self._look_call.done.connect(self._listed)
            self._look_call.failed.connect(self._not_listed)

    def begin(self, paths: Sequence[str]) -> None:
        """Import files and folders; where claude-mem has recorded, that is asked first."""
        self._post(tuple(paths), consent=False)

    def consent(self) -> None:
        """Answer the question with yes."""
        self._post(self.state.paths, consent=True)

    def ask_undo(self) -> None:
        """Ask whether the last import shall be undone."""
        if self.state.undoable:
            self._become(replace(self.state, question=Question.UNDO, problem="", told=""))

    def decline(self) -> None:
        """Answer the question with no."""
        self._become(replace(self.state, question=Question.NONE, paths=()))

    def cancel(self) -> None:
        """Have the running import end; what it has added stays."""
        if job := self.state.under_way:
            call = self._client.delete(f"/api/jobs/{job.id}", JobReply)
            call.done.connect(self._went_on)
            call.failed.connect(self._failed)

    def pause_or_resume(self) -> None:
        """Have the running import rest, or the paused one go on."""
        if job := self.state.under_way:
            wish = "resume" if job.state is JobState.PAUSED else "pause"
            call = self._client.post(f"/api/jobs/{job.id}/{wish}", {}, JobReply)
            call.done.connect(self._went_on)
            call.failed.connect(self._failed)

    def undo(self) -> None:
        """Remove what the last import has added."""
        if job := self.state.undoable:
            self._become(replace(self.state, question=Question.NONE, busy=True, undoing=True))
            body = {"job": job.id}
            call = self._client.post(
                "/api/import/undo", body, UndoImportReply, seconds=_UNDO_SECONDS
            )
            call.done.connect(self._undone)
            call.failed.connect(self._not_undone)

    def _post(self, paths: tuple[str, ...], *, consent: bool) -> None:
        self._become(
            replace(self.state, question=Question.NONE, paths=paths, busy=True, problem="", told="")
        )
        body = {"paths": paths, "yes": consent}
        call = self._client.post("/api/import", body, JobReply)
        call.done.connect(self._went_on)
        call.failed.connect(self._failed)

    def _listed(self, reply: JobsReply) -> None:
        self._look_call = None
        state = replace(self.state, jobs=tuple(reply.jobs))
        if self.state.has_lost(reply.jobs):
            problem = self.tr(
                "The worker ended amid the import. What it had added stays; import again, and it "
                "goes on from there."
            )
            state = replace(state, problem=problem)
        self._become(state)

    def _not_listed(self) -> None:
        """How the worker is, the status tells; what was known stays."""
        self._look_call = None

    def _went_on(self, job: JobReply) -> None:
        """Show what has just been told; what was asked before it may tell what was before."""
        if self._look_call is not None:
            self._look_call.abort()
            self._look_call = None
        self._become(self.state.with_job(job))

    def _undone(self, reply: UndoImportReply) -> None:
        removed = sum(n for table, n in reply.removed.items() if table != "sdk_sessions")
        told = self.tr("Undone. Memories removed: {n}").format(n=number(removed))
        self._is_gone(reply.job, told)

    def _not_undone(self, error: MemtrayError) -> None:
        job = self.state.undoable
        if error.code == "not_found" and job:  # undone elsewhere
            self._is_gone(job.id, self.tr("That import was undone already."))
        else:
            self._failed(error)

    def _is_gone(self, job: str, told: str) -> None:
        undone = (*self.state.undone, job)
        self._become(replace(self.state, undone=undone, busy=False, undoing=False, told=told))
        self.memories_changed.emit()

    def _failed(self, error: MemtrayError) -> None:
        if error.code == "consent_needed":
            self._become(replace(self.state, question=Question.CONSENT, busy=False))
        else:
            self._become(replace(self.state, busy=False, undoing=False, problem=error.detail))
            self.look()

    def _become(self, state: Imports) -> None:
        before, self.state = self.state, state
        if state.running and not self._timer.isActive():
            self._timer.start()
        elif not state.running:
            self._timer.stop()
        if state != before:
            self.changed.emit()
        for job in state.ended_since(before):
            self.ended.emit(job)
            self.memories_changed.emit()
