"""Whether Claude has really asked since it was connected: only that proves a connection."""

import datetime as dt
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from app.clients.connections import Connections
from app.worker_client import Call, WorkerClient
from worker.shared.clients.state import ClientState
from worker.shared.recalls_contract import RecallsReply

_EACH_MS = 3_000


class Seen(Enum):
    """What is known."""

    NOBODY = auto()  # no client is connected
    WAITING = auto()
    ASKED = auto()
    NOT_RECORDED = auto()  # by the user's own settings
    NO_ANSWER = auto()  # of the worker


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asked last, and when."""

    seen: Seen
    client: str = ""
    at: dt.datetime | None = None


def judge(reply: RecallsReply, since: int) -> Asked:
    """Return what the newest recall tells; `since` is in milliseconds."""
    newest = next(iter(reply.recalls), None)
    if newest is not None and newest.at_epoch >= since:
        return Asked(Seen.ASKED, newest.client, dt.datetime.fromisoformat(newest.at))
    return Asked(Seen.WAITING if reply.recording else Seen.NOT_RECORDED)


class Watch(QObject):
    """Asks the worker while somebody looks, until the answer is yes."""

    changed = Signal()

    def __init__(
        self, client: WorkerClient, connections: Connections, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._client, self._connections = client, connections
        self.asked = Asked(Seen.NOBODY)
        self._since = 0
        self._looking = False
        self._call: Call | None = None
        self._timer = QTimer(self, interval=_EACH_MS)
        self._timer.timeout.connect(self._ask)
        connections.changed.connect(self._begin_anew)

    def start(self) -> None:
        """Somebody looks."""
        self._looking = True
        self._begin_anew()
        self._go_on()

    def stop(self) -> None:
        """Nobody looks any more."""
        self._looking = False
        self._timer.stop()
        if self._call is not None:
            self._call.abort()
            self._call = None

    def _begin_anew(self) -> None:
        """Wait for a new question where a client was connected since."""
        since = self._connected_since()
        if since is None:
            self._timer.stop()
            self._show(Asked(Seen.NOBODY))
        elif self.asked.seen is Seen.NOBODY or since > self._since:
            self._since = since
            self._show(Asked(Seen.WAITING))
            self._go_on()

    def _go_on(self) -> None:
        if self._looking and self.asked.seen not in (Seen.NOBODY, Seen.ASKED):
            self._timer.start()
            self._ask()

    def _connected_since(self) -> int | None:
        """Return when a client was connected last, 0 for long ago; None where none is."""
        times = [
            self._connections.kept(report.client).since
            for report in self._connections.reports
            if report.state is ClientState.CONNECTED
        ]
        return max(times, default=None)

    def _ask(self) -> None:
        if self._call is not None:
            return
        self._call = self._client.get("/api/recalls", {"limit": 1, "format": "json"}, RecallsReply)
        self._call.done.connect(self._answered)
        self._call.failed.connect(self._failed)

    def _answered(self, reply: RecallsReply) -> None:
        self._call = None
        if self.asked.seen is not Seen.NOBODY:
            self._show(judge(reply, self._since))
        if self.asked.seen is Seen.ASKED:
            self._timer.stop()

    def _failed(self, _problem: object) -> None:
        self._call = None
        if self.asked.seen is not Seen.NOBODY:
            self._show(Asked(Seen.NO_ANSWER))

    def _show(self, asked: Asked) -> None:
        if asked != self.asked:
            self.asked = asked
            self.changed.emit()
