"""Work that may block, done in threads; its outcome comes back to the GUI thread by a signal."""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from app.collector import Collector
from app.spoken import told

log = logging.getLogger(__name__)

_Work = Callable[[], object]
_Queue = queue.SimpleQueue["Job | None"]


class Job(QObject):
    """One piece of work: `done` with what it returned, or `failed` with the exception."""

    done = Signal(object)
    failed = Signal(object)

    def __init__(self, work: _Work, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._dropped = threading.Event()
        self._outcome: object = None
        self._error: Exception | None = None

    @property
    def is_dropped(self) -> bool:
        return self._dropped.is_set()

    def drop(self) -> None:
        """Nobody waits for it any more: it is not begun or, if it was, says nothing."""
        self._dropped.set()

    def run(self) -> None:
        """Do the work, in whatever thread this is."""
        try:
            self._outcome = self._work()
        except Exception as exc:  # the top of a piece of work
            log.debug("work failed", exc_info=True)
            self._error = exc

    def tell(self) -> None:
        """Say how it ended, in the GUI thread, and be gone."""
        if not self.is_dropped:
            if self._error is None:
                self.done.emit(self._outcome)
            else:
                self.failed.emit(told(self._error))
        self.deleteLater()


class Background(QObject):
    """One thread for each kind of work, so that a slow kind holds up no other.

    A thread that hangs, such as one that waits for a frozen worker, does not keep the app from
    ending: the threads are daemons. They end with this object, at the latest.
    """

    _ended = Signal(object)  # a job; from the threads, which may not emit what is deleted meanwhile

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._collector = Collector(self)
        self._ended.connect(self._tell)
        self._queues: dict[str, _Queue] = {}
        self._threads: list[threading.Thread] = []
        self.destroyed.connect(partial(_dismiss, self._queues))

    def run(self, kind: str, work: _Work) -> Job:
        """Have `work` done after what is waiting in the thread of its kind; connect at once.

        It begins when the event loop turns next, so that no outcome comes before who waits for it.
        """
        job = Job(work, self)
        QTimer.singleShot(0, job, partial(self._queue(kind).put, job))
        return job

    def stop(self, seconds: float = 3.0) -> None:
        """Begin nothing more, and wait a while for what has begun."""
        for job in self.findChildren(Job):
            job.drop()
        _dismiss(self._queues)
        for thread in self._threads:
            thread.join(seconds / max(1, len(self._threads)))

    def _tell(self, job: Job) -> None:
        job.tell()

    def _queue(self, kind: str) -> _Queue:
        if kind not in self._queues:
            waiting = self._queues[kind] = queue.SimpleQueue()
            thread = threading.Thread(
                target=_serve, args=(waiting, self._ended), name=kind, daemon=True
            )
            self._threads.append(thread)
            thread.start()
        return self._queues[kind]


def _dismiss(queues: dict[str, _Queue]) -> None:
    for waiting in queues.values():
        waiting.put(None)


def _serve(waiting: _Queue, ended: SignalInstance) -> None:
    while job := waiting.get():
        if not job.is_dropped:
            job.run()
        if not job.is_dropped:
            with suppress(RuntimeError):  # whoever waited for it is deleted, as with its window
                ended.emit(job)
