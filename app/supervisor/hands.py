"""What the supervisor has done to the worker: each function blocks, and returns what came of it."""

import logging
import os

import psutil

from app.supervisor.events import (
    GaveUp,
    Looked,
    PortTaken,
    Restart,
    Start,
    Started,
    StartFailed,
    StopFailed,
    Stopped,
)
from app.worker_client import CLIENT
from worker.shared.errors import MemtrayError
from worker.shared.launch import Child, ensure_running
from worker.shared.log_lines import LogFiles
from worker.shared.paths import Paths
from worker.shared.ports import claimed_ports, is_reserved, next_free_port, owner_of, user_number
from worker.shared.processes import has_ended
from worker.shared.readiness import Health
from worker.shared.restart import replace_older, restart
from worker.shared.settings import save_settings
from worker.shared.state import look
from worker.shared.stop import leave_worker, stop_worker

LAST_LINES = 20

log = logging.getLogger(__name__)


class Hands:
    """Acts on the worker of one data folder; may be used from several threads."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._child: Child | None = None  # that this app has started last
        self._process: psutil.Process | None = None  # that answered last
        self._left = False

    def look(self, sight: int) -> Looked:
        """Look how the worker is; it then knows that the app is there."""
        found = look(self._paths, name=CLIENT)
        if found.health:
            self._watch(found.health.pid)
        child = self._child
        return Looked(sight, found, child.poll() if child else None)

    def has_vanished(self) -> bool:
        """Say, at once, whether the process that answered last is no more; True only once."""
        process = self._process
        if process is None or not has_ended(process):
            return False
        if self._process is process:
            self._process = None
        return True

    def start(self, wish: Start) -> Started | StartFailed:
        """Have a worker that answers; a port that is asked for is the one from now on."""
        if wish.port is not None:
            save_settings(self._paths.settings, {"port": wish.port})
        return self._outcome(wish)

    def restart(self, wish: Restart) -> Started | StartFailed:
        """End the worker, and have another."""
        return self._outcome(wish)

    def stop(self) -> Stopped | StopFailed:
        """End the worker until somebody starts it."""
        try:
            how = stop_worker(self._paths)
        except (MemtrayError, OSError) as exc:
            return StopFailed(_text_of(exc))
        log.info("worker stopped: %s", how)
        return Stopped()

    def leave(self) -> None:
        """End the worker because the app ends, also one that is only just coming up."""
        self._left = True
        try:
            log.info("worker ended: %s", leave_worker(self._paths))
        except MemtrayError as exc:
            log.warning("the worker runs on: %s", exc.detail)
        if self._child and self._child.poll() is None:
            self._child.terminate()

    def port_taken(self, port: int) -> PortTaken:
        """Return who has the port, and which other would do."""
        claimed = claimed_ports(self._paths.data_dir, os.environ, user_number())
        owner = owner_of(port)
        return PortTaken(
            port=port,
            name=owner.name if owner else "",
            pid=owner.pid if owner else None,
            is_claude_mem=owner is not None and owner.is_claude_mem,
            is_reserved=is_reserved(port),
            next_free_port=next_free_port(port, claimed),
        )

    def gave_up(self, exit_code: int | None, why: str) -> GaveUp:
        """Return how it ended and what it said last: its output, else its log."""
        said = why.splitlines() or [
            str(entry)
            for entry in LogFiles(self._paths.logs).newest(10 * LAST_LINES)
            if entry.component.partition(".")[0] == "worker"
        ]
        return GaveUp(exit_code, tuple(said[-LAST_LINES - 1 :]))

    def _outcome(self, wish: Start | Restart) -> Started | StartFailed:
        before = self._child
        try:
            health = self._healthy(wish)
        except (MemtrayError, OSError) as exc:
            made = self._child if self._child is not before else None
            return StartFailed(_text_of(exc), made.poll() if made else None)
        by_us = self._child not in (before, None) and self._child.poll() is None
        self._watch(health.pid)
        log.info("worker %d on port %d, started by us: %s", health.pid, health.port, by_us)
        return Started(health, by_us=by_us)

    def _healthy(self, wish: Start | Restart) -> Health:
        if isinstance(wish, Restart):
            return restart(self._paths, on_child=self._born)
        if wish.replace:
            return replace_older(self._paths, on_child=self._born)
        return ensure_running(
            self._paths, port=wish.port, explicit=wish.explicit, on_child=self._born
        )

    def _born(self, child: Child) -> None:
        self._child = child
        if self._left:  # the app has gone while the start waited for its turn
            child.terminate()

    def _watch(self, pid: int) -> None:
        if self._process is not None and self._process.pid == pid:
            return
        try:
            self._process = psutil.Process(pid)
        except psutil.Error:
            self._process = None  # gone, or another user's: it is looked at less often


def _text_of(exc: MemtrayError | OSError) -> str:
    return exc.detail if isinstance(exc, MemtrayError) else str(exc)
