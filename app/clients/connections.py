"""The clients as windows see them: looked at in the background, changed only when one asks."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Background, Job
from app.clients.kept import Kept
from app.clients.wiring import Plan, Sight, Wiring
from worker.shared.clients.entry import System
from worker.shared.clients.state import ClientReport
from worker.shared.paths import Paths

log = logging.getLogger(__name__)

_LOOK_MS = 30_000
_AGAIN_MS = 2_000  # a file that is just being written is whole by then
_THREAD = "clients"


class Connections(QObject):
    """How Claude Desktop and Claude Code are; `vanished` once for each entry that was lost."""

    changed = Signal()
    vanished = Signal(object)  # ClientReport

    def __init__(
        self,
        paths: Paths,
        background: Background,
        parent: QObject | None = None,
        *,
        system: System | None = None,
        executable: Path | None = None,
        look_ms: int = _LOOK_MS,
    ) -> None:
        super().__init__(parent)
        self.paths = paths
        self._background = background
        self._wiring = Wiring(paths, system or System.here(), executable=executable)
        self._sight = Sight()
        self._timer = QTimer(self, interval=look_ms)
        self._timer.timeout.connect(self._watch)
        self._timer.start()
        self._again = QTimer(self, singleShot=True, interval=min(_AGAIN_MS, look_ms))
        self._again.timeout.connect(self._watch)
        self.look_now()

    @property
    def reports(self) -> tuple[ClientReport, ...]:
        """How the clients were when last looked at; empty before the first look."""
        return self._sight.reports

    def kept(self, client: str) -> Kept:
        """Return what is remembered of a client, as whether its entry is missing."""
        return (self._sight.kept or {}).get(client, Kept())

    def can_undo(self, client: str) -> bool:
        """Say whether our last change to a file of this client can be taken back."""
        return client in self._sight.undoable

    def look_now(self) -> None:
        """Look at all, also where no file has changed."""
        self._run(partial(self._wiring.look, self._sight.suspected)).done.connect(self._looked)

    def plan(self, client: str, *, connects: bool = True) -> Job:
        """Find out what would be done; `done` with a Plan, `failed` with the reason."""
        return self._run(partial(self._wiring.plan, client, connects=connects))

    def carry_out(self, plan: Plan) -> Job:
        """Do what was shown, or nothing if the file is another by now; `done` with an Outcome."""
        return self._change(partial(self._wiring.carry_out, plan))

    def connect_client(self, client: str) -> Job:
        """Connect with no look at the plan, as one click that says so may; `done` as above."""
        return self._change(partial(self._planned, client, connects=True))

    def disconnect_client(self, client: str) -> Job:
        """Take our entry away; `done` with an Outcome."""
        return self._change(partial(self._planned, client, connects=False))

    def undo(self, client: str) -> Job:
        """Put back what was there before our last change; `done` with an Outcome."""
        return self._change(partial(self._wiring.undo, client))

    def _planned(self, client: str, *, connects: bool) -> object:
        return self._wiring.carry_out(self._wiring.plan(client, connects=connects))

    def _watch(self) -> None:
        look = partial(self._wiring.look_if_changed, self._sight.suspected)
        self._run(look).done.connect(self._looked)

    def _change(self, work: Callable[[], object]) -> Job:
        job = self._run(work)
        self.look_now()  # after it, in the same thread
        return job

    def _run(self, work: Callable[[], object]) -> Job:
        return self._background.run(_THREAD, work)

    def _looked(self, sight: object) -> None:
        if not isinstance(sight, Sight):  # nothing has changed
            return
        before, self._sight = self._sight, sight
        if sight.suspected:
            self._again.start()
        if sight != before:
            self.changed.emit()
        for report in sight.reports:
            if report.client in sight.vanished:
                log.warning("%s no longer starts Memtray: %s", report.client, report.cause)
                self.vanished.emit(report)
