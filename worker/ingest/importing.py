"""Imports as jobs: one at a time, in a thread, cancelled within a second, resumed after kill -9."""

import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from worker.ingest.excludes import Gate
from worker.ingest.files import files_in, status_of
from worker.ingest.importer import Importer
from worker.ingest.job import Job, restored, rows_job
from worker.ingest.row_importer import RowImporter
from worker.ingest.tally import CancelledError, Tally
from worker.ingest.undoing import take_out
from worker.shared.errors import BadRequestError, MemtrayError, NotFoundError
from worker.shared.jobs import ImportPathsRequest, JobReply, JobState, UndoImportReply
from worker.shared.upkeep import ImportReply, ImportRequest
from worker.state.database import kept_open
from worker.state.imports import has_imported, remembered
from worker.state.jobs import Cursor, cursors, drop_jobs, keep_job, kept_jobs
from worker.store.arriving import holds, holds_foreign
from worker.store.store import Store

KEPT_JOBS = 20
_JOIN_SECONDS = 2.0
_UNFINISHED = (JobState.PAUSED, JobState.CANCELLED, JobState.FAILED)

log = logging.getLogger(__name__)


class BusyError(MemtrayError):
    """One import at a time."""

    title = "An import is running"
    code = "busy"
    status = 409


class ConsentNeededError(MemtrayError):
    """The database is claude-mem's, and nothing was imported into it yet."""

    title = "This database is claude-mem's"
    code = "consent_needed"
    status = 409


