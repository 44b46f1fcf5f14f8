"""Asks the worker, or the doctor where none answers, how all parts are, and has them mended."""

from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Background
from app.health.doctor import ask_doctor
from app.health.mcp import mcp_report
from app.status import AppStatus
from app.worker_client import Call, WorkerClient
from worker.shared.errors import MemtrayError
from worker.shared.paths import Paths
from worker.shared.readiness import Ready
from worker.shared.recalls_contract import RecallsReply
from worker.shared.state import State
from worker.shared.upkeep import Index, ReindexReply, RepairReply

_EVERY = 2_000  # milliseconds, while somebody looks
_MCP_EVERY = 10_000
_REPAIR_SECONDS = 120.0  # it reads the whole keyword index


class Source(Enum):
    """Who is asked."""

    WORKER = auto()
    DOCTOR = auto()
    NOBODY = auto()  # a worker is starting: the doctor would only hold it up


def source_of(status: AppStatus) -> Source:
    """Return who knows how the parts are."""
    seen = status.worker
    if seen is not None and seen.health is not None:
        return Source.WORKER
    waits = seen is None or seen.state is State.STARTING
    return Source.NOBODY if waits else Source.DOCTOR


class Checkup(QObject):
    """`found` with the parts each time; the other signals once for what was asked."""

    found = Signal(object)  # tuple of PartReport
    mcp_found = Signal(object)  # PartReport of the MCP servers, while a worker answers
    repaired = Signal(object)  # RepairReply
    begun = Signal(object)  # ReindexReply
    failed = Signal(object)  # Exception
    busy_changed = Signal(bool)  # the doctor, or a repair, is at work

    def __init__(
        self, paths: Paths, client: WorkerClient, background: Background, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._paths, self._client, self._background = paths, client, background
        self._source = Source.NOBODY
        self._working = False
        self._pending: dict[str, Call] = {}  # one question of a kind at a time
        self._timer = QTimer(self, interval=_EVERY)
        self._timer.timeout.connect(self._ask)
        self._mcp_timer = QTimer(self, interval=_MCP_EVERY)
        self._mcp_timer.timeout.connect(self._ask_mcp)

    def look(self) -> None:
        """Ask now, and again and again while somebody looks."""
        self._timer.start()
        self._mcp_timer.start()
        self._ask_anybody()

    def look_away(self) -> None:
        """Ask nothing any more."""
        self._timer.stop()
        self._mcp_timer.stop()
        for call in self._pending.values():
            call.abort()
        self._pending.clear()

    def turn_to(self, source: Source) -> None:
        """Ask somebody else from now on, where that has changed."""
        changed, self._source = source is not self._source, source
        if changed and self._timer.isActive():
            self._ask_anybody()

    def repair(self) -> None:
        """Have the worker look at each part and mend what it can."""
        self._work(True)
        call = self._client.post("/api/repair", {}, RepairReply, seconds=_REPAIR_SECONDS)
        call.done.connect(self._told_repaired)
        call.failed.connect(self._broken)

    def reindex(self, what: Index | None) -> None:
        """Have indexes made anew; without `what`, those that take seconds."""
        body = {} if what is None else {"what": what.value}
        call = self._client.post("/api/reindex", body, ReindexReply)
        call.done.connect(self._told_begun)
        call.failed.connect(self.failed)

    def _ask_anybody(self) -> None:
        self._ask()
        self._ask_mcp()
        if self._source is Source.DOCTOR and not self._working:
            self._work(True)
            job = self._background.run("doctor", partial(ask_doctor, self._paths))
            job.done.connect(self._examined)
            job.failed.connect(self._broken)

    def _ask(self) -> None:
        if self._may_ask("ready"):
            call = self._pending["ready"] = self._client.get("/api/ready", {}, Ready)
            call.done.connect(self._answered)
            call.failed.connect(self._silent)

    def _ask_mcp(self) -> None:
        if self._may_ask("mcp"):
            newest = {"limit": 1, "format": "json"}
            call = self._pending["mcp"] = self._client.get("/api/recalls", newest, RecallsReply)
            call.done.connect(self._recalled)
            call.failed.connect(self._mcp_silent)

    def _may_ask(self, what: str) -> bool:
        return self._source is Source.WORKER and what not in self._pending

    def _answered(self, ready: Ready) -> None:
        self._pending.pop("ready", None)
        self.found.emit(tuple(ready.parts))

    def _silent(self, _: MemtrayError) -> None:
        self._pending.pop("ready", None)  # the supervisor sees it as well, and says what it means

    def _recalled(self, reply: RecallsReply) -> None:
        self._pending.pop("mcp", None)
        self.mcp_found.emit(mcp_report(reply))

    def _mcp_silent(self, _: MemtrayError) -> None:
        self._pending.pop("mcp", None)

    def _examined(self, ready: Ready) -> None:
        self._work(False)
        if self._source is not Source.WORKER:
            self.found.emit(tuple(ready.parts))

    def _told_repaired(self, reply: RepairReply) -> None:
        self._work(False)
        self.repaired.emit(reply)
        self._ask()

    def _told_begun(self, reply: ReindexReply) -> None:
        self.begun.emit(reply)
        self._ask()

    def _broken(self, error: Exception) -> None:
        self._work(False)
        self.failed.emit(error)

    def _work(self, working: bool) -> None:
        self._working = working
        self.busy_changed.emit(working)
