"""Pausing for the whole app: asked of the worker, which remembers it over restarts."""

import datetime as dt

from PySide6.QtCore import QObject, QTimer, Signal

from app.excludes.wording import minutes_left
from app.worker_client import Call, WorkerClient
from worker.shared.capture import CaptureReply
from worker.shared.errors import MemtrayError

_LONGEST_MS = 3_600_000  # after which it is looked again, whenever the end is
_AFTER_MS = 1_000  # the end


class CaptureSwitch(QObject):
    """Knows whether capture is paused, and changes it."""

    changed = Signal(object)  # CaptureReply
    failed = Signal(object)  # a MemtrayError

    def __init__(self, client: WorkerClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._call: Call | None = None
        self.state: CaptureReply | None = None
        self._end = QTimer(self, singleShot=True)
        self._end.timeout.connect(self.look)

    def look(self) -> None:
        """Ask how it is, unless that is being asked; no answer changes nothing."""
        if self._call is None:
            self._call = self._client.get("/api/capture", {}, CaptureReply)
            self._call.done.connect(self._looked)
            self._call.failed.connect(self._not_looked)

    def pause_hour(self) -> None:
        """Have nothing new remembered for an hour."""
        self._post("pause", {"minutes": 60})

    def pause_day(self) -> None:
        """Have nothing new remembered until midnight."""
        self._post("pause", {"minutes": minutes_left(dt.datetime.now(dt.UTC))})

    def pause_until_resumed(self) -> None:
        """Have nothing new remembered until `resume`."""
        self._post("pause", {})

    def resume(self) -> None:
        """Go on."""
        self._post("resume", {})

    def _post(self, what: str, body: dict[str, int]) -> None:
        if self._call is not None:  # it may tell what was before
            self._call.abort()
            self._call = None
        call = self._client.post(f"/api/capture/{what}", body, CaptureReply)
        call.done.connect(self._known)
        call.failed.connect(self._not_done)

    def _looked(self, state: CaptureReply) -> None:
        self._call = None
        self._known(state)

    def _not_looked(self) -> None:
        self._call = None

    def _known(self, state: CaptureReply) -> None:
        if state.until is not None:
            left = dt.datetime.fromisoformat(state.until) - dt.datetime.now(dt.UTC)
            milliseconds = max(0, round(left.total_seconds() * 1000)) + _AFTER_MS
            self._end.start(min(milliseconds, _LONGEST_MS))
        if state != self.state:
            self.state = state
            self.changed.emit(state)

    def _not_done(self, error: MemtrayError) -> None:
        self.failed.emit(error)
