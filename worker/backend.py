"""All that answers behind the routes, opened and loaded while the port listens already."""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from worker.backup.schedule import Schedule
from worker.backup.service import Backups
from worker.checks.around import Around
from worker.checks.report import as_ready, degraded, down
from worker.checks.surroundings import mend_folder
from worker.ingest.capture import Capture
from worker.ingest.compacting import Compacting
from worker.ingest.importer import Importer
from worker.ingest.importing import Imports
from worker.ingest.letting_go import Trash
from worker.ingest.scan import Scan
from worker.ingest.service import Ingest
from worker.ingest.traces import Traces
from worker.ingest.watching import Watch, transcripts_folder
from worker.recalls.recorder import Recorder
from worker.recalls.service import Recalls
from worker.shared.contract import (
    BatchReply,
    BatchRequest,
    SaveReply,
    SaveRequest,
    SearchReply,
    SearchRequest,
    SingleReply,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.errors import MemtrayError, StoreUnavailableError
from worker.shared.paths import Paths
from worker.shared.readiness import PartReport, PartState, Ready
from worker.shared.refs import Ref
from worker.shared.settings import Settings, read_settings
from worker.shared.upkeep import (
    ExportReply,
    ExportRequest,
    Index,
    Mended,
    ReindexReply,
    RepairReply,
)
from worker.store.store import Store

if TYPE_CHECKING:
    from worker.checks.live import LiveChecks
    from worker.checks.upkeep import Caretaker
    from worker.compose import Loaded

RETRY_SECONDS = 3.0  # between two attempts to open a broken store
PATIENCE_SECONDS = 5.0  # that a request waits for the search to be loaded

log = logging.getLogger(__name__)


class StartingError(MemtrayError):
    """The search is not loaded yet, or cannot be."""

    title = "The search is not ready"
    code = "not_ready"
    status = 503


class Backend:
    """The search service from the first moment on: it waits a little, or says what is missing."""

    def __init__(self, paths: Paths, settings: Settings, port: int) -> None:
        self.store = Store(paths.database)
        self.recorder = Recorder(
            paths.state,  # the setting is read each time: whoever switches it off means now
            lambda: read_settings(paths.settings)[0].record_recalls,
        )
        self.recalls = Recalls(self.recorder, self.store)
        self._ingest = Ingest(self.store, paths.state)
        self._imports = Imports(self.store, paths.state, self._wake)
        self.capture = Capture(self.store, paths.state)
        self._watch = Watch(
            Importer(self.store, paths.state, self._wake),
            transcripts_folder(os.environ, Path.home()),
            paths.state,
            wanted=lambda: (
                read_settings(paths.settings)[0].watch_transcripts and not self.capture.is_paused()
            ),
            free=lambda: self._loaded is not None and not self._imports.is_busy(),
        )
        traces = Traces(self.store, paths.state, anew=self._index_words_anew)
        backups = Backups(paths)
        self._trash = Trash(
            self.store,
            paths.state,
            wake=self._wake,
            search=self.search,
            traces=traces,
            backups=backups,
        )
        self._scan = Scan(self.store, paths.state, backups=backups, traces=traces)
        self._compacting = Compacting(self.store, paths)
        self._paths = paths
        self._settings = settings
        self._stopping = threading.Event()
        self._known = threading.Event()  # set once it works, or once it is clear why it does not
        self._around = Around(paths, port)
        self._loaded: Loaded | None = None
        self._checks: LiveChecks | None = None
        self._caretaker: Caretaker | None = None
        self._trouble: MemtrayError = StartingError("it is being loaded; ask again in a moment")
        self._schedule = Schedule(paths)
        self._thread = threading.Thread(target=self._run, name="load")

    # ------------------------------------------------------------------ life
    def start(self) -> None:
        """Open the store and load the indexes, in a thread."""
        self._thread.start()
        self._schedule.start()
        self._watch.start()
        self.recorder.start()

    def stop(self) -> None:
        """Close everything; no request may be running."""
        self._stopping.set()
        self._imports.stop()
        self._scan.stop()
        self._compacting.stop()
        self._watch.stop()
        self._schedule.stop()
        self.recorder.stop()
        self._thread.join()
        if self._checks:
            self._checks.stop()
        if self._loaded:
            self._loaded.stop()
        self.store.close()

    def _run(self) -> None:
        try:
            self._open_store()
            if not self._stopping.is_set():
                self._load()
        except Exception as exc:
            log.exception("the search cannot be loaded")
            self._trouble = StartingError(
                f"the search cannot be loaded ({type(exc).__name__}: {exc}); reinstall Memtray"
            )
        self._known.set()

    def _open_store(self) -> None:
        """Open it, however often that takes: its file may be restored while we run."""
        while not self._stopping.is_set():
            try:
                self.store.open()
            except StoreUnavailableError as exc:
                if exc.detail != self._trouble.detail:
                    log.error("%s", exc.detail)  # noqa: TRY400 - the text says it all
                self._trouble = exc
                self._known.set()
                self._stopping.wait(RETRY_SECONDS)
            else:
                return

    def _load(self) -> None:
        # numpy and all indexes: never before the port listens
        from worker.checks.live import LiveChecks
        from worker.checks.upkeep import Caretaker
        from worker.compose import load

        loaded = load(self._paths, self._settings, self.store)
        self._checks = LiveChecks(self.store, loaded)
        self._caretaker = Caretaker(self._paths, loaded, self._checks)
        self._loaded = loaded
        self._known.set()
        loaded.start()
        self._checks.start()
        self._imports.start()
        self._trash.start()

    # ------------------------------------------------------------------ what the routes ask
    def search(self, request: SearchRequest) -> SearchReply:
        return self._ready().service.search(request)

    def timeline(self, request: TimelineRequest) -> TimelineReply:
        return self._ready().service.timeline(request)

    def details(self, request: BatchRequest) -> BatchReply:
        return self._ready().service.details(request)

    def record(self, ref: Ref, query: str = "") -> SingleReply:
        return self._ready().service.record(ref, query)

    def save(self, request: SaveRequest) -> SaveReply:
        with self._changing():
            return self._ingest.save(request)

    def leave(self, request: ExportRequest) -> ExportReply:
        self._need_store()
        return self._ingest.leave(request)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Let the indexes know at once; changing needs the store alone."""
        self._need_store()
        yield
        self._wake()

    def _wake(self) -> None:
        if self._loaded:
            self._loaded.wake()

    def trash(self) -> Trash:
        """Return what lets memories go; changing needs the store alone."""
        self._need_store()
        return self._trash

    def imports(self) -> Imports:
        """Return the imports; writing needs the store alone."""
        self._need_store()
        return self._imports

    def redacting(self) -> Scan:
        """Return what looks for secrets; changing needs the store alone."""
        self._need_store()
        return self._scan

    def compacting(self) -> Compacting:
        """Return what gives room back."""
        self._need_store()
        return self._compacting

    def _index_words_anew(self) -> None:
        if self._loaded:
            self._loaded.sync.rebuild(surely=True)
        self._wake()

    def _need_store(self) -> None:
        """Wait a little until the store is open, or say why it cannot be opened."""
        self._known.wait(PATIENCE_SECONDS)
        if not self._loaded and isinstance(self._trouble, StoreUnavailableError):
            raise type(self._trouble)(self._trouble.detail)

    def ready(self) -> Ready:
        """Return how each part is, without waiting long for any."""
        parts = self._checks.reports() if self._checks else [self._unloaded()]
        ours = (
            self.recorder.report(),
            self._schedule.report(),
            self._watch.report(),
            self.capture.report(),
        )
        return as_ready([*parts, *ours, *self._around.reports()])

    def is_busy(self) -> bool:
        """Say whether work goes on that nobody has to wait for, such as indexing."""
        loading = self._checks.is_building() if self._checks else not self._known.is_set()
        busy = self._imports.is_busy() or self._scan.is_running() or self._compacting.is_running()
        return loading or busy

    def reindex(self, what: Index | None) -> ReindexReply:
        self._ready()
        assert self._caretaker  # noqa: S101 - it is there before what was just waited for
        return self._caretaker.reindex(what)

    def repair(self) -> RepairReply:
        self._known.wait(PATIENCE_SECONDS)
        reply = self._caretaker.repair() if self._caretaker else self._repair_unloaded()
        self._around.look_again()
        return reply

    def _repair_unloaded(self) -> RepairReply:
        mended = [Mended(part="paths", did=did) for did in mend_folder(self._paths)]
        left = self._unloaded()
        done = f"Nothing was changed. {left.cause} {left.remedy}".strip()
        return RepairReply(mended=[*mended, Mended(part=left.part, did=done)])

    def _unloaded(self) -> PartReport:
        """Say why the search is not there."""
        if not self._known.is_set():
            starting = PartState.BUILDING
            return PartReport(part="search", state=starting, cause=self._trouble.detail)
        if not isinstance(self._trouble, StoreUnavailableError):
            return degraded("search", self._trouble.detail, "See the log; reinstall Memtray.")
        again = f"It is tried again every {RETRY_SECONDS:g} s."
        return down("store", self._trouble.detail, again)

    def _ready(self) -> "Loaded":
        self._known.wait(PATIENCE_SECONDS)
        if self._loaded:
            return self._loaded
        raise type(self._trouble)(self._trouble.detail)
