"""A gate through which many pass at once, until one wants to be alone behind it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Lets threads in and out; a thread that is in may pass again."""

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._here = threading.local()
        self._inside = 0
        self.closed = False  # somebody is alone, or waits until the others are out

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Be inside together with others; waits while somebody is alone."""
        passed = getattr(self._here, "passed", 0)
        if not passed:
            with self._change:
                while self.closed:
                    self._change.wait()
                self._inside += 1
        self._here.passed = passed + 1
        try:
            yield
        finally:
            self._here.passed = passed
            if not passed:
                with self._change:
                    self._inside -= 1
                    if self.closed:
                        self._change.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until all are out, and keep them out; not for who is inside."""
        with self._change:
            self._change.wait_for(lambda: not self.closed)
            self.closed = True
            self._change.wait_for(lambda: not self._inside)
        try:
            yield
        finally:
            with self._change:
                self.closed = False
                self._change.notify_all()
