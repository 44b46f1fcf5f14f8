"""How imports are, as the worker told last; what follows from what, without a window."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from worker.shared.jobs import JobReply, JobState


class Question(StrEnum):
    """What is asked before something is done."""

    NONE = ""
    CONSENT = "consent"  # to add to what claude-mem has recorded
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Imports:
    """The last imports, newest first, and what is asked or went wrong."""

    jobs: tuple[JobReply, ...] = ()
    undone: tuple[str, ...] = ()  # ids
    question: Question = Question.NONE
    paths: tuple[str, ...] = ()  # that wait for the consent
    busy: bool = False  # something was sent and is not answered
    undoing: bool = False  # and that is to take an import out again
    problem: str = ""  # why the last wish was not granted
    told: str = ""  # what came of the last wish

    @property
    def running(self) -> JobReply | None:
        return next((job for job in self.jobs if job.state is JobState.RUNNING), None)

    @property
    def under_way(self) -> JobReply | None:
        """The one that runs, else the newest if that is paused."""
        latest = self.latest
        paused = latest if latest and latest.state is JobState.PAUSED else None
        return self.running or paused

    @property
    def latest(self) -> JobReply | None:
        """The newest one, whether it runs or has ended; none once that was undone."""
        return self.jobs[0] if self.jobs and not self._is_undone(self.jobs[0]) else None

    @property
    def undoable(self) -> JobReply | None:
        """The newest one that has added something which is still there."""
        if self.running:
            return None
        left = (job for job in self.jobs if job.added and not self._is_undone(job))
        return next(left, None)

    def _is_undone(self, job: JobReply) -> bool:
        return job.state is JobState.UNDONE or job.id in self.undone

    def has_lost(self, jobs: Sequence[JobReply]) -> bool:
        """Say whether the running one is not among these: the worker has ended amid it."""
        return self.running is not None and self.running.id not in {job.id for job in jobs}

    def with_job(self, job: JobReply) -> "Imports":
        """Return the state with a job that is new or has gone on."""
        others = [other for other in self.jobs if other.id != job.id]
        jobs = (job, *others) if len(others) == len(self.jobs) else self._in_place(job)
        return replace(self, jobs=jobs, busy=False, problem="", told="")

    def _in_place(self, job: JobReply) -> tuple[JobReply, ...]:
        return tuple(job if other.id == job.id else other for other in self.jobs)

    def ended_since(self, before: "Imports") -> list[JobReply]:
        """Return the jobs that ran then and have ended."""
        ran = {job.id for job in before.jobs if job.state is JobState.RUNNING}
        going = (JobState.RUNNING, JobState.PAUSED)
        return [job for job in self.jobs if job.id in ran and job.state not in going]
