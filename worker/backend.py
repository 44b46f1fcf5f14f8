"""All that answers behind the routes, opened and loaded while the port listens already."""

import logging
import threading
from typing import TYPE_CHECKING

from worker.backup.schedule import Schedule
from worker.ingest.save import Saver
from worker.shared.contract import (
    BatchReply,
    BatchRequest,
    PartReport,
    PartState,
    Ready,
    RecordReply,
    SaveReply,
    SaveRequest,
    SearchReply,
    SearchRequest,
    TimelineReply,
    TimelineRequest,
)
from worker.shared.errors import MemtrayError, StoreUnavailableError
from worker.shared.paths import Paths
from worker.shared.refs import Ref
from worker.shared.settings import Settings
from worker.store.store import Store

if TYPE_CHECKING:
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

    def __init__(self, paths: Paths, settings: Settings) -> None:
        self.store = Store(paths.database)
        self._saver = Saver(self.store)
        self._paths = paths
        self._settings = settings
        self._stopping = threading.Event()
        self._known = threading.Event()  # set once it works, or once it is clear why it does not
        self._loaded: Loaded | None = None
        self._trouble: MemtrayError = StartingError("it is being loaded; ask again in a moment")
        self._schedule = Schedule(paths)
        self._thread = threading.Thread(target=self._run, name="load")

    # ------------------------------------------------------------------ life
    def start(self) -> None:
        """Open the store and load the indexes, in a thread."""
        self._thread.start()
        self._schedule.start()

    def stop(self) -> None:
        """Close everything; no request may be running."""
        self._stopping.set()
        self._schedule.stop()
        self._thread.join()
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
        from worker.compose import load  # numpy and all indexes: never before the port listens

        self._loaded = load(self._paths, self._settings, self.store)
        self._known.set()
        self._loaded.start()

    # ------------------------------------------------------------------ what the routes ask
    def search(self, request: SearchRequest) -> SearchReply:
        return self._ready().service.search(request)

    def timeline(self, request: TimelineRequest) -> TimelineReply:
        return self._ready().service.timeline(request)

    def details(self, request: BatchRequest) -> BatchReply:
        return self._ready().service.details(request)

    def record(self, ref: Ref) -> RecordReply:
        return self._ready().service.record(ref)

    def save(self, request: SaveRequest) -> SaveReply:
        self._known.wait(PATIENCE_SECONDS)  # the store opens first; saving needs nothing else
        reply = self._saver.save(request)
        if self._loaded:
            self._loaded.wake()
        return reply

    def ready(self) -> Ready:
        """Return how each part is, without waiting for any."""
        if self._loaded:
            return self._loaded.ready()
        if not self._known.is_set():
            starting = PartReport(
                part="search", state=PartState.BUILDING, cause=self._trouble.detail
            )
            return Ready(state=PartState.BUILDING, parts=[starting])
        trouble = PartReport(part="search", state=PartState.DOWN, cause=self._trouble.detail)
        if not isinstance(self._trouble, StoreUnavailableError):
            return Ready(state=PartState.DEGRADED, parts=[trouble])
        remedy = f"It is tried again every {RETRY_SECONDS:g} s."
        down = trouble.model_copy(update={"part": "store", "remedy": remedy})
        return Ready(state=PartState.DOWN, parts=[down])

    def _ready(self) -> "Loaded":
        self._known.wait(PATIENCE_SECONDS)
        if self._loaded:
            return self._loaded
        raise type(self._trouble)(self._trouble.detail)
