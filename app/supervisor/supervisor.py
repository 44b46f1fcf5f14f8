"""Keeps the worker as the user wants it, and tells the app how it is."""

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import assert_never

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Background
from app.status import AppStatus
from app.supervisor.describe import describe
from app.supervisor.events import (
    Action,
    Event,
    LookAt,
    LookFailed,
    Restart,
    RestartAsked,
    Start,
    StartAsked,
    StartFailed,
    Stop,
    StopAsked,
    StopFailed,
    TellGaveUp,
    TellPortTaken,
    Ticked,
    Vanished,
)
from app.supervisor.flicker import Shown
from app.supervisor.hands import Hands
from app.supervisor.machine import Supervised, quit_stops, step, wait
from worker.shared.paths import Paths
from worker.shared.settings import load_settings

PULSE_MS = 500  # between two looks whether the process still lives, which cost nothing
LEAVE_MS = 4_500  # after which the app ends, even if the worker does not

log = logging.getLogger(__name__)


class Supervisor(QObject):
    """Runs the state machine: its actions in threads, their outcomes back as events."""

    status_changed = Signal(object)  # AppStatus
    gave_up = Signal(object)  # GaveUp
    port_taken = Signal(object)  # PortTaken
    finished = Signal()  # after leave()

    def __init__(
        self,
        paths: Paths,
        background: Background,
        parent: QObject | None = None,
        *,
        pace: float = 1.0,
    ) -> None:
        """`pace` is how fast its clock runs, for who cannot wait a minute."""
        super().__init__(parent)
        self._pace = pace
        self._paths = paths
        self._background = background
        self._hands = Hands(paths)
        self._state = Supervised()
        self._shown = Shown(describe(self._state))
        self._leaving = self._left = False
        self._tick = self._timer(self._ticked)
        self._settle = self._timer(self._show)
        self._deadline = self._timer(self._finish)
        self._pulse = QTimer(self)
        self._pulse.timeout.connect(self._feel)

    @property
    def status(self) -> AppStatus:
        """How the worker is, as it is shown."""
        return self._shown.status

    def begin(self) -> None:
        """Look for the worker, start it if the settings say so, and watch over it."""
        wanted = load_settings(self._paths.settings).start_worker
        self._state = Supervised(wanted=wanted, look_due=self._now())
        self._pulse.start(PULSE_MS)
        self._happened(Ticked())

    def start(self, port: int | None = None) -> None:
        """Start the worker because the user wants it, on `port` from now on if one is given."""
        self._happened(StartAsked(port))

    def stop(self) -> None:
        """Stop the worker; nothing but a wish of the user starts it again."""
        self._happened(StopAsked())

    def restart(self) -> None:
        """Put a new worker in the place of this one, also where this one hangs."""
        self._happened(RestartAsked())

    def look_now(self) -> None:
        """Look at the worker now, not at the next turn."""
        self._happened(Vanished())

    def leave(self) -> None:
        """End a worker that this app has started; `finished` comes in five seconds at most."""
        if self._leaving:
            return
        self._leaving = True
        for timer in (self._tick, self._settle, self._pulse):
            timer.stop()
        if not quit_stops(self._state):
            self._deadline.start(0)
            return
        job = self._background.run("leave", self._hands.leave)
        job.done.connect(self._finish)
        job.failed.connect(self._finish)
        self._deadline.start(LEAVE_MS)

    def _finish(self) -> None:
        if not self._left:
            self._left = True
            self._deadline.stop()
            self.finished.emit()

    # ------------------------------------------------------------------ events and actions

    def _happened(self, event: Event) -> None:
        if self._leaving:
            return
        now = self._now()
        before = self._state.phase
        self._state, actions = step(self._state, event, now)
        if self._state.phase is not before:
            log.info("worker: %s, after %s", self._state.phase, type(event).__name__)
        for action in actions:
            self._act(action)
        self._show()
        self._wake(self._tick, wait(self._state, now))

    def _act(self, action: Action) -> None:
        """Have an action done, each kind in a thread of its own: none waits for another."""
        hands = self._hands
        match action:
            case LookAt():
                self._run("look", partial(hands.look, action.sight), self._look_failed)
            case Start():
                self._run("start", partial(hands.start, action), self._start_failed)
            case Restart():
                self._run("restart", partial(hands.restart, action), self._start_failed)
            case Stop():
                self._run("stop", hands.stop, self._stop_failed)
            case TellGaveUp():
                words = partial(hands.gave_up, action.exit_code, action.why)
                self._background.run("tell", words).done.connect(self.gave_up)
            case TellPortTaken():
                owner = partial(hands.port_taken, action.port)
                self._background.run("tell", owner).done.connect(self.port_taken)
            case _:
                assert_never(action)

    def _ticked(self) -> None:
        self._happened(Ticked())

    def _feel(self) -> None:
        if self._hands.has_vanished():
            self._happened(Vanished())

    # ------------------------------------------------------------------ outcomes

    def _run(
        self, kind: str, work: Callable[[], object], failed: Callable[[Exception], None]
    ) -> None:
        job = self._background.run(kind, work)
        job.done.connect(self._happened)
        job.failed.connect(failed)

    def _look_failed(self, exc: Exception) -> None:
        log.error("looking at the worker failed: %r", exc)
        self._happened(LookFailed())

    def _start_failed(self, exc: Exception) -> None:
        self._happened(StartFailed(repr(exc)))

    def _stop_failed(self, exc: Exception) -> None:
        self._happened(StopFailed(repr(exc)))

    # ------------------------------------------------------------------ what is shown

    def _show(self) -> None:
        """Show the status, or what of it may be shown yet."""
        now = self._now()
        wanted = describe(self._state)
        before = self._shown.status
        self._shown = self._shown.settled(wanted, now)
        if self._shown.status != before or self._shown.status.whole != before.whole:
            self.status_changed.emit(self._shown.status)
        self._wake(self._settle, self._shown.wait(wanted, now))

    # ------------------------------------------------------------------ time

    def _now(self) -> float:
        return time.monotonic() * self._pace

    def _wake(self, timer: QTimer, seconds: float | None) -> None:
        if seconds is None:
            timer.stop()
        else:
            timer.start(int(seconds * 1000 / self._pace) + 1)

    def _timer(self, timeout: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(timeout)
        return timer