class Imports:
    """The imports of one worker, and those of earlier ones."""

    def __init__(self, store: Store, state: Path, wake: Callable[[], None]) -> None:
        """`state` is state.db; `wake` is called when rows were written or removed."""
        self._store = store
        self._state = state
        self._wake = wake
        self._jobs: list[Job] = []
        self._recalled = False  # whether those of earlier workers are among them
        self._lock = threading.Lock()
        self._entering = threading.Lock()  # rows do not come into a job that is being undone
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Take up the jobs of earlier workers; one that was broken off goes on by itself."""
        with self._lock:
            self._recall()
            broken = [
                job for job in self._jobs if job.state is JobState.RUNNING and job.began is None
            ]
            for job in broken:
                job.state = JobState.PAUSED
            if broken and not self.is_busy() and not self._is_paused():
                log.info("import %s goes on", broken[0].id)
                self._set_off(broken[0])

    def _recall(self) -> None:
        """Know the jobs of earlier workers, once that can be read."""
        if self._recalled:
            return
        try:
            kept = [restored(job) for job in kept_jobs(self._state, newest=KEPT_JOBS)]
        except MemtrayError as exc:
            log.warning("earlier imports are not known: %s", exc.detail)
            return
        mine = {job.id for job in self._jobs}
        self._jobs += [job for job in kept if job.id not in mine]
        self._recalled = True

    def _is_paused(self) -> bool:
        try:
            return Gate(self._state).pause() is not None
        except MemtrayError:
            return True

    def begin(self, request: ImportPathsRequest) -> JobReply:
        """Begin an import; raise BadRequestError, BusyError or ConsentNeededError.

        Who asks again for what is under way gets that.
        """
        for path in request.paths:
            _existing(path)
        Gate(self._state).need_running()
        self._need_consent(request)
        with self._lock:
            self._recall()  # else those of earlier workers would be forgotten with the twentieth
            if under_way := self._same(request):
                return under_way.reply()
            self._need_rest()
            job = Job(request)
            self._add(job)
            self._set_off(job)
        return job.reply()

    def enter(self, request: ImportRequest) -> ImportReply:
        """Store rows that came without files, all or none, as a job that can be undone.

        Raises NotFoundError or BadRequestError where they are to follow others and cannot.
        """
        gate = Gate(self._state)
        gate.need_running()
        importer = RowImporter(self._store, self._state, gate, self._wake)
        with self._lock:
            self._recall()
        with self._entering:
            job = self._to_follow(request.job) if request.job else rows_job()
            came = Tally(job.id, noted=job.kept)
            try:
                importer.store(request.rows, came)
            except MemtrayError:
                self._forget_unknown()  # the commit has failed, before which the job was noted
                raise
            job.tally.include(came)
            if request.job:
                keep_job(self._state, job.kept())
            elif came.added:
                with self._lock:
                    self._add(job)
        left_out = [f"Left out as excluded: {came.excluded} rows"] * (came.excluded > 0)
        return ImportReply(
            added=came.added,
            known=came.known,
            secrets=came.report.found,
            job=job.id if job.tally.added else None,
            notes=[*came.report.notes(), *left_out],
        )

    def _to_follow(self, id_: str) -> Job:
        job = self._find(id_)
        if job.request is not None or job.state is not JobState.DONE:
            raise BadRequestError(
                f"{id_} takes no more rows: it was undone, or is no import of rows", field="job"
            )
        return job

    def _add(self, job: Job) -> None:
        """Put a job before the others, of which the oldest are forgotten, but none that runs."""
        older = self._jobs[: KEPT_JOBS - 1]
        older += [other for other in self._jobs[KEPT_JOBS - 1 :] if other.began is not None]
        self._jobs = [job, *older]
        keep_job(self._state, job.kept())
        drop_jobs(self._state, but=[job.id for job in self._jobs])

    def _forget_unknown(self) -> None:
        with self._lock:
            drop_jobs(self._state, but=[job.id for job in self._jobs])

    def jobs(self) -> list[JobReply]:
        """Return all jobs, newest first."""
        with self._lock:
            self._recall()
        return [job.reply() for job in self._jobs]

    def job(self, id_: str) -> JobReply:
        """Return one job; raise NotFoundError."""
        return self._find(id_).reply()

    def cancel(self, id_: str) -> JobReply:
        """Have a job end soon; what it has added stays. Raises NotFoundError."""
        return self._break_off(self._find(id_), JobState.CANCELLED)

    def pause(self, id_: str) -> JobReply:
        """Have a job rest until it is resumed, also by another worker; raise NotFoundError."""
        job = self._find(id_)
        return self._break_off(job, JobState.PAUSED) if job.began is not None else job.reply()

    def resume(self, id_: str) -> JobReply:
        """Have a job go on that was paused, cancelled or has failed.

        Raises NotFoundError, BusyError or PausedError.
        """
        job = self._find(id_)
        Gate(self._state).need_running()
        with self._lock:
            if job.began is None and job.state in _UNFINISHED:
                self._need_rest()
                self._set_off(job)
        return job.reply()

    def undo(self, id_: str) -> UndoImportReply:
        """Remove what a job added and nothing else; raise NotFoundError or BusyError.

        A later import of the same files brings it back.
        """
        with self._lock:
            self._need_rest()
        with self._entering:
            removed = take_out(self._store, self._state, id_)
        for job in self._jobs:
            if job.id == id_:
                job.state = JobState.UNDONE
                keep_job(self._state, job.kept())
        self._wake()
        return UndoImportReply(job=id_, removed=dict(removed))

    def is_busy(self) -> bool:
        """Say whether one runs."""
        return any(job.began is not None for job in self._jobs)

    def stop(self) -> None:
        """Break off what runs; the next worker goes on from there."""
        for job in self._jobs:
            job.ends_as = JobState.RUNNING
            job.tally.cancelled.set()
        if self._thread:
            self._thread.join(_JOIN_SECONDS)

    def _find(self, id_: str) -> Job:
        with self._lock:
            self._recall()
        for job in self._jobs:
            if job.id == id_:
                return job
        known = ", ".join(job.id for job in self._jobs) or "none"
        raise NotFoundError(f"there is no job {id_[:40]}; there are: {known}")

    def _same(self, request: ImportPathsRequest) -> Job | None:
        return next((job for job in self._jobs
                     if job.began is not None and job.ends_as is JobState.CANCELLED
                     and not job.tally.cancelled.is_set()
                     and job.asked == (request.paths, request.sidechains)), None)  # fmt: skip

    def _need_rest(self) -> None:
        if self.is_busy():
            raise BusyError("wait for it, or cancel it: GET /api/jobs tells how far it is")

    def _need_consent(self, request: ImportPathsRequest) -> None:
        if request.yes or has_imported(self._state):
            return
        if holds_foreign(self._store.read()):
            raise ConsentNeededError(
                f"claude-mem has recorded in {self._store.path}. An import adds rows beside those "
                'and leaves them as they are; to allow it, send "yes": true'
            )

    def _break_off(self, job: Job, state: JobState) -> JobReply:
        job.ends_as = state
        job.tally.cancelled.set()
        if self._thread and job.began is not None:
            self._thread.join(_JOIN_SECONDS)
        elif job.state is JobState.PAUSED:
            job.state = state
            keep_job(self._state, job.kept())
        return job.reply()

    def _set_off(self, job: Job) -> None:
        job.run_again()
        self._thread = threading.Thread(target=self._run, args=(job,), name="import", daemon=True)
        self._thread.start()

    def _run(self, job: Job) -> None:
        try:
            with kept_open(self._state):
                self._read_all(job)
            state = JobState.DONE
        except CancelledError:
            state = job.ends_as
        except (MemtrayError, OSError, sqlite3.Error) as exc:
            job.cause = exc.detail if isinstance(exc, MemtrayError) else str(exc)
            state = JobState.FAILED
        except Exception as exc:
            log.exception("an import failed")
            job.cause = f"an error of our own ({type(exc).__name__}); the log says where"
            state = JobState.FAILED
        job.end(state)
        log.info("import %s: %s, %d added", job.id, job.state, job.tally.added.total())
        try:
            keep_job(self._state, job.kept())
        except MemtrayError as exc:
            log.warning("how import %s ended is not noted: %s", job.id, exc.detail)

    def _read_all(self, job: Job) -> None:
        importer = Importer(self._store, self._state, self._wake)
        paths, sidechains = job.asked
        known = cursors(self._state, sidechains=sidechains)
        earlier = remembered(self._state, job.id)
        job.tally.marks = frozenset[bytes]().union(*earlier.marks.values())
        job.tally.places = frozenset((table, id_) for table, id_, _ in earlier.places)
        closed: list[OSError] = []
        job.files = files_in([Path(path).expanduser() for path in paths], closed.append)
        job.count = len(job.files)
        job.bytes = sum(status_of(file)[0] for file in job.files)
        read_before = {file for file in job.files if self._was_read(file, known, job)}
        job.tally.forget_failures(but=read_before)
        for exc in closed:
            job.tally.fail(Path(exc.filename), None, exc.strerror or str(exc))
        for file in job.files:
            job.tally.go_on()
            size, changed = status_of(file)
            if file in read_before:
                cursor = known[str(file)]
                job.tally.known += 0 if cursor.job == job.id else cursor.told
                job.tally.bytes_done += size
                job.skipped += size
                job.files_done += 1
                continue
            read = importer.take_in(file, job.tally, sidechains=sidechains)
            job.files_done += 1
            done = Cursor(
                str(file), size, changed, sidechains, job.id, read.clean, read.told, *read.last
            )
            keep_job(self._state, job.kept(), done if read.settled else None)

    def _was_read(self, file: Path, known: Mapping[str, Cursor], job: Job) -> bool:
        cursor = known.get(str(file))
        if cursor is None or (cursor.size, cursor.changed) != status_of(file):
            return False
        return self._has(cursor, job)

    def _has(self, cursor: Cursor, job: Job) -> bool:
        """Say whether what a file told is stored: not all of it may be after a backup's return."""
        if not cursor.clean and cursor.job != job.id:
            return False
        return not cursor.place or holds(self._store.read(), cursor.place, cursor.at)


def _existing(path: str) -> Path:
    found = Path(path).expanduser()
    if not found.is_absolute():
        raise BadRequestError(f"{path} is no whole path; begin it at the root", field="paths")
    if not found.exists():
        raise BadRequestError(f"there is no {found}", field="paths")
    return found
