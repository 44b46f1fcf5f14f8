"""One import as a job: how far it is, and how it is found again after its worker has ended."""

import datetime as dt
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from worker.ingest.redact import Report
from worker.ingest.tally import Tally
from worker.shared.jobs import FILES, ROWS, ImportPathsRequest, JobReply, JobState
from worker.state.jobs import KeptJob

_MEASURED_SECONDS = 1.0  # before which no rate is told


def new_tally() -> Tally:
    """Return the tally of a job that begins."""
    return Tally(uuid.uuid4().hex[:12])


@dataclass(slots=True)
class Job:
    """What was asked and what came of it so far; it may run several times until it is done."""

    request: ImportPathsRequest | None  # None: rows that came without files
    tally: Tally = field(default_factory=new_tally)
    state: JobState = JobState.RUNNING
    ends_as: JobState = JobState.CANCELLED  # once it breaks off
    started: str = field(
        default_factory=lambda: dt.datetime.now().astimezone().isoformat("T", "seconds")
    )
    ran: float = 0.0  # seconds, in runs that are over
    began: float | None = field(default_factory=time.monotonic)  # None: it does not run
    files: list[Path] = field(default_factory=list)
    count: int = 0  # of the files
    files_done: int = 0
    bytes: int = 0
    skipped: int = 0  # bytes of files that were read before
    cause: str = ""

    def __post_init__(self) -> None:
        self.tally.noted = self.kept

    @property
    def id(self) -> str:
        return self.tally.job

    @property
    def asked(self) -> tuple[tuple[str, ...], bool]:
        """What to read: the paths, and whether sidechains too."""
        return (self.request.paths, self.request.sidechains) if self.request else ((), False)

    def run_again(self) -> None:
        """Begin another run, in which what was read before is passed over."""
        self.tally.cancelled.clear()
        self.tally.bytes_done = self.files_done = self.skipped = 0
        self.state, self.ends_as, self.cause = JobState.RUNNING, JobState.CANCELLED, ""
        self.began = time.monotonic()

    def end(self, state: JobState) -> None:
        """End this run."""
        self.ran += self._this_run()
        self.began, self.state, self.files = None, state, []

    def kept(self, more: Counter[str] | None = None) -> KeptJob:
        """Return it as it is noted, where it is about to add `more`."""
        reply = self.reply()
        added = {"added": dict(self.tally.added + (more or Counter()))}
        return KeptJob(self.request, reply.model_copy(update=added))

    def reply(self) -> JobReply:
        """Return how far it is."""
        tally, rate = self.tally, self._rate()
        return JobReply(
            id=self.id,
            kind=FILES if self.request else ROWS,
            state=self.state,
            started=self.started,
            seconds=round(self.ran + self._this_run(), 1),
            rate=rate,
            left=max(0, self.bytes - tally.bytes_done) / rate if rate and self.began else None,
            files=self.count,
            files_done=self.files_done,
            bytes=self.bytes,
            bytes_done=tally.bytes_done,
            added=dict(tally.added),
            known=tally.known,
            recorded=tally.recorded,
            excluded=tally.excluded,
            empty=tally.empty,
            repaired=tally.repaired,
            secrets=dict(tally.report.found),
            failed=list(tally.failed),
            failures=tally.failures,
            cause=self.cause,
        )

    def _this_run(self) -> float:
        began = self.began  # which the thread of the import sets to None at any moment
        return 0.0 if began is None else time.monotonic() - began

    def _rate(self) -> float | None:
        """Return the bytes that are read a second in this run."""
        read, seconds = self.tally.bytes_done - self.skipped, self._this_run()
        return read / seconds if read > 0 and seconds >= _MEASURED_SECONDS else None


def rows_job() -> Job:
    """Return the job of rows that came without files; it is done as soon as they are stored."""
    return Job(None, state=JobState.DONE, began=None)


def restored(kept: KeptJob) -> Job:
    """Return a job of an earlier worker; one that ran then does not run yet."""
    reply = kept.reply
    tally = Tally(
        reply.id,
        bytes_done=reply.bytes_done,
        added=Counter(reply.added),
        known=reply.known,
        recorded=reply.recorded,
        excluded=reply.excluded,
        empty=reply.empty,
        repaired=reply.repaired,
        report=Report(Counter(reply.secrets)),
        failed=list(reply.failed),
        failures=reply.failures,
    )
    return Job(
        kept.request,
        tally,
        state=reply.state,
        started=reply.started,
        ran=reply.seconds,
        began=None,
        count=reply.files,
        files_done=reply.files_done,
        bytes=reply.bytes,
        cause=reply.cause,
    )
