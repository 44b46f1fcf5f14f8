"""The checks of a running worker: what /api/ready shows, and what is looked at in the background.

Reading the whole database and asking the canary take seconds. They run in a thread once the
indexes are there, and again some minutes later when somebody asks, or as soon as a fault shows.
"""

import logging
import math
import threading

from worker.checks.canary import check_canary, check_newest
from worker.checks.database import check_pages, check_store, worse
from worker.checks.report import FAULTY
from worker.checks.watch import Watch
from worker.compose import Loaded
from worker.index.kept import KeptVectorsError
from worker.shared.readiness import PartReport, PartState
from worker.store.store import Store

CANARY_SECONDS = 300.0  # between two, while somebody asks
SETTLE_SECONDS = 600.0  # that the first look waits for the indexes; building may take longer
_POLL_SECONDS = 0.5

log = logging.getLogger(__name__)


class LiveChecks:
    """The checks of the store, the indexes and the canary."""

    def __init__(self, store: Store, loaded: Loaded) -> None:
        self._store = store
        self._loaded = loaded
        self._stopping = threading.Event()
        self._settled = threading.Event()
        self._records = Watch("store", lambda: check_store(store), every=1.0, patience=0.1)
        self._pages = Watch(
            "store", lambda: check_pages(store, self._stopping), every=math.inf, again=10.0
        )
        self._canary = Watch("canary", self._sing, every=CANARY_SECONDS, again=10.0)
        self._thread = threading.Thread(target=self._run, name="checks", daemon=True)

    # ------------------------------------------------------------------ life
    def start(self) -> None:
        """Look at all once the indexes are there, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """End what is being looked at."""
        self._stopping.set()
        for each in (self._thread, self._canary, self._pages, self._records):
            each.join(5.0)

    def _run(self) -> None:
        waited = 0.0
        while self.is_building() and waited < SETTLE_SECONDS:
            waited += _POLL_SECONDS
            if self._stopping.wait(_POLL_SECONDS):
                return
        self._pages.run()
        if not self._stopping.is_set():
            self._canary.run()
        self._settled.set()

    # ------------------------------------------------------------------ reports
    def reports(self) -> list[PartReport]:
        """Return how store, indexes, model and canary are, almost at once."""
        return [self._store_report(), *self._loaded.sync.reports(), self._canary_report()]

    def look_again(self) -> None:
        """Let the next question look anew at what was looked at long ago."""
        self._pages.forget()
        self._canary.forget()

    def _store_report(self) -> PartReport:
        if self._store.is_suspect:
            self._pages.run(0)
        pages = self._pages.report() if self._settled.is_set() else self._pages.last()
        return worse(self._records.report(), pages)

    def _canary_report(self) -> PartReport:
        if self._settled.is_set() and not self.is_building():
            return self._canary.report()
        return self._canary.last()

    def is_building(self) -> bool:
        """Say whether an index or the model is not there yet; looks at nothing anew."""
        return any(part.state is PartState.BUILDING for part in self._loaded.sync.reports())

    def _sing(self) -> PartReport:
        """Ask the canary; a part that is known to be broken has a line of its own."""
        try:
            self._loaded.vectors.mend()
        except KeptVectorsError as exc:
            log.warning("%s", exc.detail)
        states = {part.part: part.state for part in self._loaded.sync.reports()}
        well = states.get("model") is PartState.OK
        found = check_canary(
            self._loaded.embedder if well else None,
            self._stopping,
            with_chroma=states.get("chroma") not in FAULTY,
        )
        readable = self._records.last().state is PartState.OK
        if found.state is PartState.OK and states.get("keyword") is PartState.OK and readable:
            newest = check_newest(self._store, self._loaded.service.search, self._stopping)
            found = newest if newest.state in FAULTY else found
        return found
